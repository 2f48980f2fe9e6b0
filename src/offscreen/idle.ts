/** Time without use after which the document closes itself; the next call makes a new one. */
const IDLE_MS = 5 * 60_000;

/** Closes the document when nothing has needed it for a while: an idle one would cost some 20 MB for nothing. */
export class IdleCloser {
  readonly #held = new Set<{ reason: string }>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly close: () => void,
    private readonly idleMs = IDLE_MS,
  ) {
    this.#rest();
  }

  /** Keeps the document until the returned function is called. */
  hold(reason: string): () => void {
    const hold = { reason };
    this.#held.add(hold);
    clearTimeout(this.#timer);
    return () => {
      if (this.#held.delete(hold) && this.#held.size === 0) this.#rest();
    };
  }

  /** What it is kept for. */
  reasons(): string[] {
    return [...this.#held].map(({ reason }) => reason);
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.close, this.idleMs);
  }
}
