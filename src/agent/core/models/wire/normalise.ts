import { isHtml, parseJson, streamFailure } from "../errors/model-failure";
import { isRecord, vendorErrorOf } from "../errors/vendor-error";
import type { Dialect } from "./dialect";
import { chain, data, type Quirk, type WireEvent } from "./events";
import { isKeepAlive } from "./keep-alive";
import { mergeTexts } from "./merge";
import { encodeSse, type SseEvent, SseReader } from "./sse";

/**
 * Turns the event stream of a host into one that the provider package understands. Deltas are passed on with the bytes that
 * brought them. A failure becomes the last frame, after everything that came before it; only an abort errors the stream.
 */
export function normaliseStream(
  body: ReadableStream<Uint8Array>,
  dialect: Dialect,
  signal?: AbortSignal | null,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const sse = new SseReader();
  const quirks = chain(dialect.quirks);
  let ended = false;

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Until something can be passed on: a pull that enqueues nothing is not repeated.
      while (!ended) {
        const events = await nextEvents(reader, sse, dialect, signal);
        const { texts, last } = render(events, quirks, dialect);
        if (texts.length > 0) controller.enqueue(encodeSse(texts));
        if (last) {
          ended = true;
          controller.close();
          // A host may keep the connection open after its last frame.
          await reader.cancel().catch(ignoreLateError);
        }
        if (texts.length > 0) return;
      }
    },
    async cancel(reason) {
      ended = true;
      await reader.cancel(reason);
    },
  });
}

/** What the next bytes, or their end, bring. Rejects only when the call was aborted. */
async function nextEvents(
  reader: ReturnType<ReadableStream<Uint8Array>["getReader"]>,
  sse: SseReader,
  dialect: Dialect,
  signal?: AbortSignal | null,
): Promise<WireEvent[]> {
  try {
    const { done, value } = await reader.read();
    if (!done) return overflow(sse, sse.read(value).flatMap(toWireEvent));
  } catch (cause) {
    if (signal?.aborted) throw cause;
    return [...sse.end().flatMap(toWireEvent), { kind: "eof", cause }];
  }
  const events = sse.end().flatMap(toWireEvent);
  if (events.length === 0 && sse.stray) return wholeBody(sse.stray, dialect);
  return [...events, { kind: "eof" }];
}

function overflow(sse: SseReader, events: WireEvent[]): WireEvent[] {
  if (!sse.tooLong) return events;
  const said = "a single event of more than 32 million characters";
  return [...events, { kind: "fail", failure: { failure: "not-an-api", said } }];
}

function toWireEvent({ event, data }: SseEvent): WireEvent[] {
  if (data.trim() === "[DONE]") return [{ kind: "done" }];
  if (isKeepAlive(event, data)) return [];
  const json = parseJson(data);
  if (isRecord(json)) {
    return [
      event === undefined
        ? { kind: "data", json, raw: data }
        : { kind: "data", json, name: event, raw: data },
    ];
  }
  return [notJson(data)];
}

/** Data that is no JSON object: an error in plain words, or a frame that was cut off. */
function notJson(text: string): WireEvent {
  const list = parseJson(text);
  const vendor = Array.isArray(list) ? vendorErrorOf(list) : null;
  if (vendor) return { kind: "fail", failure: streamFailure(vendor) };
  if (/^\s*[{[]/.test(text)) return { kind: "eof", cause: new Error("The last frame was cut off.") };
  return { kind: "fail", failure: { failure: "server", said: text } };
}

/** A body that is no event stream: a whole answer or an error in one piece of JSON, or something that is no API at all. */
export function wholeBody(text: string, dialect: Dialect): WireEvent[] {
  const json = parseJson(text.trim());
  const frames = isRecord(json) ? dialect.framesOfWhole(json) : null;
  if (frames) return [...frames.map((frame) => data(frame)), { kind: "done" }];
  const vendor = vendorErrorOf(json);
  if (vendor) return [{ kind: "fail", failure: streamFailure(vendor) }];
  const said = isHtml(text, null) ? undefined : text;
  return [{ kind: "fail", failure: { failure: "not-an-api", said } }];
}

/** The texts of the frames, and whether they are the last ones. */
function render(
  events: readonly WireEvent[],
  quirks: Quirk,
  dialect: Dialect,
): { texts: string[]; last: boolean } {
  const texts: string[] = [];
  for (const event of mergeTexts(events.flatMap(quirks), dialect.texts)) {
    if (event.kind === "data") {
      const { raw, json } = event;
      texts.push(raw !== undefined && !raw.includes("\n") ? raw : JSON.stringify(json));
      continue;
    }
    if (event.kind === "fail") texts.push(JSON.stringify(dialect.failureFrame(event.failure)));
    else if (dialect.end !== null) texts.push(dialect.end);
    return { texts, last: true };
  }
  return { texts, last: false };
}

function ignoreLateError(): void {
  // The answer is complete; how the connection ends after it changes nothing.
}
