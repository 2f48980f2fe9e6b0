/** Those who want to hear of something, in the order in which they came. */
export class Listeners<A extends unknown[] = []> {
  readonly #all = new Set<(...args: A) => void>();

  /** Adds one; returns what takes it away. */
  readonly add = (listener: (...args: A) => void): (() => void) => {
    this.#all.add(listener);
    return () => {
      this.#all.delete(listener);
    };
  };

  readonly tell = (...args: A): void => {
    for (const listener of [...this.#all]) listener(...args);
  };
}

/** Listens to several at once; returns what ends that. */
export function listenToAll<L>(sources: ReadonlyArray<(listener: L) => () => void>, listener: L): () => void {
  const stops = sources.map((add) => add(listener));
  return () => {
    for (const stop of stops) stop();
  };
}
