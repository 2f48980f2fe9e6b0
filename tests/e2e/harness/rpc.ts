import type { Page } from "playwright-core";

/**
 * Calls a method of the worker as one of the extension's own pages does, by the frames themselves.
 * @param page one of the extension's own pages
 * @param method such as "scripts.list"
 * @throws what the worker answers with, under its name
 */
export async function callWorker<T = unknown>(page: Page, method: string, input: unknown = {}): Promise<T> {
  const answer = await page.evaluate(
    ([m, a]) =>
      new Promise<unknown>((resolve, reject) => {
        const port = chrome.runtime.connect(undefined, { name: "page" });
        port.onMessage.addListener((frame: unknown) => {
          resolve(frame);
          port.disconnect();
        });
        port.onDisconnect.addListener(() => reject(new Error(`the worker closed the port of ${m}`)));
        port.postMessage({ t: "call", id: 1, m, a });
      }),
    [method, input] as const,
  );
  const { t, v, e } = answer as { t: "ok" | "fail"; v: T; e?: { name: string; message: string } };
  if (t === "ok") return v;
  throw Object.assign(new Error(e?.message), { name: e?.name });
}

/** The first item of a stream of the worker, as one of the extension's own pages gets it. */
export async function firstItem<T = unknown>(page: Page, method: string, input: unknown = {}): Promise<T> {
  const answer = await page.evaluate(
    ([m, a]) =>
      new Promise<unknown>((resolve, reject) => {
        const port = chrome.runtime.connect(undefined, { name: "page" });
        port.onMessage.addListener((frame: unknown) => {
          resolve(frame);
          port.disconnect();
        });
        port.onDisconnect.addListener(() => reject(new Error(`the worker closed the port of ${m}`)));
        port.postMessage({ t: "open", id: 1, m, a, w: 1 });
      }),
    [method, input] as const,
  );
  const { t, v, e } = answer as { t: "item" | "fail" | "end"; v: T; e?: { name: string; message: string } };
  if (t === "item") return v;
  throw Object.assign(new Error(e?.message ?? `${method} ended without an item`), {
    name: e?.name ?? "Error",
  });
}
