import { abortError, NamedError } from "@/rpc/errors";
import { assign } from "../natives";
import type { GmFunction, ScriptSession } from "../types";
import { ResponseBody } from "./client-body";
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

/** One request, with the events of XMLHttpRequest in their order. */
class Exchange {
  readonly #session: ScriptSession;
  readonly #details: Details;
  readonly #cancel = new AbortController();
  #state = 1;
  #head: Head;
  #body: ResponseBody;
  #error: Error | undefined;
  #done = false;
  #resolve!: (response: XhrResponse) => void;
  #reject!: (error: Error) => void;
  readonly result = new Promise<XhrResponse>((resolve, reject) => {
    this.#resolve = resolve;
    this.#reject = reject;
  });

  constructor(session: ScriptSession, details: Details) {
    this.#session = session;
    this.#details = details;
    this.#head = { status: 0, statusText: "", headers: "", url: absoluteUrl(details.url), total: 0 };
    this.#body = new ResponseBody(details.responseType);
    // In a later turn, so that callbacks find what the call returned.
    queueMicrotask(() => void this.#run());
  }

  readonly abort = (): void => this.#fail("abort", abortError());

  async #run(): Promise<void> {
    if (this.#done) return;
    this.#enter(1);
    this.#fire("loadstart");
    const timeout = Number(this.#details.timeout);
    const timer =
      timeout > 0 &&
      setTimeout(
        () => this.#fail("timeout", new NamedError("TimeoutError", `No answer within ${timeout} ms.`)),
        // A timer's time is a signed 32-bit number; more would fire at once.
        Math.min(timeout, 2 ** 31 - 1),
      );
    try {
      await this.#receive();
      this.#succeed();
    } catch (error) {
      this.#fail("error", error as Error);
    }
    if (timer) clearTimeout(timer);
  }

  async #receive(): Promise<void> {
    const { responseType, overrideMimeType } = this.#details;
    const parts = this.#session.rpc
      .of<XmlhttpContract>("gm.xmlhttp")
      .stream("request", await toRequest(this.#details), { signal: this.#cancel.signal });
    let last = 0;
    for await (const part of parts) {
      if (part.type === "head") {
        this.#head = part;
        const mime = overrideMimeType ?? /^content-type: *(.*?)\r$/im.exec(part.headers)?.[1] ?? "";
        this.#body = new ResponseBody(responseType, `${mime}`);
        this.#enter(2);
      } else {
        await this.#body.push(part.part as Uint8Array<ArrayBuffer> | Blob);
        if (this.#done) return;
        const now = performance.now();
        if (now - last > PROGRESS_MS) {
          last = now;
          this.#enter(3);
          this.#fire("progress");
        }
      }
      if (this.#done) return;
    }
    await this.#body.finish();
  }

  #succeed(): void {
    if (this.#done) return;
    this.#fire("progress");
    this.#end("load");
    this.#resolve(this.#response());
  }

  #fail(kind: "error" | "timeout" | "abort", error: Error): void {
    if (this.#done) return;
    this.#error = error;
    this.#head = { status: 0, statusText: "", headers: "", url: this.#head.url, total: 0 };
    this.#body = new ResponseBody(this.#details.responseType);
    this.#cancel.abort();
    this.#end(kind);
    const response = this.#response();
    // The response's own fields too, since scripts written for other managers look for them on what was thrown.
    this.#reject(assign(error, response, { response }));
  }

  #end(kind: EventName): void {
    this.#done = true;
    this.#enter(4);
    this.#fire(kind);
    this.#fire("loadend");
  }

  #enter(state: number): void {
    this.#state = state;
    this.#fire("readystatechange");
  }

  #response(): XhrResponse {
    const body = this.#body;
    const { status, statusText, headers, url, total } = this.#head;
    return {
      readyState: this.#state,
      status,
      statusText,
      responseHeaders: headers,
      finalUrl: url,
      context: this.#details.context,
      loaded: body.loaded,
      total,
      lengthComputable: total > 0,
      error: this.#error?.message,
      // Made when asked for: a large text is not put together anew for every event.
      get response() {
        return body.value;
      },
      get responseText() {
        return body.text;
      },
    };
  }

  #fire(name: EventName): void {
    const callback = this.#details[`on${name}`];
    if (typeof callback !== "function") return;
    const response = this.#response();
    try {
      callback.call(response, response);
    } catch (error) {
      // A callback that throws must not keep the next event from coming.
      this.#session.reportError(error);
    }
  }
}

function start(session: ScriptSession, details: unknown): Exchange {
  checkDetails(details);
  const exchange = new Exchange(session, { ...details });
  // A script that listens is told; the promise that it did not take must not be an unhandled rejection as well.
  if (details.onerror || details.ontimeout || details.onabort) exchange.result.catch(() => undefined);
  return exchange;
}

export const xmlhttpRequest: GmFunction = {
  name: "xmlhttpRequest",
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
