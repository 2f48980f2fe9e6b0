import type { SessionStorage } from "@/platform/session-storage";

/**
 * A short list in session storage that only this worker writes: read once a start, kept in memory, written through. Changes are
 * made in one turn, so that two of them cannot overwrite each other.
 */
export class SessionList<T> {
  #items: Promise<T[]> | undefined;

  constructor(
    private readonly session: SessionStorage,
    private readonly key: string,
  ) {}

  async read(): Promise<readonly T[]> {
    return this.#load();
  }

  /** Replaces the list by what `change` returns; the same list back means that nothing is to be written. */
  async update(change: (items: readonly T[]) => readonly T[]): Promise<void> {
    const items = await this.#load();
    const next = change(items);
    if (next === items) return;
    this.#items = Promise.resolve([...next]);
    if (next.length === 0) await this.session.remove(this.key);
    else await this.session.set(this.key, next);
  }

  #load(): Promise<T[]> {
    this.#items ??= this.session.get<T[]>(this.key).then((items) => items ?? []);
    return this.#items;
  }
}
