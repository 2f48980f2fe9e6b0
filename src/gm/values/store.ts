import Dexie from "dexie";
import type { MoggyDatabase, ValueRow } from "@/platform/db";
import { SerialQueue } from "@/platform/serial-queue";
import { NamedError } from "@/rpc/errors";
import type { ValueChange, ValueWrite } from "./contract";

/** A write that was stored: what it changed (nothing, when all was so before) and the store's revision after it. */
export interface Committed<Origin> {
  store: string;
  changes: ValueChange[];
  revision: number;
  /** Who wrote; undefined for the product itself. */
  origin: Origin | undefined;
}

/**
 * Scripts' values in the database. A store (a script's uuid) is a set of keys with encoded values and a revision, which only ever
 * grows, also when the store is cleared: it is at least the clock, so a page that knew an older state finds out.
 * Operations on one store happen one after the other, in the order in which they were asked for.
 */
export class ValueStore<Origin> {
  readonly #queues = new Map<string, SerialQueue>();

  constructor(
    private readonly db: MoggyDatabase,
    private readonly now: () => number,
    /** Called for each write that changed something, in commit order. */
    private readonly onCommit: (committed: Committed<Origin>) => void,
  ) {}

  /** All values of a store. */
  readAll(store: string): Promise<{ entries: Record<string, string>; revision: number }> {
    return this.#inTurn(store, async () => {
      const { rows, revision } = await this.#load(store);
      // From pairs, so that a key such as "__proto__" is a key like any other.
      return { entries: Object.fromEntries(rows.map(({ key, value }) => [key, value])), revision };
    });
  }

  /** The values of these keys, absent ones left out. */
  read(
    store: string,
    keys: readonly string[],
  ): Promise<{ entries: Array<[key: string, text: string]>; revision: number }> {
    return this.#inTurn(store, () =>
      this.db.transaction("r", this.db.values, this.db.valueStores, async () => {
        const rows = await this.db.values.bulkGet(keys.map((key) => [store, key] as [string, string]));
        const revision = await this.#revision(store);
        return {
          entries: rows.flatMap((row) => (row ? [[row.key, row.value] as [string, string]] : [])),
          revision,
        };
      }),
    );
  }

  /** What was written after `revision`, and all keys there are now. */
  since(
    store: string,
    revision: number,
  ): Promise<{
    entries: Array<[key: string, text: string, revision: number]>;
    keys: string[];
    revision: number;
  } | null> {
    return this.#inTurn(store, async () => {
      if ((await this.#revision(store)) === revision) return null;
      const all = await this.#load(store);
      const newer = all.rows.filter((row) => row.revision > revision);
      return {
        entries: newer.map((row) => [row.key, row.value, row.revision]),
        keys: all.rows.map((row) => row.key),
        revision: all.revision,
      };
    });
  }

  /**
   * Applies the writes in order, all or none.
   * @throws QuotaExceededError when the disk is full; what was stored before stays
   */
  write(store: string, writes: readonly ValueWrite[], origin?: Origin): Promise<{ revision: number }> {
    return this.#commit(store, origin, async () => {
      const keys = [...new Set(writes.map(([key]) => key))];
      const rows = await this.db.values.bulkGet(keys.map((key) => [store, key] as [string, string]));
      const state = new Map(keys.map((key, i) => [key, rows[i]?.value ?? null]));
      const changes: ValueChange[] = [];
      for (const [key, text] of writes) {
        const before = state.get(key) ?? null;
        if (before === text) continue;
        state.set(key, text);
        changes.push([key, before, text]);
      }
      return changes;
    });
  }

  /** Deletes all values of a store. */
  clear(store: string): Promise<{ revision: number }> {
    return this.#commit(store, undefined, async () => {
      const { rows } = await this.#load(store);
      return rows.map(({ key, value }): ValueChange => [key, value, null]);
    });
  }

  /** `plan` computes, inside the transaction, what changes; its last word on each key is written. */
  #commit(
    store: string,
    origin: Origin | undefined,
    plan: () => Promise<ValueChange[]>,
  ): Promise<{ revision: number }> {
    return this.#inTurn(store, async () => {
      const { db } = this;
      try {
        const { changes, revision } = await db.transaction("rw", db.values, db.valueStores, async () => {
          const changes = await plan();
          const before = await this.#revision(store);
          if (changes.length === 0) return { changes, revision: before };
          const revision = Math.max(before + 1, this.now());
          const last = new Map(changes.map(([key, , after]) => [key, after]));
          const puts: ValueRow[] = [];
          const deletes: Array<[string, string]> = [];
          for (const [key, value] of last) {
            if (value === null) deletes.push([store, key]);
            else puts.push({ store, key, value, revision });
          }
          if (puts.length > 0) await db.values.bulkPut(puts);
          if (deletes.length > 0) await db.values.bulkDelete(deletes);
          await db.valueStores.put({ store, revision });
          return { changes, revision };
        });
        if (changes.length > 0) this.onCommit({ store, changes, revision, origin });
        return { revision };
      } catch (error) {
        throw explain(error);
      }
    });
  }

  async #load(store: string) {
    return this.db.transaction("r", this.db.values, this.db.valueStores, async () => ({
      rows: await this.db.values
        .where("[store+key]")
        .between([store, Dexie.minKey], [store, Dexie.maxKey])
        .toArray(),
      revision: await this.#revision(store),
    }));
  }

  async #revision(store: string): Promise<number> {
    return (await this.db.valueStores.get(store))?.revision ?? 0;
  }

  #inTurn<T>(store: string, job: () => Promise<T>): Promise<T> {
    let queue = this.#queues.get(store);
    if (!queue) {
      queue = new SerialQueue();
      this.#queues.set(store, queue);
    }
    return queue.run(job);
  }
}

/** Quota is the one failure that a person can do something about, so it keeps its name through Dexie's wrapping. */
function explain(error: unknown): unknown {
  const inner =
    error instanceof Dexie.DexieError ? (error.inner as { name?: string } | undefined) : undefined;
  const named = error as { name?: string };
  if (named.name !== "QuotaExceededError" && inner?.name !== "QuotaExceededError") return error;
  return new NamedError(
    "QuotaExceededError",
    "The values were not stored: the browser has no room left for them. What was stored before is unchanged. Delete values, or free space on the disk.",
    { cause: error },
  );
}
