import { REPEATABLE } from "@/rpc/client";
import { eventsOf } from "../events/client";
import { need, perSession } from "../forms";
import { create, each, eachOf, fifo, keysOf, later, put, SafeMap, safePromise } from "../natives";
import { valueCache } from "./client-cache";
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

/** A script's values in one document, behind all the functions that deal with them: one object for all of them. */
export const valuesOf = perSession((session) => {
  const rpc = session.rpc.of<ValuesContract>("gm.values");
  const cache = valueCache(session.snapshot, session.revision);
  const listeners = new SafeMap<number, { key: string; listener: ValueListener }>();
  const queue = fifo<Queued>();
  const onSent = fifo<() => void>();
  let lastListener = 0;
  let inFlight = 0;
  let scheduled = false;

  return {
    /** What this document knows, for answers at once. */
    now(): Lookup {
      follow();
      return cache;
    },

    /** What is stored, own writes included. */
    async stored(keys: string[] | null): Promise<Lookup> {
      await sent();
      const { entries } = await rpc.call("read", { keys }, REPEATABLE);
      const found: Record<string, string> = create(null);
      each(entries, ({ 0: key, 1: text }) => {
        found[key] = text;
      });
      return { text: (key) => found[key] ?? null, keys: () => keysOf(found) };
    },

    async storedKeys(): Promise<string[]> {
      await sent();
      return rpc.call("list", {}, REPEATABLE);
    },

    /**
     * Writes values in the order of `keys`; the promise settles when they are stored, or failed, which is in the script's error
     * log too.
     * @throws TypeError, before anything is written, when one of them cannot be kept
     */
    set: (keys: readonly string[], valueAt: (key: string) => unknown): Promise<void> =>
      write(eachOf(keys, (key) => [key, encode(valueAt(key), `the value "${key}"`)])),

    delete: (keys: readonly string[]): Promise<void> => write(eachOf(keys, (key) => [key, null])),

    listen(key: string, listener: ValueListener): number {
      need(typeof listener === "function", "A value listener must be a function.");
      listeners.set(++lastListener, { key, listener });
      follow();
      return lastListener;
    },

    unlisten(id: number): void {
      listeners.delete(id);
    },
  };

  function write(writes: readonly ValueWrite[]): Promise<void> {
    // A listener must hear of this write too, so the stream has to be open before it.
    if (listeners.size > 0) follow();
    if (!scheduled) {
      scheduled = true;
      later(() => {
        scheduled = false;
        flush();
      });
    }
    let waiting = writes.length;
    const done = safePromise<void>((resolve, reject) => {
      if (waiting === 0) resolve();
      each(writes, (one) => {
        cache.write(one);
        queue.push({
          write: one,
          settled(error) {
            if (error) reject(error);
            else if (--waiting === 0) resolve();
          },
        });
      });
    });
    // Not every form of the functions hands the promise out; a failure is logged by send() in any case.
    done.catch(() => undefined);
    return done;
  }

  function flush(): void {
    while (!queue.isEmpty() && inFlight < MAX_IN_FLIGHT) {
      const writes: ValueWrite[] = [];
      const batch: Queued[] = [];
      let size = 0;
      while (size < MAX_BATCH_TEXT && writes.length < MAX_BATCH_WRITES) {
        const next = queue.shift();
        if (!next) break;
        put(writes, writes.length, next.write);
        put(batch, batch.length, next);
        size += next.write[0].length + (next.write[1] ?? "").length;
      }
      void send(writes, batch);
    }
    for (let resolve = onSent.shift(); resolve; resolve = onSent.shift()) resolve();
  }

  async function send(writes: ValueWrite[], batch: readonly Queued[]): Promise<void> {
    inFlight += 1;
    let failure: unknown;
    let stored = -1;
    try {
      // Setting what is set already changes nothing, so a batch whose answer was lost with the worker may go again.
      stored = (await rpc.call("write", { writes }, REPEATABLE)).revision;
    } catch (error) {
      failure = error;
      session.reportError(error);
    }
    cache.settle(writes, stored);
    each(batch, ({ settled }) => settled(failure));
    inFlight -= 1;
    flush();
  }

  /** Resolves when all writes so far are sent: what is asked after it over the same channel shows them. */
  async function sent(): Promise<void> {
    flush();
    while (!queue.isEmpty()) await safePromise<void>((resolve) => onSent.push(resolve));
  }

  function follow(): void {
    const events = eventsOf(session);
    if (events.values) {
      events.need();
      return;
    }
    events.values = {
      get revision() {
        return cache.revision;
      },
      take(event) {
        const remote = event.type === "resync" || !event.own;
        cache.apply(event, (change) => tell(change, remote));
      },
    };
    events.reopen();
  }

  function tell({ 0: key, 1: before, 2: after }: ValueChange, remote: boolean): void {
    listeners.forEach((entry) => {
      if (entry.key !== key) return;
      try {
        entry.listener(key, revive(before), revive(after), remote);
      } catch (error) {
        // One listener that throws must not keep the others from hearing.
        session.reportError(error);
      }
    });
  }
});

export function revive(text: string | null, fallback?: unknown): unknown {
  return text === null ? fallback : decode(text);
}
