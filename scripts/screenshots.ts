// Makes the pictures of the README anew, in both themes: npx tsx --tsconfig tsconfig.tests.json scripts/screenshots.ts
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDemoModel } from "@tests/servers/demo-model";
import type { Page } from "playwright-core";
import { buildFolder, ensureBuild } from "./lib/builds";
import { findChromium } from "./lib/chromium.mjs";
import { searchScope } from "./lib/chromium-places.mjs";
import { extensionUrl, launchWithExtension } from "./lib/extension";
import { PROJECT_ROOT } from "./lib/root";
import { printError, Stop } from "./lib/stop.mjs";
import { startDemoPage } from "./start/demo-page";
import { EvalClient } from "./start/eval-client";

const FOLDER = join(PROJECT_ROOT, "docs", "images");
const EXAMPLES = ["hello-agent", "page-summary", "tool-calling"];
/** Always the same, since the port is to be seen in the picture. */
const PORT = 4177;

async function main(): Promise<void> {
  const { chromium } = await findChromium(searchScope(PROJECT_ROOT, process.env));
  if (!chromium) throw new Stop("No usable Chromium is here. Run: node scripts/prepare.mjs");
  await ensureBuild("eval");
  await mkdir(FOLDER, { recursive: true });
  const profile = await mkdtemp(join(tmpdir(), "moggy-screenshots-"));
  const model = await startDemoModel({ delayMs: 1 });
  const demo = await startDemoPage(PORT);
  const context = await launchWithExtension({
    executablePath: chromium.path,
    extension: buildFolder("eval"),
    profile,
    headless: true,
  });
  try {
    const client = await EvalClient.open(context);
    await client.send("eval:setModel", {
      name: "Demo model",
      provider: "openai-compatible",
      apiBaseUrl: model.openaiBaseUrl,
      model: model.model,
    });
    for (const name of EXAMPLES) {
      const code = await readFile(join(PROJECT_ROOT, "example-scripts", `${name}.user.js`), "utf8");
      await client.send("eval:installScript", { code });
    }
    const page = await context.newPage();
    await page.goto(demo.url);
    await page.waitForSelector("html[data-moggy-demo=done]");
    await inBothThemes(page, "demo", 640);
    await page.goto(extensionUrl("options.html#/scripts"));
    await page.getByText("Page summary").waitFor();
    await inBothThemes(page, "options", 440);
  } finally {
    await context.close();
    await Promise.all([model.close(), demo.close()]);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @param height of the picture, so that it shows what there is and not the emptiness below */
async function inBothThemes(page: Page, name: string, height: number): Promise<void> {
  await page.setViewportSize({ width: 1280, height });
  for (const [colorScheme, file] of [
    ["light", `${name}.png`],
    ["dark", `${name}-dark.png`],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: join(FOLDER, file), animations: "disabled" });
    console.log(`docs/images/${file}`);
  }
}

try {
  await main();
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
