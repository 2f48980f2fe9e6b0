import type { SessionStorage } from "./session-storage";

/**
 * A short list in session storage that only this worker writes: read once a start, kept in memory, written through. A change is
 * made of the list as it is at that moment, in one turn, so that two of them cannot overwrite each other.
 */
export class SessionList<T> {
  #items: readonly T[] = [];
  #loading: Promise<void> | undefined;

  constructor(
    private readonly session: SessionStorage,
    private readonly key: string,
  ) {}

  async read(): Promise<readonly T[]> {
    await this.#load();
    return this.#items;
  }

  /** Replaces the list by what `change` returns; the same list back means that nothing is to be written. */
  async update(change: (items: readonly T[]) => readonly T[]): Promise<void> {
    await this.#load();
    // Only now: others that waited for the same reading may have changed it meanwhile.
    const items = this.#items;
    const next = change(items);
    if (next === items) return;
    this.#items = [...next];
    if (next.length === 0) await this.session.remove(this.key);
    else await this.session.set(this.key, this.#items);
  }

  #load(): Promise<void> {
    this.#loading ??= this.session.get<T[]>(this.key).then(
      (items) => {
        this.#items = items ?? [];
      },
      (error: unknown) => {
        // The next call reads again.
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
  }
}
