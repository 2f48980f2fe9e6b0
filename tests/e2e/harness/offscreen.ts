import { EXTENSION_ID, extensionUrl, type TestBrowser } from "./browser";

/** Ids of the offscreen documents that there are: none or one. A document that was made anew has another id. */
export function offscreenDocuments(browser: TestBrowser): Promise<string[]> {
  return browser.options.evaluate(async () =>
    (await chrome.runtime.getContexts({ contextTypes: ["OFFSCREEN_DOCUMENT" as never] })).map(
      ({ contextId }) => contextId,
    ),
  );
}

/** Closes the document as the browser would, whatever it does; without one, nothing. */
export async function closeOffscreen(browser: TestBrowser): Promise<void> {
  await browser.options.evaluate(async () => {
    const there = await chrome.runtime.getContexts({ contextTypes: ["OFFSCREEN_DOCUMENT" as never] });
    if (there.length > 0) await chrome.offscreen.closeDocument();
  });
}

/** Ends the document's target from outside. */
export async function crashOffscreen(browser: TestBrowser): Promise<void> {
  const cdp = await browser.context.newCDPSession(browser.options);
  const { targetInfos } = await cdp.send("Target.getTargets", { filter: [{}] });
  const target = targetInfos.find(({ url }) => url.startsWith(extensionUrl("offscreen.html")));
  if (target) await cdp.send("Target.closeTarget", { targetId: target.targetId });
  await cdp.detach();
}

/** Evaluates an expression in the document, without an answer. */
export async function evaluateOffscreen(browser: TestBrowser, expression: string): Promise<void> {
  const cdp = await browser.context.newCDPSession(browser.options);
  const { targetInfos } = await cdp.send("Target.getTargets", { filter: [{}] });
  const target = targetInfos.find(({ url }) => url.startsWith(extensionUrl("offscreen.html")));
  if (!target) throw new Error("There is no offscreen document.");
  const { sessionId } = await cdp.send("Target.attachToTarget", {
    targetId: target.targetId,
    flatten: false,
  });
  const message = JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression } });
  await cdp.send("Target.sendMessageToTarget", { sessionId, message });
  await cdp.detach();
}

/**
 * Calls a method of the offscreen document as the worker does, by the frames themselves: in the worker, over a port that the document is
 * asked for. Text given as `blob` arrives as a Blob, an SVG image.
 * @throws what the document answers with, under its name
 */
export async function callOffscreen<T = unknown>(
  browser: TestBrowser,
  method: string,
  input: Record<string, unknown>,
): Promise<T> {
  // Any call that needs it makes the document.
  await browser
    .eval("eval:tool", { name: "web_fetch", args: { url: "http://127.0.0.1:1/" } })
    .catch(() => undefined);
  const worker = browser.context
    .serviceWorkers()
    .find((candidate) => candidate.url().startsWith(`chrome-extension://${EXTENSION_ID}/`));
  if (!worker) throw new Error("There is no worker to call from.");
  const answer = await worker.evaluate(
    ([m, a]) =>
      new Promise<unknown>((resolve) => {
        chrome.runtime.onConnect.addListener(function once(port) {
          if (port.name !== "offscreen") return;
          chrome.runtime.onConnect.removeListener(once);
          port.onMessage.addListener((frame: { id?: number }) => {
            if (frame.id === 999_999) resolve(frame);
          });
          const { blob, ...rest } = a;
          const input =
            typeof blob === "string" ? { ...rest, blob: new Blob([blob], { type: "image/svg+xml" }) } : rest;
          port.postMessage({ t: "call", id: 999_999, m, a: input });
        });
        void chrome.runtime.sendMessage({ type: "moggy:offscreen-connect" });
      }),
    [method, input] as const,
  );
  const { t, v, e } = answer as { t: "ok" | "fail"; v: T; e?: { name: string; message: string } };
  if (t === "ok") return v;
  throw Object.assign(new Error(e?.message), { name: e?.name });
}
