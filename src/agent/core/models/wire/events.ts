import type { Failure } from "../errors/model-failure";

/** One step of an answer's stream, between the bytes of a host and what the provider package reads. */
export type WireEvent =
  | {
      kind: "data";
      json: Record<string, unknown>;
      name?: string /** The text that `json` was read from. */;
      raw?: string;
    }
  /** The host said that the stream is over. */
  | { kind: "done" }
  /** The bytes ended; with a cause when the connection broke. */
  | { kind: "eof"; cause?: unknown }
  /** The answer cannot go on. Ends the stream. */
  | { kind: "fail"; failure: Failure };

/** Corrects one habit of some hosts. Called with every event in order; returns what takes its place. */
export type Quirk = (event: WireEvent) => WireEvent[];

/** Quirks keep state, so each response gets its own. */
export type MakeQuirk = () => Quirk;

/** Sends each event through the quirks, in their order. */
export function chain(makers: readonly MakeQuirk[]): Quirk {
  const quirks = makers.map((make) => make());
  return (event) => {
    let events: WireEvent[] = [event];
    for (const quirk of quirks)
      events = events.length === 1 && events[0] ? quirk(events[0]) : events.flatMap(quirk);
    return events;
  };
}

export function data(json: Record<string, unknown>, name?: string): WireEvent {
  return name === undefined ? { kind: "data", json } : { kind: "data", json, name };
}
