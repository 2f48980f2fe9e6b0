// npm run icons: draws public/icons/*.png from build/icon.svg. Their result is committed; run it after a change of the drawing.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { findChromium } from "./lib/chromium.mjs";
import { searchScope } from "./lib/chromium-places.mjs";
import { PROJECT_ROOT } from "./lib/root";
import { printError, Stop } from "./lib/stop.mjs";

/** Below this many pixels whiskers, mouth and glints turn to mud, so they are left out. */
const DETAIL_FROM = 48;

/** The small form: the head alone, grown into the margin. */
const simplify = (drawing: string) =>
  drawing
    .replace(/<g id="(detail|glint)"[\s\S]*?<\/g>/g, "")
    .replace('<g id="head">', '<g id="head" transform="translate(64 66) scale(1.18) translate(-64 -66)">');

try {
  const found = await findChromium(searchScope(PROJECT_ROOT, process.env));
  if (!found.chromium) throw new Stop("No usable Chromium is here. Run: node scripts/prepare.mjs");
  const drawing = await readFile(join(PROJECT_ROOT, "build", "icon.svg"), "utf8");
  const browser = await chromium.launch({
    executablePath: found.chromium.path,
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    for (const size of [16, 32, 48, 128]) {
      const svg = size < DETAIL_FROM ? simplify(drawing) : drawing;
      const page = await browser.newPage({ viewport: { width: size, height: size } });
      await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`);
      const path = join(PROJECT_ROOT, "public", "icons", `${size}.png`);
      await page.screenshot({ path, omitBackground: true });
      console.log(path);
    }
  } finally {
    await browser.close();
  }
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
