import type { ScriptEvent } from "../events/contract";
import { NativeMap, parseJson } from "../natives";
import type { ValueChange, ValueWrite } from "./contract";

interface Known {
  /** Null: the key was deleted. */
  text: string | null;
  revision: number;
}

/**
 * What the document knows of the script's values: as stored (from the snapshot, events and answers), with the script's own writes
 * over it until they are stored. Each key has its own revision, so news may come twice or late.
 */
export class ValueCache {
  readonly #stored = new NativeMap<string, Known>();
  readonly #own = new NativeMap<string, { text: string | null; writes: number }>();
  #revision: number;

  /** @param snapshot JSON text `{ key: text }` of that revision; null when nothing is known */
  constructor(snapshot: string | null, revision: number) {
    this.#revision = snapshot === null ? -1 : revision;
    if (snapshot === null) return;
    for (const [key, text] of Object.entries(parseJson(snapshot) as Record<string, string>)) {
      this.#stored.set(key, { text, revision });
    }
  }

  /** All changes up to this one are known; -1 when nothing is. */
  get revision(): number {
    return this.#revision;
  }

  /** The encoded value as the script sees it; null when there is none. */
  text(key: string): string | null {
    const own = this.#own.get(key);
    return own ? own.text : (this.#stored.get(key)?.text ?? null);
  }

  keys(): string[] {
    const keys: string[] = [];
    for (const [key] of this.#stored) if (this.text(key) !== null) keys.push(key);
    for (const [key, { text }] of this.#own) if (text !== null && !this.#stored.has(key)) keys.push(key);
    return keys;
  }

  /** The script wrote; visible at once. */
  write([key, text]: ValueWrite): void {
    const own = this.#own.get(key);
    this.#own.set(key, { text, writes: (own?.writes ?? 0) + 1 });
  }

  /** Writes were stored as `revision`, or failed (null), which leaves what was stored before. */
  settle(writes: readonly ValueWrite[], revision: number | null): void {
    for (const [key, text] of writes) {
      if (revision !== null) this.learn(key, text, revision);
      const own = this.#own.get(key);
      if (own && --own.writes === 0) this.#own.delete(key);
    }
  }

  /** A stored state of one key; older news than known is ignored. */
  learn(key: string, text: string | null, revision: number): void {
    const known = this.#stored.get(key);
    if (!known || known.revision <= revision) this.#stored.set(key, { text, revision });
  }

  /** Takes news of the store in and returns the changes that the script has not heard of yet. */
  apply(event: Extract<ScriptEvent, { type: "values" | "resync" }>): ValueChange[] {
    const { type, revision } = event;
    if (type === "values") {
      for (const [key, , text] of event.changes) this.learn(key, text, revision);
      const news = revision > this.#revision;
      if (news && !event.more) this.#revision = revision;
      return news ? event.changes : [];
    }
    const changes: ValueChange[] = [];
    const known = this.#revision >= 0;
    for (const [key, text, at] of event.entries) this.#catchUp(key, text, at, changes);
    if (event.keys) {
      const present = new Set(event.keys);
      for (const [key, { text, revision: at }] of this.#stored) {
        if (text !== null && at <= revision && !present.has(key)) this.#catchUp(key, null, revision, changes);
      }
      this.#revision = Math.max(this.#revision, revision);
    }
    // A first filling is no change of anything.
    return known ? changes : [];
  }

  #catchUp(key: string, text: string | null, revision: number, changes: ValueChange[]): void {
    const before = this.#stored.get(key);
    if (before && before.revision >= revision) return;
    this.#stored.set(key, { text, revision });
    if (before?.text !== text) changes.push([key, before?.text ?? null, text]);
  }
}
