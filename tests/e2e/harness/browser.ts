import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { inject } from "vitest";
import { EXTENSION_ID, extensionUrl, launchWithExtension } from "../../../scripts/lib/extension";

export { EXTENSION_ID, extensionUrl };

/** A browser of its own with the eval build loaded, and the means to drive and to hurt it. */
export interface TestBrowser {
  context: BrowserContext;
  /** An options page, kept open: what `eval()` speaks through. */
  options: Page;
  /** Sends an `eval:*` message and returns its data; rejects with the named error that came back. */
  eval<T = unknown>(type: string, params?: Record<string, unknown>): Promise<T>;
  /** Ends the service worker as the browser would. Resolves false when none was running. */
  killWorker(): Promise<boolean>;
  /** True while the service worker runs. */
  workerAlive(): Promise<boolean>;
  newPage(url?: string): Promise<Page>;
  /** Closes the browser; `keepProfile` for a relaunch on the same data. */
  close(options?: { keepProfile?: boolean }): Promise<void>;
  /** Ends the whole browser between two instructions, as a crash or a power cut would. The profile stays. */
  crash(): Promise<void>;
  profile: string;
}

export interface LaunchOptions {
  /** Folder of the build; dist-eval when left out. */
  extension?: string;
  /** A new one when left out. */
  profile?: string;
  /** Path of the Chromium; the one of all tests when left out. */
  chromium?: string;
  /** false: does not wait until the extension is up, for what happens before that or when it cannot come up. `options` is blank then. */
  untilReady?: boolean;
}

/** Launches Chromium with dist-eval (or another build) in a new profile, which close() removes. */
export async function launchBrowser(options: LaunchOptions = {}): Promise<TestBrowser> {
  const profile = options.profile ?? (await mkdtemp(join(tmpdir(), "moggy-e2e-")));
  const context = await launchWithExtension({
    executablePath: options.chromium ?? inject("chromium"),
    extension: options.extension ?? join(import.meta.dirname, "../../../dist-eval"),
    profile,
    headless: true,
  });
  const cdp = await browserSession(context);
  const optionsPage = await context.newPage();
  const { untilReady = true } = options;
  if (untilReady) await optionsPage.goto(extensionUrl("options.html"));

  const browser: TestBrowser = {
    context,
    options: optionsPage,
    profile,
    async eval<T>(type: string, params: Record<string, unknown> = {}) {
      const answer = (await optionsPage.evaluate((message) => chrome.runtime.sendMessage(message), {
        type,
        ...params,
      })) as { ok: true; data: T } | { ok: false; error: { name: string; message: string } } | undefined;
      if (!answer) throw new Error(`"${type}" got no answer: the worker died while it worked on it.`);
      if (answer.ok) return answer.data;
      throw Object.assign(new Error(answer.error.message), { name: answer.error.name });
    },
    async killWorker() {
      const worker = await findWorker(cdp);
      if (!worker) return false;
      await cdp.send("Target.closeTarget", { targetId: worker.targetId });
      return true;
    },
    workerAlive: async () => (await findWorker(cdp)) !== undefined,
    async newPage(url) {
      const page = await context.newPage();
      if (url) await page.goto(url);
      return page;
    },
    async close({ keepProfile = false } = {}) {
      await context.close();
      if (!keepProfile) await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
    crash: () => crashBrowser(context, cdp),
  };
  if (untilReady) await browser.eval("eval:ready");
  return browser;
}

async function browserSession(context: BrowserContext): Promise<CDPSession> {
  const browser = context.browser();
  if (browser) return browser.newBrowserCDPSession();
  // A persistent context has no browser object: a page's session reaches the same targets.
  const page = context.pages()[0] ?? (await context.newPage());
  return context.newCDPSession(page);
}

/** Resolves when the process is gone. */
async function crashBrowser(context: BrowserContext, cdp: CDPSession): Promise<void> {
  const gone = new Promise<void>((resolve) => context.on("close", () => resolve()));
  // The command has no answer: whoever would give it is gone.
  cdp.send("Browser.crash").catch(() => undefined);
  await gone;
}

async function findWorker(cdp: CDPSession) {
  const { targetInfos } = await cdp.send("Target.getTargets", { filter: [{}] });
  return targetInfos.find((t) => t.type === "service_worker" && t.url.startsWith(extensionUrl("")));
}

/** A userscript's text from its header lines and code. */
export function userscript(header: Record<string, string | string[]>, code: string): string {
  const lines = Object.entries({ name: "Test script", namespace: "test", version: "1.0", ...header }).flatMap(
    ([key, value]) => [value].flat().map((v) => `// @${key} ${v}`.trimEnd()),
  );
  return ["// ==UserScript==", ...lines, "// ==/UserScript==", code].join("\n");
}
