import { abortError, NamedError } from "@/rpc/errors";
import { assign } from "../natives";
import type { GmFunction, ScriptSession } from "../types";
import { responseBody } from "./client-body";
import { absoluteUrl, checkDetails, type Details, toRequest } from "./client-request";
import type { HttpPart, XmlhttpContract } from "./contract";

type EventName =
  | "loadstart"
  | "progress"
  | "readystatechange"
  | "load"
  | "loadend"
  | "error"
  | "abort"
  | "timeout";

/** What callbacks get and the promise form resolves with; each event has its own. */
export interface XhrResponse {
  readyState: number;
  status: number;
  statusText: string;
  responseHeaders: string;
  finalUrl: string;
  response: unknown;
  responseText: string | undefined;
  context: unknown;
  loaded: number;
  total: number;
  lengthComputable: boolean;
  /** Why it failed. */
  error: string | undefined;
}

/** Time between two progress events, as XMLHttpRequest has it. */
const PROGRESS_MS = 50;

type Head = Omit<Extract<HttpPart, { type: "head" }>, "type">;

/** Nothing of an answer: what an error, a time-out and an abort show. */
const noHead = (url: string): Head => ({ status: 0, statusText: "", headers: "", url, total: 0 });

/**
 * Sends one request, with the events of XMLHttpRequest in their order.
 * @throws TypeError or NotSupportedError for details that cannot be sent
 */
function start(session: ScriptSession, given: unknown): { result: Promise<XhrResponse>; abort: () => void } {
  checkDetails(given);
  const details: Details = { ...given };
  const { responseType } = details;
  const cancel = new AbortController();
  let state = 1;
  let head = noHead(absoluteUrl(details.url));
  let body = responseBody(responseType);
  let failure: Error | undefined;
  let done = false;
  let clock: ReturnType<typeof setTimeout> | undefined;
  let resolve: (response: XhrResponse) => void;
  let reject: (error: Error) => void;
  const result = new Promise<XhrResponse>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  // In a later turn, so that callbacks find what the call returned.
  queueMicrotask(() => void run());
  // A script that listens is told; the promise that it did not take must not be an unhandled rejection as well.
  if (details.onerror || details.ontimeout || details.onabort) result.catch(() => undefined);
  return { result, abort: () => fail("abort", abortError()) };

  async function run(): Promise<void> {
    if (done) return;
    enter(1);
    fire("loadstart");
    startClock();
    try {
      await receive();
      succeed();
    } catch (error) {
      fail("error", error as Error);
    }
    clearTimeout(clock);
  }

  function startClock(): void {
    const timeout = Number(details.timeout);
    clearTimeout(clock);
    if (!(timeout > 0)) return;
    clock = setTimeout(
      () => fail("timeout", new NamedError("TimeoutError", `No answer within ${timeout} ms.`)),
      // A timer's time is a signed 32-bit number; more would fire at once.
      Math.min(timeout, 2 ** 31 - 1),
    );
  }

  async function receive(): Promise<void> {
    const request = await toRequest(details);
    const parts = session.rpc.of<XmlhttpContract>("gm.xmlhttp").stream("request", request, {
      signal: cancel.signal,
      // As long as nothing was sent, such as while a person is asked, it may be asked for again.
      resume: (seen) => (!seen || (seen.type === "asking" && !seen.sent) ? request : null),
    });
    let last = 0;
    for await (const part of parts) {
      if (part.type === "head") {
        head = part;
        const mime = details.overrideMimeType ?? /^content-type: *(.*?)\r$/im.exec(part.headers)?.[1] ?? "";
        body = responseBody(responseType, `${mime}`);
        enter(2);
      } else if (part.type === "asking") clearTimeout(clock);
      else if (part.type === "sent") startClock();
      else {
        await body.push(part.part as Uint8Array<ArrayBuffer> | Blob);
        if (done) return;
        const now = performance.now();
        if (now - last > PROGRESS_MS) {
          last = now;
          enter(3);
          fire("progress");
        }
      }
      if (done) return;
    }
    await body.finish();
  }

  function succeed(): void {
    if (done) return;
    fire("progress");
    end("load");
    resolve(response());
  }

  function fail(kind: "error" | "timeout" | "abort", error: Error): void {
    if (done) return;
    failure = error;
    head = noHead(head.url);
    body = responseBody(responseType);
    cancel.abort();
    end(kind);
    const answer = response();
    // The response's own fields too, since scripts written for other managers look for them on what was thrown.
    reject(assign(error, answer, { response: answer }));
  }

  function end(kind: EventName): void {
    done = true;
    enter(4);
    fire(kind);
    fire("loadend");
  }

  function enter(next: number): void {
    state = next;
    fire("readystatechange");
  }

  function response(): XhrResponse {
    const { status, statusText, headers, url, total } = head;
    const shown = body;
    return {
      readyState: state,
      status,
      statusText,
      responseHeaders: headers,
      finalUrl: url,
      context: details.context,
      loaded: shown.loaded,
      total,
      lengthComputable: total > 0,
      error: failure?.message,
      // Made when asked for: a large text is not put together anew for every event.
      get response() {
        return shown.value;
      },
      get responseText() {
        return shown.text;
      },
    };
  }

  function fire(name: EventName): void {
    const callback = details[`on${name}`];
    if (typeof callback !== "function") return;
    const answer = response();
    try {
      callback.call(answer, answer);
    } catch (error) {
      // A callback that throws must not keep the next event from coming.
      session.reportError(error);
    }
  }
}

export const xmlhttpRequest: GmFunction = {
  name: "xmlhttpRequest",
  modernName: "xmlHttpRequest",
  legacy: (session) => (details: unknown) => {
    const { result, abort } = start(session, details);
    // Whoever uses this form hears of failures by its callbacks only.
    result.catch(() => undefined);
    return { abort };
  },
  modern: (session) => (details: unknown) => {
    try {
      const { result, abort } = start(session, details);
      return assign(result, { abort });
    } catch (error) {
      return assign(Promise.reject(error), { abort: () => undefined });
    }
  },
};
