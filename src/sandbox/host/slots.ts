/** A number of places; who finds none waits in the order of asking. */
export class Slots {
  #free: number;
  readonly #waiting: Array<() => void> = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** How many wait. */
  get queued(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves with the function that gives the place back (once), or with null when `signal` was aborted before there was one.
   */
  take(signal: AbortSignal): Promise<(() => void) | null> {
    if (signal.aborted) return Promise.resolve(null);
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve(this.#giver());
    }
    return new Promise((resolve) => {
      const onTurn = () => {
        signal.removeEventListener("abort", onAbort);
        resolve(this.#giver());
      };
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(onTurn), 1);
        resolve(null);
      };
      this.#waiting.push(onTurn);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  #giver(): () => void {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
  }
}
