import { eventsOf } from "../events/client";
import { need, perSession } from "../forms";
import { create, Fifo, keysOf, later, put, SafeMap, safePromise } from "../natives";
import type { ScriptSession } from "../types";
import { each, ValueCache } from "./client-cache";
import { decode, encode } from "./codec";
import type { ValueChange, ValuesContract, ValueWrite } from "./contract";

/** Called with name, old and new value, and whether another document made the change. Absent values are undefined. */
export type ValueListener = (name: string, before: unknown, after: unknown, remote: boolean) => unknown;

/** How the values of keys are found, in either form of the functions. */
export interface Lookup {
  text(key: string): string | null;
  keys(): string[];
}

interface Queued {
  write: ValueWrite;
  /** Undefined: stored. */
  settled(error?: unknown): void;
}

/** Calls under way; beyond, writes gather, so that a script which writes all the time makes larger batches, not more calls. */
const MAX_IN_FLIGHT = 16;
/** Characters and writes in one batch, far below what one message between contexts may carry. */
const MAX_BATCH_TEXT = 8 * 1024 * 1024;
const MAX_BATCH_WRITES = 10_000;

/** A script's values in one document, behind all the functions that deal with them. */
export class ScriptValues {
  readonly #session: ScriptSession;
  readonly #cache: ValueCache;
  readonly #listeners = new SafeMap<number, { key: string; listener: ValueListener }>();
  readonly #queue = new Fifo<Queued>();
  readonly #onSent = new Fifo<() => void>();
  #lastListener = 0;
  #inFlight = 0;
  #scheduled = false;

  constructor(session: ScriptSession) {
    this.#session = session;
    this.#cache = new ValueCache(session.snapshot, session.revision);
  }

  /** What this document knows, for answers at once. */
  now(): Lookup {
    this.#follow();
    return this.#cache;
  }

  /** What is stored, own writes included. */
  async stored(keys: string[] | null): Promise<Lookup> {
    await this.#sent();
    const { entries } = await this.#rpc().call("read", { keys }, { repeatable: true });
    const found: Record<string, string> = create(null);
    each(entries, ({ 0: key, 1: text }) => {
      found[key] = text;
    });
    return { text: (key) => found[key] ?? null, keys: () => keysOf(found) };
  }

  async storedKeys(): Promise<string[]> {
    await this.#sent();
    return this.#rpc().call("list", {}, { repeatable: true });
  }

  /**
   * Writes values in the order of `keys`; the promise settles when they are stored, or failed, which is in the script's error
   * log too.
   * @throws TypeError, before anything is written, when one of them cannot be kept
   */
  set(keys: readonly string[], valueAt: (key: string) => unknown): Promise<void> {
    const writes: ValueWrite[] = [];
    each(keys, (key) => put(writes, writes.length, [key, encode(valueAt(key), `the value "${key}"`)]));
    return this.#write(writes);
  }

  delete(keys: readonly string[]): Promise<void> {
    const writes: ValueWrite[] = [];
    each(keys, (key) => put(writes, writes.length, [key, null]));
    return this.#write(writes);
  }

  listen(key: string, listener: ValueListener): number {
    need(typeof listener === "function", "A value listener must be a function.");
    this.#listeners.set(++this.#lastListener, { key, listener });
    this.#follow();
    return this.#lastListener;
  }

  unlisten(id: number): void {
    this.#listeners.delete(id);
  }

  #rpc() {
    return this.#session.rpc.of<ValuesContract>("gm.values");
  }

  #write(writes: readonly ValueWrite[]): Promise<void> {
    // A listener must hear of this write too, so the stream has to be open before it.
    if (this.#listeners.size > 0) this.#follow();
    if (!this.#scheduled) {
      this.#scheduled = true;
      later(() => {
        this.#scheduled = false;
        this.#flush();
      });
    }
    let waiting = writes.length;
    const done = safePromise<void>((resolve, reject) => {
      if (waiting === 0) resolve();
      each(writes, (write) => {
        this.#cache.write(write);
        this.#queue.push({
          write,
          settled: (error) => {
            if (error) reject(error);
            else if (--waiting === 0) resolve();
          },
        });
      });
    });
    // Not every form of the functions hands the promise out; a failure is logged by #send in any case.
    done.catch(() => undefined);
    return done;
  }

  #flush(): void {
    while (!this.#queue.isEmpty && this.#inFlight < MAX_IN_FLIGHT) {
      const writes: ValueWrite[] = [];
      const batch: Queued[] = [];
      let size = 0;
      while (size < MAX_BATCH_TEXT && writes.length < MAX_BATCH_WRITES) {
        const next = this.#queue.shift();
        if (!next) break;
        put(writes, writes.length, next.write);
        put(batch, batch.length, next);
        size += next.write[0].length + (next.write[1] ?? "").length;
      }
      void this.#send(writes, batch);
    }
    for (let resolve = this.#onSent.shift(); resolve; resolve = this.#onSent.shift()) resolve();
  }

  async #send(writes: ValueWrite[], batch: readonly Queued[]): Promise<void> {
    this.#inFlight += 1;
    let failure: unknown;
    try {
      // Setting what is set already changes nothing, so a batch whose answer was lost with the worker may go again.
      const { revision } = await this.#rpc().call("write", { writes }, { repeatable: true });
      this.#cache.settle(writes, revision);
    } catch (error) {
      failure = error;
      this.#cache.settle(writes, -1);
      this.#session.reportError(error);
    }
    each(batch, ({ settled }) => settled(failure));
    this.#inFlight -= 1;
    this.#flush();
  }

  /** Resolves when all writes so far are sent: what is asked after it over the same channel shows them. */
  async #sent(): Promise<void> {
    this.#flush();
    while (!this.#queue.isEmpty) await safePromise<void>((resolve) => this.#onSent.push(resolve));
  }

  #follow(): void {
    const events = eventsOf(this.#session);
    if (events.values) {
      events.need();
      return;
    }
    const cache = this.#cache;
    events.values = {
      get revision() {
        return cache.revision;
      },
      take: (event) => {
        const remote = event.type === "resync" || !event.own;
        cache.apply(event, (change) => this.#tell(change, remote));
      },
    };
    events.reopen();
  }

  #tell({ 0: key, 1: before, 2: after }: ValueChange, remote: boolean): void {
    this.#listeners.forEach((entry) => {
      if (entry.key !== key) return;
      try {
        entry.listener(key, revive(before), revive(after), remote);
      } catch (error) {
        // One listener that throws must not keep the others from hearing.
        this.#session.reportError(error);
      }
    });
  }
}

export function revive(text: string | null, fallback?: unknown): unknown {
  return text === null ? fallback : decode(text);
}

/** The values of a session, one object for all functions. */
export const valuesOf = perSession((session) => new ScriptValues(session));
