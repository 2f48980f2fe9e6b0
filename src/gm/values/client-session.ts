import { eventsOf } from "../events/client";
import type { ScriptSession } from "../types";
import { ValueCache } from "./client-cache";
import { ValueWriter } from "./client-writer";
import { decode, encode } from "./codec";
import type { ValueChange, ValuesContract } from "./contract";

/** Called with name, old and new value, and whether another document made the change. Absent values are undefined. */
export type ValueListener = (name: string, before: unknown, after: unknown, remote: boolean) => unknown;

/** A script's values in one document, behind all the functions that deal with them. */
export class ScriptValues {
  readonly #session: ScriptSession;
  readonly #cache: ValueCache;
  readonly #writer: ValueWriter;
  readonly #listeners = new Map<number, { key: string; listener: ValueListener }>();
  #lastListener = 0;
  #following = false;

  constructor(session: ScriptSession) {
    this.#session = session;
    this.#cache = new ValueCache(session.snapshot, session.revision);
    this.#writer = new ValueWriter(session, this.#cache);
  }

  /** Writes values in order. @throws TypeError, before anything is written, when one of them cannot be kept */
  set(entries: ReadonlyArray<readonly [key: string, value: unknown]>): Promise<void> {
    const writes = entries.map(
      ([key, value]) => [key, encode(value, `the value "${key}"`)] as [string, string],
    );
    return this.#write(writes);
  }

  delete(keys: readonly string[]): Promise<void> {
    return this.#write(keys.map((key) => [key, null]));
  }

  /** A fresh copy of a value as this document knows it, or the fallback when there is none. */
  peek(key: string, fallback?: unknown): unknown {
    this.#follow();
    const text = this.#cache.text(key);
    return text === null ? fallback : decode(text);
  }

  peekKeys(): string[] {
    this.#follow();
    return this.#cache.keys();
  }

  /** The values as stored now, own writes included. */
  async read(keys: string[] | null): Promise<Map<string, unknown>> {
    await this.#writer.sent();
    const { entries, revision } = await this.#rpc().call("read", { keys }, { repeatable: true });
    const values = new Map<string, unknown>();
    for (const [key, text] of entries) {
      this.#cache.learn(key, text, revision);
      values.set(key, decode(text));
    }
    return values;
  }

  async readKeys(): Promise<string[]> {
    await this.#writer.sent();
    return this.#rpc().call("list", {}, { repeatable: true });
  }

  listen(key: string, listener: ValueListener): number {
    if (typeof listener !== "function") {
      throw new TypeError(`The listener for the value "${key}" must be a function, not ${typeof listener}.`);
    }
    const id = ++this.#lastListener;
    this.#listeners.set(id, { key, listener });
    this.#follow();
    return id;
  }

  unlisten(id: number): void {
    this.#listeners.delete(id);
  }

  #rpc() {
    return this.#session.rpc.of<ValuesContract>("gm.values");
  }

  #write(writes: Array<[key: string, text: string | null]>): Promise<void> {
    // A listener must hear of this write too, so the stream has to be open before it.
    if (this.#listeners.size > 0) this.#follow();
    if (writes.length === 0) return Promise.resolve();
    return Promise.all(writes.map((write) => this.#writer.add(write))).then(() => undefined);
  }

  #follow(): void {
    const events = eventsOf(this.#session);
    if (this.#following) {
      events.need();
      return;
    }
    this.#following = true;
    events.on((event) => {
      if (event.type !== "values" && event.type !== "resync") return;
      const remote = event.type === "resync" || !event.own;
      for (const change of this.#cache.apply(event)) this.#tell(change, remote);
    });
    events.followValues(() => this.#cache.revision);
  }

  #tell([key, before, after]: ValueChange, remote: boolean): void {
    for (const { key: wanted, listener } of [...this.#listeners.values()]) {
      if (wanted !== key) continue;
      try {
        listener(key, revive(before), revive(after), remote);
      } catch (error) {
        // One listener that throws must not keep the others from hearing.
        this.#session.reportError(error);
      }
    }
  }
}

function revive(text: string | null): unknown {
  return text === null ? undefined : decode(text);
}

const bySession = new WeakMap<ScriptSession, ScriptValues>();

/** The values of a session, one object for all functions. */
export function valuesOf(session: ScriptSession): ScriptValues {
  let values = bySession.get(session);
  if (!values) {
    values = new ScriptValues(session);
    bySession.set(session, values);
  }
  return values;
}
