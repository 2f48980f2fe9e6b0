import { createParser } from "eventsource-parser";

export interface SseEvent {
  event?: string;
  data: string;
}

/** An event larger than this is no delta of an answer; reading on would only fill memory. */
const MAX_EVENT_CHARS = 32 * 1024 * 1024;

/** How much of a body that is no event stream is kept: it may be a whole answer in one piece of JSON. */
const MAX_STRAY_CHARS = 8 * 1024 * 1024;

/**
 * Reads an event stream from bytes (WHATWG HTML, "Server-sent events"): comments are dropped, and bytes may be cut
 * anywhere, inside a line end or a UTF-8 sequence too. An event that the end of the stream cuts off before its blank line
 * is taken as whole, since many hosts close right after the last line.
 */
export class SseReader {
  readonly #decoder = new TextDecoder();
  readonly #parser;
  #events: SseEvent[] = [];
  #stray = "";
  #seen = false;
  #tooLong = false;

  constructor() {
    this.#parser = createParser({
      maxBufferSize: MAX_EVENT_CHARS,
      onEvent: ({ event, data }) => {
        this.#seen = true;
        this.#events.push(event === undefined ? { data } : { event, data });
      },
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") this.#tooLong = true;
        else if (error.line && this.#stray.length < MAX_STRAY_CHARS) this.#stray += `${error.line}\n`;
      },
    });
  }

  /** Takes the next bytes and returns the events that they complete. */
  read(bytes: Uint8Array): SseEvent[] {
    return this.#feed(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The events that the end of the bytes completes. */
  end(): SseEvent[] {
    return this.#feed(`${this.#decoder.decode()}\n\n`);
  }

  /** Lines that belong to no event: when there were no events, they tell what the body was. Empty once an event was seen. */
  get stray(): string {
    return this.#seen ? "" : this.#stray;
  }

  get tooLong(): boolean {
    return this.#tooLong;
  }

  #feed(text: string): SseEvent[] {
    if (this.#tooLong) return [];
    this.#parser.feed(text);
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/** The bytes of one event, or of several in a row. */
export function encodeSse(texts: readonly string[]): Uint8Array {
  return encoder.encode(texts.map((text) => `data: ${text}\n\n`).join(""));
}

const encoder = new TextEncoder();
