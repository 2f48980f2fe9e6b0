import type { TestBrowser } from "./browser";

export interface RunAnswer<T> {
  result: T;
  console: string[];
}

/** Runs code once in the sandbox, as an agent's `execute_script` does. */
export function runCode<T = unknown>(
  browser: TestBrowser,
  code: string,
  args: Record<string, unknown> = {},
  callId?: string,
): Promise<RunAnswer<T>> {
  return browser.eval<RunAnswer<T>>("eval:tool", { name: "execute_script", args: { code, ...args }, callId });
}

/** Sandboxed frames that are open now. */
export async function sandboxFrames(browser: TestBrowser): Promise<number> {
  const cdp = await browser.context.newCDPSession(browser.options);
  const { targetInfos } = await cdp.send("Target.getTargets", { filter: [{}] });
  await cdp.detach();
  return targetInfos.filter(({ type, url }) => type === "iframe" && url.endsWith("/sandbox.html")).length;
}

/** Ends the process of the sandboxed frames, as the browser does when memory runs out. */
export async function crashSandbox(browser: TestBrowser): Promise<void> {
  const cdp = await browser.context.newCDPSession(browser.options);
  const { targetInfos } = await cdp.send("Target.getTargets", { filter: [{}] });
  const frame = targetInfos.find(({ type, url }) => type === "iframe" && url.endsWith("/sandbox.html"));
  if (!frame) throw new Error("No sandboxed frame is open.");
  const { sessionId } = await cdp.send("Target.attachToTarget", { targetId: frame.targetId });
  const message = JSON.stringify({ id: 1, method: "Page.crash" });
  await cdp.send("Target.sendMessageToTarget", { sessionId, message });
  await cdp.detach();
}

/** How long something took, in ms. */
export async function ms(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return Math.round(performance.now() - started);
}
