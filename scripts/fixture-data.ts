// npm run fixture:data -- NAME [--extension FOLDER]: data as this version stores it, for the upgrade tests of all later ones.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { launchBrowser, type TestBrowser } from "../tests/e2e/harness/browser";
import { probeReady } from "../tests/e2e/harness/probe";
import { startLlmServer } from "../tests/servers/llm";
import { startPageServer } from "../tests/servers/pages";
import { AREAS } from "./fixture-data/areas";
import type { FixtureContents } from "./fixture-data/contents";
import { KEEPER } from "./fixture-data/keeper";
import { fixtureModel, MODEL_PORT } from "./fixture-data/model";
import { pack } from "./fixture-data/pack";
import type { Area, Stage } from "./fixture-data/stage";
import { buildFolder, ensureBuild } from "./lib/builds";
import { findChromium } from "./lib/chromium.mjs";
import { searchScope } from "./lib/chromium-places.mjs";
import { PROJECT_ROOT } from "./lib/root";
import { printError, Stop } from "./lib/stop.mjs";

const FOLDER = join(PROJECT_ROOT, "tests", "fixtures", "data");
const USAGE = `npm run fixture:data -- NAME [--extension FOLDER]
Fills a fresh profile with data of every kind through the product's own doors, and keeps what it stored as
tests/fixtures/data/NAME.zip, with NAME.json beside it, which says what must be found in it. NAME is a number and a word: 3-planner.
  --extension FOLDER  an eval build made elsewhere, such as that of an older version; this version's when left out`;

function readArguments(): { name: string; extension?: string } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { extension: { type: "string" } },
  });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0 || !/^\d+-[a-z0-9-]+$/.test(name)) throw new Stop(USAGE);
  return { name, extension: values.extension && resolve(values.extension) };
}

async function main(): Promise<void> {
  const { name, extension = buildFolder("eval") } = readArguments();
  const { chromium } = await findChromium(searchScope(PROJECT_ROOT, process.env));
  if (!chromium) throw new Stop("No usable Chromium is here. Run: node scripts/prepare.mjs");
  if (extension === buildFolder("eval")) await ensureBuild("eval");
  const profile = await mkdtemp(join(tmpdir(), "moggy-fixture-"));
  const launch = () => launchBrowser({ chromium: chromium.path, extension, profile });
  const [pages, llm] = await Promise.all([
    startPageServer(),
    startLlmServer({ port: MODEL_PORT, script: fixtureModel(true) }),
  ]);
  let browser: TestBrowser | undefined;
  try {
    const contents: Partial<FixtureContents> = { milestone: name, modelPort: MODEL_PORT };
    for (const session of ["first", "last"] as const) {
      browser = await launch();
      contents.version = (await browser.eval<{ version: string }>("eval:ready")).version;
      const stage: Stage = { browser, pages, llm, openKeeper: opener(browser, pages.a) };
      for (const area of AREAS.filter((one) => one.session === session)) await fill(area, stage, contents);
      if (session === "first") await browser.close({ keepProfile: true });
      else await browser.crash();
    }
    browser = undefined;
    const bytes = await pack(profile, join(FOLDER, `${name}.zip`));
    await writeFile(join(FOLDER, `${name}.json`), `${JSON.stringify(contents, null, 2)}\n`);
    console.log(
      `tests/fixtures/data/${name}.zip: ${bytes} bytes, by ${contents.version} in Chromium ${chromium.version}`,
    );
  } finally {
    await browser?.close({ keepProfile: true });
    await Promise.all([pages.close(), llm.close()]);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function fill(area: Area, stage: Stage, contents: Partial<FixtureContents>): Promise<void> {
  console.log(`  ${area.name}`);
  try {
    Object.assign(contents, await area.fill(stage, contents));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${area.name} could not be made: ${why}`, { cause });
  }
}

function opener(browser: TestBrowser, origin: string): Stage["openKeeper"] {
  return async () => {
    const page = await browser.newPage(`${origin}/plain`);
    await probeReady(page, KEEPER);
    return page;
  };
}

try {
  await main();
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
