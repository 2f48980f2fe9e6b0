import type { ScriptEvent } from "../events/contract";
import { create, each, keysOf, parseJson, put, SafeMap } from "../natives";
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
export interface ValueCache {
  /** All changes up to this one are known; -1 when nothing is. */
  readonly revision: number;
  /** The encoded value as the script sees it; null when there is none. */
  text(key: string): string | null;
  keys(): string[];
  /** The script wrote; visible at once. */
  write(write: ValueWrite): void;
  /** Writes were stored as `revision`, or failed (-1), which leaves what was stored before. */
  settle(writes: readonly ValueWrite[], revision: number): void;
  /** Takes news of the store in, and calls `tell` for the changes that the script has not heard of yet. */
  apply(
    event: Extract<ScriptEvent, { type: "values" | "resync" }>,
    tell: (change: ValueChange) => void,
  ): void;
}

/** @param snapshot JSON text `{ key: text }` of revision `known`; null when nothing is known */
export function valueCache(snapshot: string | null, known: number): ValueCache {
  const stored = new SafeMap<string, State>();
  const own = new SafeMap<string, { text: string | null; writes: number }>();
  let revision = -1;

  if (snapshot !== null) {
    revision = known;
    const texts: Record<string, string> = parseJson(snapshot);
    each(keysOf(texts), (key) => stored.set(key, { text: texts[key] as string, revision }));
  }

  const textOf = (key: string) => (own.get(key) ?? stored.get(key))?.text ?? null;

  /** A stored state of one key; false when as new a one is known. Within one revision the later word counts. */
  const learn = (key: string, text: string | null, at: number): boolean => {
    const before = stored.get(key)?.revision ?? -1;
    if (before <= at) stored.set(key, { text, revision: at });
    return before < at;
  };

  return {
    get revision() {
      return revision;
    },
    text: textOf,
    keys() {
      const all = create(null);
      const add = (_: unknown, key: string) => {
        if (textOf(key) !== null) all[key] = 1;
      };
      stored.forEach(add);
      own.forEach(add);
      return keysOf(all);
    },
    write({ 0: key, 1: text }) {
      own.set(key, { text, writes: (own.get(key)?.writes ?? 0) + 1 });
    },
    settle(writes, at) {
      each(writes, ({ 0: key, 1: text }) => {
        if (at >= 0) learn(key, text, at);
        const mine = own.get(key);
        if (mine && --mine.writes === 0) own.delete(key);
      });
    },
    apply(event, tell) {
      const { revision: at } = event;
      const knew = revision;
      if (event.type === "values") {
        each(event.changes, ({ 0: key, 2: text }) => learn(key, text, at));
        if (at <= knew) return;
        if (!event.more) revision = at;
        each(event.changes, tell);
        return;
      }
      const changes: ValueChange[] = [];
      const catchUp = (key: string, text: string | null, since: number) => {
        const before = stored.get(key)?.text ?? null;
        // A first filling is no change of anything.
        if (learn(key, text, since) && knew >= 0 && before !== text)
          put(changes, changes.length, [key, before, text]);
      };
      each(event.entries, ({ 0: key, 1: text, 2: since }) => catchUp(key, text, since));
      if (event.keys) {
        const present = new SafeMap<string, true>();
        each(event.keys, (key) => present.set(key, true));
        stored.forEach((_, key) => {
          if (!present.get(key)) catchUp(key, null, at);
        });
        revision = at;
      }
      each(changes, tell);
    },
  };
}
