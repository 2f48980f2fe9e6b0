import type { ScriptEvent } from "./contract";

/** Value events that may wait for one slow or frozen document; beyond, it is told the difference when it reads again. */
const MAX_WAITING = 256;
/** Characters of encoded values in one message. */
const MAX_MESSAGE_TEXT = 8 * 1024 * 1024;

type ValuesEvent = Extract<ScriptEvent, { type: "values" }>;

/** What waits to go to one document over its stream. */
export class Outbox {
  #events: ScriptEvent[] = [];
  #values = 0;
  #wake: () => void = () => undefined;
  #ended = false;
  #lagging = false;

  get ended(): boolean {
    return this.#ended;
  }

  push(event: ScriptEvent): void {
    if (event.type === "values") {
      if (this.#lagging) return;
      this.#values += 1;
      if (this.#values > MAX_WAITING) {
        this.#lagging = true;
        this.#values = 0;
        this.#events = this.#events.filter(({ type }) => type !== "values");
        this.#wake();
        return;
      }
    }
    this.#events.push(event);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** True once after events were dropped: the reader has to compare with the store. */
  takeLag(): boolean {
    const lagging = this.#lagging;
    this.#lagging = false;
    return lagging;
  }

  take(): ScriptEvent | undefined {
    const event = this.#events.shift();
    if (event?.type === "values") this.#values -= 1;
    return event;
  }

  /** Resolves when there is something to take, or nothing will ever be. */
  async ready(): Promise<void> {
    if (this.#events.length > 0 || this.#lagging || this.#ended) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** One write as events that each fit in a message. */
export function splitValues(event: ValuesEvent): ValuesEvent[] {
  const parts = inParts(event.changes, ([key, before, after]) => key.length + length(before) + length(after));
  return parts.map((changes, i) => ({ ...event, changes, ...(i < parts.length - 1 ? { more: true } : {}) }));
}

/** A difference as events that each fit in a message; the last one carries the keys. */
export function splitResync(
  entries: Array<[key: string, text: string, revision: number]>,
  keys: string[],
  revision: number,
): ScriptEvent[] {
  const parts = inParts(entries, ([key, text]) => key.length + text.length);
  return parts.map((part, i) => ({
    type: "resync",
    entries: part,
    keys: i === parts.length - 1 ? keys : null,
    revision,
  }));
}

function length(text: string | null): number {
  return text?.length ?? 0;
}

/** At least one part, also of nothing. */
function inParts<T>(items: readonly T[], sizeOf: (item: T) => number): T[][] {
  const parts: T[][] = [];
  let part: T[] = [];
  let size = 0;
  for (const item of items) {
    const more = sizeOf(item);
    if (part.length > 0 && size + more > MAX_MESSAGE_TEXT) {
      parts.push(part);
      part = [];
      size = 0;
    }
    part.push(item);
    size += more;
  }
  parts.push(part);
  return parts;
}
