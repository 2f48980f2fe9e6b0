import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { extensionUrl, launchWithExtension } from "../../scripts/lib/extension";

export const EVAL_BUILD = join(import.meta.dirname, "../../dist-eval");

/** Path of the Chromium that scripts/bench.ts found. */
export function chromiumPath(): string {
  const path = process.env.MOGGY_CHROMIUM;
  if (!path) throw new Error("Run this through: npm run bench -- NAME");
  return path;
}

export interface BenchBrowser {
  context: BrowserContext;
  profile: string;
  options: Page;
  eval<T = unknown>(type: string, params?: Record<string, unknown>): Promise<T>;
  killWorker(): Promise<void>;
  close(options?: { keepProfile?: boolean }): Promise<void>;
}

/** A browser with the eval build; or with another folder's extension, which then cannot be spoken to. */
export async function launchMoggy(profile?: string, extension = EVAL_BUILD): Promise<BenchBrowser> {
  const folder = profile ?? (await mkdtemp(join(tmpdir(), "moggy-bench-")));
  const context = await launchWithExtension({
    executablePath: chromiumPath(),
    extension,
    profile: folder,
    headless: true,
  });
  const options = await context.newPage();
  await options.goto(extensionUrl("options.html"));
  // On a page of its own: the session must live through a reload of the extension, which closes the extension's pages.
  const cdp = await context.newCDPSession(context.pages()[0] ?? (await context.newPage()));
  const browser: BenchBrowser = {
    context,
    profile: folder,
    options,
    async eval<T>(type: string, params: Record<string, unknown> = {}) {
      const answer = (await browser.options.evaluate((message) => chrome.runtime.sendMessage(message), {
        type,
        ...params,
      })) as { ok: true; data: T } | { ok: false; error: { name: string; message: string } };
      if (!answer.ok) throw new Error(`${type}: ${answer.error.name}: ${answer.error.message}`);
      return answer.data;
    },
    async killWorker() {
      const { targetInfos } = await cdp.send("Target.getTargets", { filter: [{}] });
      const worker = targetInfos.find(
        (t) => t.type === "service_worker" && t.url.startsWith(extensionUrl("")),
      );
      if (worker) await cdp.send("Target.closeTarget", { targetId: worker.targetId });
    },
    async close({ keepProfile = false } = {}) {
      await context.close();
      if (!keepProfile) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return browser;
}

/** A browser without any extension, with the same switches. */
export async function launchBare(): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const profile = await mkdtemp(join(tmpdir(), "moggy-bench-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath(),
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    viewport: { width: 1280, height: 800 },
    ignoreDefaultArgs: ["--enable-automation"],
    args: [
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
