import type { Page } from "playwright-core";

/**
 * Calls a method of the worker as one of the extension's own pages does, by the frames themselves.
 * @param page one of the extension's own pages
 * @param method such as "scripts.list"
 * @param bytes stands for content of so many bytes, a Blob, in the input
 * @throws what the worker answers with, under its name
 */
export async function callWorker<T = unknown>(
  page: Page,
  method: string,
  input: unknown = {},
  bytes?: number,
): Promise<T> {
  return answered<T>(method, "ok", await answerTo(page, { t: "call", id: 1, m: method, a: input }, bytes));
}

/** The first item of a stream of the worker, as one of the extension's own pages gets it. */
export async function firstItem<T = unknown>(page: Page, method: string, input: unknown = {}): Promise<T> {
  return answered<T>(method, "item", await answerTo(page, { t: "open", id: 1, m: method, a: input, w: 1 }));
}

interface AnswerFrame {
  t: string;
  v?: unknown;
  e?: { name: string; message: string };
}

/** What the worker says first to a frame on a port of its own. */
function answerTo(page: Page, frame: Record<string, unknown>, bytes?: number): Promise<AnswerFrame> {
  return page.evaluate(
    ([sent, size]) =>
      new Promise<AnswerFrame>((resolve, reject) => {
        if (size !== undefined) {
          sent.a = { ...(sent.a as object), content: new Blob([new Uint8Array(size).fill(1)]) };
        }
        const port = chrome.runtime.connect(undefined, { name: "page" });
        port.onMessage.addListener((answer: unknown) => {
          resolve(answer as AnswerFrame);
          port.disconnect();
        });
        port.onDisconnect.addListener(() => reject(new Error(`the worker closed the port of ${sent.m}`)));
        port.postMessage(sent);
      }),
    [frame, bytes] as const,
  );
}

function answered<T>(method: string, wanted: "ok" | "item", { t, v, e }: AnswerFrame): T {
  if (t === wanted) return v as T;
  throw Object.assign(new Error(e?.message ?? `${method} was answered with "${t}"`), {
    name: e?.name ?? "Error",
  });
}
