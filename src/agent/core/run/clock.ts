import { abortError } from "@/rpc/errors";

/** Time as the engine knows it; injected, so that tests own it. */
export interface Clock {
  /** ms since the epoch. */
  now(): number;
  /** Calls `run` once after `ms`. @returns cancels it */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    let id: ReturnType<typeof setTimeout>;
    const wait = (left: number) => {
      id = setTimeout(
        () => (left > LONGEST_TIMER_MS ? wait(left - LONGEST_TIMER_MS) : run()),
        Math.min(left, LONGEST_TIMER_MS),
      );
    };
    wait(ms);
    return () => clearTimeout(id);
  },
};

/** A timer's time is a signed 32-bit number; more would count as none (HTML Standard, timer initialisation steps). */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Resolves after `ms`; rejects with the abort's reason at once when `signal` is aborted. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortError(signal.reason));
    const onAbort = () => {
      cancel();
      reject(abortError(signal?.reason));
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/**
 * Waits that an abort ends: nothing that ignores its signal can hold up a stop. One at a time; made for loops that wait often, for it
 * listens to the signal only once.
 */
export class AbortableWait {
  #reject: (reason: Error) => void = () => undefined;
  readonly #onAbort = () => this.#reject(abortError(this.signal.reason));

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** The promise's outcome, or a rejection with the abort's reason if that comes first. */
  for<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      promise.then(resolve, reject);
      if (this.signal.aborted) this.#onAbort();
    });
  }

  /** To be called when no more is waited for. */
  end(): void {
    this.signal.removeEventListener("abort", this.#onAbort);
  }
}
