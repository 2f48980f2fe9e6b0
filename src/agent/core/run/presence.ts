import { PAGE_GRACE_MS } from "../loop/wait-tools";
import type { ActiveRun } from "./active-run";
import type { Clock } from "./clock";

/** How long the end of an ephemeral run can still be read by a reader that lost its connection. */
const END_GRACE_MS = 60_000;

/**
 * Who reads a run. A run that was not meant to outlive its page ends when the page has been gone for 30 s, which leaves time for a
 * reload, a worker death or the back-forward cache.
 */
export class Presence {
  #cancelTimer: () => void = () => undefined;
  #isOver = false;
  #endWasRead = false;
  #released = false;

  constructor(
    private readonly run: ActiveRun,
    private readonly env: { clock: Clock; hold(reason: string): () => void },
    private readonly release: () => void,
  ) {
    this.#awaitReader();
  }

  /** Counts a reader in. @returns counts it out; its argument says whether the reader was given the end of the run */
  attach(): (readEnd: boolean) => void {
    this.run.attached += 1;
    this.#cancelTimer();
    let left = false;
    return (readEnd) => {
      if (left) return;
      left = true;
      this.#endWasRead ||= readEnd;
      this.run.attached -= 1;
      if (this.run.attached > 0) return;
      this.run.detachedAt = this.env.clock.now();
      this.run.notify();
      if (this.#isOver) this.#awaitLastReader();
      else this.#awaitReader();
    };
  }

  /** Everything that follows from the end of the run is done. */
  over(): void {
    this.#isOver = true;
    if (this.run.attached === 0) this.#awaitLastReader();
  }

  /** Nobody will come back for the end: the next turn has begun. */
  letGo(): void {
    if (!this.#isOver || this.run.attached > 0) return;
    this.#cancelTimer();
    this.#releaseOnce();
  }

  #awaitReader(): void {
    this.#cancelTimer();
    if (this.run.state.end || this.run.state.spec.background) return;
    const release = this.env.hold("agent run whose page is away");
    const cancel = this.env.clock.after(PAGE_GRACE_MS, () => {
      release();
      this.run.finish({ type: "run.stopped", message: "The page that began this turn was closed." });
    });
    this.#cancelTimer = () => {
      cancel();
      release();
    };
  }

  #awaitLastReader(): void {
    this.#cancelTimer();
    const { spec } = this.run.state;
    if (this.#endWasRead || !spec.ephemeral) this.#releaseOnce();
    else this.#cancelTimer = this.env.clock.after(END_GRACE_MS, () => this.#releaseOnce());
  }

  #releaseOnce(): void {
    if (this.#released) return;
    this.#released = true;
    this.release();
  }
}
