import type { IncomingMessage, ServerResponse } from "node:http";
import { flatHeaders, now, requestUrl } from "../http/exchange";
import type { Counters, Protocol, RecordedRequest } from "./types";

/** What the server remembers of its requests. */
export class Ledger {
  requests: RecordedRequest[] = [];
  counters: Counters = noCounts();
  readonly #keep: number | undefined;
  #attempts = new Map<string, number>();
  #next = 0;

  /** @param keep how many requests are remembered; all when undefined */
  constructor(keep: number | undefined) {
    this.#keep = keep;
  }

  reset(): void {
    this.requests = [];
    this.counters = noCounts();
    this.#attempts = new Map();
    this.#next = 0;
  }

  /** Notes a request that has come in whole, and its end when the response closes. */
  open(req: IncomingMessage, res: ServerResponse, protocol: Protocol, text: string): RecordedRequest {
    const headers = flatHeaders(req.headers);
    const record: RecordedRequest = {
      index: this.#next++,
      protocol,
      method: req.method ?? "GET",
      path: requestUrl(req).pathname,
      headers,
      body: parsed(text),
      outcome: "pending",
      aborted: false,
      deltasSent: 0,
      receivedAt: now(),
    };
    if (headers.origin !== undefined) record.origin = headers.origin;
    if (headers.referer !== undefined) record.referer = headers.referer;
    this.requests.push(record);
    if (this.#keep !== undefined && this.requests.length > this.#keep) this.requests.shift();
    const { counters } = this;
    counters.requests += 1;
    counters.inFlight += 1;
    counters.maxInFlight = Math.max(counters.maxInFlight, counters.inFlight);
    // Bound to these counters: a request that outlives a reset must not count in the next test.
    res.on("close", () => settle(record, res, counters));
    return record;
  }

  /** How often this conversation was asked for before this request. */
  attempt(key: string): number {
    const before = this.#attempts.get(key) ?? 0;
    this.#attempts.set(key, before + 1);
    return before;
  }
}

function settle(record: RecordedRequest, res: ServerResponse, counters: Counters): void {
  record.endedAt = now();
  record.aborted = !res.writableFinished && record.dropped !== true;
  // The last bytes were written, and the client left before it took them.
  if (record.aborted && record.outcome === "complete") record.outcome = "pending";
  if (record.outcome === "pending") record.outcome = record.aborted ? "aborted" : "complete";
  counters.inFlight -= 1;
  counters.deltasSent += record.deltasSent;
  if (record.aborted) counters.aborted += 1;
  if (record.outcome === "complete") counters.complete += 1;
  if (record.outcome === "fault") counters.faults += 1;
  if (record.outcome === "rejected") counters.rejected += 1;
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A body that is no JSON is a finding of the test: it is kept as it came, and the route's check refuses it.
    return text;
  }
}

function noCounts(): Counters {
  return {
    requests: 0,
    chats: 0,
    streamed: 0,
    complete: 0,
    aborted: 0,
    faults: 0,
    rejected: 0,
    unscripted: 0,
    deltasSent: 0,
    inFlight: 0,
    maxInFlight: 0,
  };
}
