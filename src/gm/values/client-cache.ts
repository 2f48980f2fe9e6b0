import type { ScriptEvent } from "../events/contract";
import { entriesOf, NativeMap, NativeSet, parseJson } from "../natives";
import type { ValueChange, ValueWrite } from "./contract";

/** The encoded value of a key, null when it has none, and the revision that says so. */
type State = [text: string | null, revision: number];

/**
 * What the document knows of the script's values: as stored (from the snapshot, events and answers), with the script's own writes
 * over it until they are stored. Each key has its own revision, so news may come twice or late.
 */
export class ValueCache {
  readonly #stored = new NativeMap<string, State>();
  readonly #own = new NativeMap<string, { text: string | null; writes: number }>();
  /** All changes up to this one are known; -1 when nothing is. */
  revision = -1;

  /** @param snapshot JSON text `{ key: text }` of that revision; null when nothing is known */
  constructor(snapshot: string | null, revision: number) {
    if (snapshot === null) return;
    this.revision = revision;
    for (const [key, text] of entriesOf(parseJson(snapshot) as Record<string, string>)) {
      this.#stored.set(key, [text, revision]);
    }
  }

  /** The encoded value as the script sees it; null when there is none. */
  text(key: string): string | null {
    return (this.#own.get(key) ?? { text: this.#stored.get(key)?.[0] ?? null }).text;
  }

  keys(): string[] {
    const all = new NativeSet([...this.#stored.keys(), ...this.#own.keys()]);
    return [...all].filter((key) => this.text(key) !== null);
  }

  /** The script wrote; visible at once. */
  write([key, text]: ValueWrite): void {
    this.#own.set(key, { text, writes: (this.#own.get(key)?.writes ?? 0) + 1 });
  }

  /** Writes were stored as `revision`, or failed (-1), which leaves what was stored before. */
  settle(writes: readonly ValueWrite[], revision: number): void {
    for (const [key, text] of writes) {
      if (revision >= 0) this.#learn(key, text, revision);
      const own = this.#own.get(key);
      if (own && --own.writes === 0) this.#own.delete(key);
    }
  }

  /** Takes news of the store in and returns the changes that the script has not heard of yet. */
  apply(event: Extract<ScriptEvent, { type: "values" | "resync" }>): readonly ValueChange[] {
    const { revision } = event;
    const known = this.revision;
    if (event.type === "values") {
      for (const [key, , text] of event.changes) this.#learn(key, text, revision);
      if (revision <= known) return [];
      if (!event.more) this.revision = revision;
      return event.changes;
    }
    const changes: ValueChange[] = [];
    const catchUp = (key: string, text: string | null, at: number) => {
      const before = this.#stored.get(key)?.[0] ?? null;
      if (this.#learn(key, text, at) && before !== text) changes[changes.length] = [key, before, text];
    };
    for (const [key, text, at] of event.entries) catchUp(key, text, at);
    if (event.keys) {
      const present = new NativeSet(event.keys);
      for (const key of this.#stored.keys()) if (!present.has(key)) catchUp(key, null, revision);
      this.revision = revision;
    }
    // A first filling is no change of anything.
    return known < 0 ? [] : changes;
  }

  /** A stored state of one key; false when as new a one is known. Within one revision the later word counts. */
  #learn(key: string, text: string | null, revision: number): boolean {
    const known = this.#stored.get(key)?.[1] ?? -1;
    if (known <= revision) this.#stored.set(key, [text, revision]);
    return known < revision;
  }
}
