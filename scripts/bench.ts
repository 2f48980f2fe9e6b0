// npm run bench -- NAME [options]: runs tests/bench/NAME.ts, which measures and prints.
import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ensureBuild } from "./lib/builds";
import { findChromium } from "./lib/chromium.mjs";
import { searchScope } from "./lib/chromium-places.mjs";
import { PROJECT_ROOT } from "./lib/root";
import { printError, Stop } from "./lib/stop.mjs";

const BENCHES = join(PROJECT_ROOT, "tests", "bench");

try {
  const [name, ...args] = process.argv.slice(2);
  const known = (await readdir(BENCHES, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => entry.name.replace(/\.ts$/, ""));
  if (!name || !known.includes(name)) {
    throw new Stop(`Say what to measure: npm run bench -- ${known.join(" | ") || "(there is none yet)"}`);
  }
  const { chromium } = await findChromium(searchScope(PROJECT_ROOT, process.env));
  if (!chromium) throw new Stop("No usable Chromium is here. Run: node scripts/prepare.mjs");
  // People run the production build, but only the eval build can be set up from outside; their code is the same otherwise.
  await ensureBuild("eval");
  process.exitCode = await run(name, args, { ...process.env, MOGGY_CHROMIUM: chromium.path });
} catch (error) {
  printError(error);
  process.exitCode = 1;
}

/** Runs a measurement in a process of its own, so that nothing done here is in its numbers. */
function run(name: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const tsx = join(PROJECT_ROOT, "node_modules", "tsx", "dist", "cli.mjs");
  const file = join(BENCHES, `${name}.ts`);
  const config = join(PROJECT_ROOT, "tsconfig.tests.json");
  const child = spawn(process.execPath, [tsx, "--tsconfig", config, file, ...args], {
    stdio: "inherit",
    env,
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
