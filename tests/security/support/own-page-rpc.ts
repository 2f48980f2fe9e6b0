import type { Page } from "playwright-core";

export interface Answer {
  t: "ok" | "fail";
  v?: unknown;
  e?: { name: string; message: string };
}

/** Calls a method of the worker as one of our own pages does: the frames themselves, over a port of their own. */
export function callAsPage(page: Page, method: string, input: unknown = {}): Promise<Answer> {
  return page.evaluate(
    ([m, a]) =>
      new Promise<Answer>((resolve, reject) => {
        const port = chrome.runtime.connect(undefined, { name: "page" });
        port.onMessage.addListener((answer: Answer) => {
          resolve(answer);
          port.disconnect();
        });
        port.onDisconnect.addListener(() => reject(new Error("the worker closed the port")));
        port.postMessage({ t: "call", id: 1, m, a });
      }),
    [method, input] as const,
  );
}
