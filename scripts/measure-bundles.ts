// npx tsx scripts/measure-bundles.ts [--rounds N]: what each package that the worker may hold costs in size and in start time.

import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildFolder } from "./lib/builds";
import { findChromium } from "./lib/chromium.mjs";
import { searchScope } from "./lib/chromium-places.mjs";
import { PROJECT_ROOT } from "./lib/root";
import { printError, Stop } from "./lib/stop.mjs";
import { type Built, buildSubject, finishExtension, installPackages } from "./measure/build";
import { measureStarts } from "./measure/starts";
import { COMBINATIONS, combine, SUBJECTS } from "./measure/subjects";
import { costTable } from "./measure/table";

/** Of the last `npm run build`, to be seen beside the packages it is made of. (core.js acts when it starts; `npm run bench` has it.) */
const OWN = ["engine.js"];

const { values } = parseArgs({ options: { rounds: { type: "string", default: "15" } } });
const folder = await mkdtemp(join(tmpdir(), "moggy-measure-"));
try {
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Stop("--rounds takes a number of starts, such as 15.");
  const { chromium } = await findChromium(searchScope(PROJECT_ROOT, process.env));
  if (!chromium) throw new Stop("No Chromium was found. Set MOGGY_CHROMIUM to one.");

  console.error("Installing the packages into a temporary folder …");
  await installPackages(folder, SUBJECTS);
  const built: Built[] = [];
  for (const subject of SUBJECTS) built.push(await buildSubject(folder, subject));
  for (const { name, parts: wanted } of COMBINATIONS) {
    const parts = SUBJECTS.filter((subject) => wanted.includes(subject.name));
    built.push(await buildSubject(folder, combine(name, parts), parts));
  }
  built.push(...(await ownBundles()));

  console.error(`Starting ${built.length} workers ${rounds} times each …`);
  const times = await measureStarts(chromium.path, join(folder, "profile"), built, rounds);
  console.log(costTable(built, times, { rounds, chromium: chromium.version }));
} catch (error) {
  printError(error);
  process.exitCode = 1;
} finally {
  // The browser's last writes may come while its profile is being removed.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

async function ownBundles(): Promise<Built[]> {
  const found: Built[] = [];
  for (const file of OWN) {
    const path = join(buildFolder("production"), file);
    if (!existsSync(path)) continue;
    const extension = join(folder, "extensions", file.replace(".", "-"));
    await mkdir(extension, { recursive: true });
    await cp(path, join(extension, "subject.js"));
    found.push(await finishExtension(extension, `${file} of this version`));
  }
  return found;
}
