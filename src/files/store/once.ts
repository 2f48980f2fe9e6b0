/** Outcomes that are remembered. A call is repeated soon after it was made or never. */
const MOST = 512;

/**
 * Does a job once for each name, however often it is asked for: a caller whose connection broke sends its call again and gets the
 * outcome that it missed. It does not outlive the store; what is sent again to the next one is done again.
 */
export class Once {
  readonly #outcomes = new Map<string, Promise<unknown>>();

  run<T>(name: string, job: () => Promise<T>): Promise<T> {
    const known = this.#outcomes.get(name);
    if (known) return known as Promise<T>;
    const outcome = job();
    this.#outcomes.set(name, outcome);
    if (this.#outcomes.size > MOST) {
      const [oldest] = this.#outcomes.keys();
      if (oldest !== undefined) this.#outcomes.delete(oldest);
    }
    return outcome;
  }
}
