import { eventsOf } from "../events/client";
import { need, perSession } from "../forms";
import { NativeMap } from "../natives";
import type { ScriptSession } from "../types";
import { ValueCache } from "./client-cache";
import { decode, encode } from "./codec";
import type { ValuesContract, ValueWrite } from "./contract";

/** Called with name, old and new value, and whether another document made the change. Absent values are undefined. */
export type ValueListener = (name: string, before: unknown, after: unknown, remote: boolean) => unknown;

/** How the values of keys are found, in either form of the functions. */
export interface Lookup {
  text(key: string): string | null;
  keys(): string[];
}

interface Queued {
  write: ValueWrite;
  stored(): void;
  failed(error: unknown): void;
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
  readonly #listeners = new NativeMap<number, [key: string, listener: ValueListener]>();
  #lastListener = 0;
  #following = false;
  #queue: Queued[] = [];
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
    const found = new NativeMap(entries);
    return { text: (key) => found.get(key) ?? null, keys: () => [...found.keys()] };
  }

  async storedKeys(): Promise<string[]> {
    await this.#sent();
    return this.#rpc().call("list", {}, { repeatable: true });
  }

  /**
   * Writes values in order; the promise settles when they are stored, or failed, which is in the script's error log too.
   * @throws TypeError, before anything is written, when one of them cannot be kept
   */
  set(entries: ReadonlyArray<readonly [key: string, value: unknown]>): Promise<unknown> {
    return this.#write(entries.map(([key, value]) => [key, encode(value, `the value "${key}"`)]));
  }

  delete(keys: readonly string[]): Promise<unknown> {
    return this.#write(keys.map((key) => [key, null]));
  }

  listen(key: string, listener: ValueListener): number {
    need(typeof listener === "function", "A value listener must be a function.");
    this.#listeners.set(++this.#lastListener, [key, listener]);
    this.#follow();
    return this.#lastListener;
  }

  unlisten(id: number): void {
    this.#listeners.delete(id);
  }

  #rpc() {
    return this.#session.rpc.of<ValuesContract>("gm.values");
  }

  #write(writes: ValueWrite[]): Promise<unknown> {
    // A listener must hear of this write too, so the stream has to be open before it.
    if (this.#listeners.size > 0) this.#follow();
    const done = Promise.all(
      writes.map((write) => {
        this.#cache.write(write);
        return new Promise<void>((stored, failed) => this.#queue.push({ write, stored, failed }));
      }),
    );
    // Not every form of the functions hands the promise out; a failure is logged by #send in any case.
    done.catch(() => undefined);
    if (!this.#scheduled) {
      this.#scheduled = true;
      queueMicrotask(() => {
        this.#scheduled = false;
        this.#flush();
      });
    }
    return done;
  }

  #flush(): void {
    while (this.#queue.length > 0 && this.#inFlight < MAX_IN_FLIGHT) {
      let size = 0;
      let count = 0;
      for (const { write } of this.#queue) {
        size += write[0].length + (write[1] ?? "").length;
        if (count > 0 && (size > MAX_BATCH_TEXT || count === MAX_BATCH_WRITES)) break;
        count += 1;
      }
      void this.#send(this.#queue.splice(0, count));
    }
  }

  async #send(batch: Queued[]): Promise<void> {
    const writes = batch.map(({ write }) => write);
    this.#inFlight += 1;
    try {
      // Setting what is set already changes nothing, so a batch whose answer was lost with the worker may go again.
      const { revision } = await this.#rpc().call("write", { writes }, { repeatable: true });
      this.#cache.settle(writes, revision);
      for (const { stored } of batch) stored();
    } catch (error) {
      this.#cache.settle(writes, -1);
      this.#session.reportError(error);
      for (const { failed } of batch) failed(error);
    }
    this.#inFlight -= 1;
    this.#flush();
  }

  /** Resolves when all writes so far are sent: what is asked after it over the same channel shows them. */
  async #sent(): Promise<void> {
    this.#flush();
    const last = this.#queue.at(-1);
    if (!last) return;
    const { stored, failed } = last;
    await new Promise<void>((resolve) => {
      last.stored = () => resolve(stored());
      last.failed = (error) => resolve(failed(error));
    });
  }

  #follow(): void {
    const events = eventsOf(this.#session);
    if (this.#following) {
      events.need();
      return;
    }
    this.#following = true;
    events.on((event) => {
      if (event.type === "menu") return;
      const remote = event.type === "resync" || !event.own;
      for (const [key, before, after] of this.#cache.apply(event)) {
        for (const [wanted, listener] of [...this.#listeners.values()]) {
          if (wanted === key) this.#tell(() => listener(key, revive(before), revive(after), remote));
        }
      }
    });
    events.followValues(() => this.#cache.revision);
  }

  #tell(call: () => unknown): void {
    try {
      call();
    } catch (error) {
      // One listener that throws must not keep the others from hearing.
      this.#session.reportError(error);
    }
  }
}

export function revive(text: string | null, fallback?: unknown): unknown {
  return text === null ? fallback : decode(text);
}

/** The values of a session, one object for all functions. */
export const valuesOf = perSession((session) => new ScriptValues(session));
