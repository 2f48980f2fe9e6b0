// npm run bench -- inject: what the extension costs a page, beside a browser without it, loads taken in turn.
import type { BrowserContext, Page } from "playwright-core";
import { extensionUrl } from "../../scripts/lib/extension";
import { startPageServer } from "../servers/pages";
import { launchBare, launchMoggy } from "./harness";
import { median, ms, ratioInterval, spread, table } from "./stats";

const LOADS = 40;
const WARM_UP = 5;

const pages = await startPageServer();
const [moggy, bare] = [await launchMoggy(), await launchBare()];
try {
  await noScriptMatches();
  await manyScripts();
} finally {
  await Promise.all([moggy.close(), bare.close(), pages.close()]);
}

/** Time from the start of a navigation to its load event, by the page's own clock. */
async function load(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: "load" });
  return page.evaluate(() => {
    const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return entry ? entry.loadEventStart - entry.startTime : Number.NaN;
  });
}

async function noScriptMatches(): Promise<void> {
  for (let i = 0; i < 20; i++)
    await moggy.eval("eval:installScript", { code: script(`Elsewhere ${i}`, `https://site${i}.test/*`) });
  // Both with the same pages open: an options page in view would be work that the other browser does not have.
  await moggy.options.goto("about:blank");
  await bare.context.newPage();
  const page = async (context: BrowserContext) => context.newPage();
  const [ours, theirs] = [await page(moggy.context), await page(bare.context)];
  const samples = { ours: [] as number[], theirs: [] as number[] };
  for (let i = -WARM_UP; i < LOADS; i++) {
    // In turn, and the first one changes, so that drift of the machine meets both alike.
    const pair = i % 2 === 0 ? (["ours", "theirs"] as const) : (["theirs", "ours"] as const);
    for (const who of pair) {
      const took = await load(who === "ours" ? ours : theirs, `${pages.a}/plain?${i}`);
      if (i >= 0) samples[who].push(took);
    }
  }
  const [low, high] = ratioInterval(samples.ours, samples.theirs);
  const ratio = median(samples.ours) / median(samples.theirs);
  const met = ratio <= 1.03 || (low <= 1 && high >= 1);
  table(
    `Load of a page that no script matches (20 scripts installed for other sites; ${LOADS} interleaved loads)`,
    [
      ["with Moggy", spread(samples.ours)],
      ["without any extension", spread(samples.theirs)],
      ["ratio of medians", `${ratio.toFixed(3)}, 95 % interval ${low.toFixed(3)} to ${high.toFixed(3)}`],
      ["budget ≤ 1.03, or 1 within the interval", met ? "met" : "MISSED"],
    ],
  );
  await Promise.all([ours.close(), theirs.close()]);
  await moggy.options.goto(extensionUrl("options.html"));
  await moggy.eval("eval:clear");
}

async function manyScripts(): Promise<void> {
  const page = await moggy.context.newPage();
  const rows: Array<[string, string]> = [];
  let one = Number.NaN;
  const installs: number[] = [];
  for (const count of [1, 10, 100]) {
    while (installs.length < count) {
      const started = performance.now();
      await moggy.eval("eval:installScript", { code: script(`Script ${installs.length}`, "*://*/*") });
      installs.push(performance.now() - started);
    }
    const samples: number[] = [];
    for (let i = -WARM_UP; i < LOADS; i++) {
      const took = await load(page, `${pages.a}/plain?${count}-${i}`);
      if (i >= 0) samples.push(took);
    }
    if (count === 1) one = median(samples);
    rows.push([
      `${count} matching script${count > 1 ? "s" : ""}`,
      `${spread(samples)}, ${(median(samples) / one).toFixed(2)}× of one`,
    ]);
  }
  rows.push(["installing the first / the 100th", `${ms(installs[0] ?? 0)} / ${ms(installs.at(-1) ?? 0)}`]);
  table("Load of a page with matching scripts (budget: 100 scripts ≤ 1.5× of one)", rows);
  await page.close();
}

function script(name: string, match: string): string {
  return `// ==UserScript==
// @name ${name}
// @match ${match}
// @grant GM_getValue
// @run-at document-start
// ==/UserScript==
document.documentElement.dataset.ran = (Number(document.documentElement.dataset.ran) || 0) + 1;`;
}
