import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { type BrowserContext, type CDPSession, chromium, type Page } from "playwright-core";
import type { Built } from "./build";

export interface StartTimes {
  /** Milliseconds that `importScripts` took in the worker, one per fresh start. */
  load: number[];
  /** Milliseconds from a page's message to its answer, the start of the worker included. */
  call: number[];
}

const SETTLE_MS = 250;
const TIMEOUT_MS = 20_000;

/**
 * Starts the workers of all extensions again and again, taking turns, so that a busy moment of the machine hits all alike.
 * @param rounds fresh starts per extension
 */
export async function measureStarts(
  executablePath: string,
  profile: string,
  subjects: readonly Built[],
  rounds: number,
): Promise<Map<string, StartTimes>> {
  const folders = subjects.map(({ extension }) => extension).join(",");
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      `--disable-extensions-except=${folders}`,
      `--load-extension=${folders}`,
    ],
  });
  try {
    return await takeTurns(context, subjects, rounds);
  } finally {
    await context.close();
  }
}

async function takeTurns(
  context: BrowserContext,
  subjects: readonly Built[],
  rounds: number,
): Promise<Map<string, StartTimes>> {
  const browser = context.browser();
  if (!browser)
    throw new Error("The browser has no debugging session of its own, so workers cannot be stopped.");
  const cdp = await browser.newBrowserCDPSession();
  const pages = new Map<string, Page>();
  const times = new Map<string, StartTimes>();
  for (const { name, extension } of subjects) {
    const page = await context.newPage();
    await page.goto(`chrome-extension://${extensionId(extension)}/page.html`);
    pages.set(name, page);
    times.set(name, { load: [], call: [] });
  }
  // Round 0 fills the browser's caches of compiled code, as the first use after an install does, and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, page] of pages) {
      await stopWorker(cdp, new URL(page.url()).host);
      await page.bringToFront();
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      const { call, loadMs } = await orTimeOut(page.evaluate(callWorker), name);
      if (round === 0) continue;
      times.get(name)?.load.push(loadMs);
      times.get(name)?.call.push(call);
    }
  }
  return times;
}

/** A worker whose script throws never answers: say which one it is. */
function orTimeOut<T>(answer: Promise<T>, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The worker with “${name}” did not answer within ${TIMEOUT_MS / 1000} s.`)),
      TIMEOUT_MS,
    );
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Runs in the page. */
async function callWorker(): Promise<{ call: number; loadMs: number }> {
  const before = performance.now();
  const { loadMs } = (await chrome.runtime.sendMessage("start")) as { loadMs: number };
  return { call: performance.now() - before, loadMs };
}

async function stopWorker(cdp: CDPSession, id: string): Promise<void> {
  const { targetInfos } = await cdp.send("Target.getTargets", { filter: [{}] });
  for (const { targetId, type, url } of targetInfos) {
    if (type === "service_worker" && url.startsWith(`chrome-extension://${id}/`)) {
      await cdp.send("Target.closeTarget", { targetId });
    }
  }
}

/** The id that Chromium gives an unpacked extension: from its path, sixteen letters for the sixteen digits. */
function extensionId(folder: string): string {
  const hash = createHash("sha256").update(realpathSync(folder)).digest("hex").slice(0, 32);
  return [...hash].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join("");
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN];
  return low + (high - low) * (at - Math.floor(at));
}
