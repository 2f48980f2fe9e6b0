import type { ScriptEvent } from "../events/contract";
import { create, keysOf, parseJson, put, SafeMap } from "../natives";
import type { ValueChange, ValueWrite } from "./contract";

/** The encoded value of a key, null when it has none, and the revision that says so. */
interface State {
  text: string | null;
  revision: number;
}

/**
 * What the document knows of the script's values: as stored (from the snapshot, events and answers), with the script's own writes
 * over it until they are stored. Each key has its own revision, so news may come twice or late.
 */
export class ValueCache {
  readonly #stored = new SafeMap<string, State>();
  readonly #own = new SafeMap<string, { text: string | null; writes: number }>();
  /** All changes up to this one are known; -1 when nothing is. */
  revision = -1;

  /** @param snapshot JSON text `{ key: text }` of that revision; null when nothing is known */
  constructor(snapshot: string | null, revision: number) {
    if (snapshot === null) return;
    this.revision = revision;
    const texts: Record<string, string> = parseJson(snapshot);
    each(keysOf(texts), (key) => this.#stored.set(key, { text: texts[key] as string, revision }));
  }

  /** The encoded value as the script sees it; null when there is none. */
  text(key: string): string | null {
    return (this.#own.get(key) ?? this.#stored.get(key))?.text ?? null;
  }

  keys(): string[] {
    const all = create(null);
    const add = (_: unknown, key: string) => {
      if (this.text(key) !== null) all[key] = 1;
    };
    this.#stored.forEach(add);
    this.#own.forEach(add);
    return keysOf(all);
  }

  /** The script wrote; visible at once. */
  write({ 0: key, 1: text }: ValueWrite): void {
    this.#own.set(key, { text, writes: (this.#own.get(key)?.writes ?? 0) + 1 });
  }

  /** Writes were stored as `revision`, or failed (-1), which leaves what was stored before. */
  settle(writes: readonly ValueWrite[], revision: number): void {
    each(writes, ({ 0: key, 1: text }) => {
      if (revision >= 0) this.#learn(key, text, revision);
      const own = this.#own.get(key);
      if (own && --own.writes === 0) this.#own.delete(key);
    });
  }

  /** Takes news of the store in, and calls `tell` for the changes that the script has not heard of yet. */
  apply(
    event: Extract<ScriptEvent, { type: "values" | "resync" }>,
    tell: (change: ValueChange) => void,
  ): void {
    const { revision } = event;
    const known = this.revision;
    if (event.type === "values") {
      each(event.changes, ({ 0: key, 2: text }) => this.#learn(key, text, revision));
      if (revision <= known) return;
      if (!event.more) this.revision = revision;
      each(event.changes, tell);
      return;
    }
    const catchUp = (key: string, text: string | null, at: number) => {
      const before = this.#stored.get(key)?.text ?? null;
      // A first filling is no change of anything.
      if (this.#learn(key, text, at) && known >= 0 && before !== text)
        put(changes, changes.length, [key, before, text]);
    };
    const changes: ValueChange[] = [];
    each(event.entries, ({ 0: key, 1: text, 2: at }) => catchUp(key, text, at));
    if (event.keys) {
      const present = new SafeMap<string, true>();
      each(event.keys, (key) => present.set(key, true));
      this.#stored.forEach((_, key) => {
        if (!present.get(key)) catchUp(key, null, revision);
      });
      this.revision = revision;
    }
    each(changes, tell);
  }

  /** A stored state of one key; false when as new a one is known. Within one revision the later word counts. */
  #learn(key: string, text: string | null, revision: number): boolean {
    const known = this.#stored.get(key)?.revision ?? -1;
    if (known <= revision) this.#stored.set(key, { text, revision });
    return known < revision;
  }
}

/** Calls `take` for each item, without the list's own methods and iteration (so take lists apart by index, too). */
export function each<T>(list: readonly T[], take: (item: T) => unknown): void {
  for (let i = 0; i < list.length; i += 1) take(list[i] as T);
}
