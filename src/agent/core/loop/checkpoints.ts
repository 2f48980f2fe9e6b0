import type { ActiveRun } from "../run/active-run";
import type { Clock } from "../run/clock";
import type { LiveText } from "../run/live";

const EVERY_MS = 250;
const EVERY_CHARS = 2048;

/**
 * Journals what came of an answer since the last checkpoint: after 2 KB at once, else 250 ms after it began to wait. One write at a time,
 * so that a burst does not queue up writes that the end of the answer would have to wait for.
 */
export class Checkpoints {
  #cancelTimer: (() => void) | null = null;
  #writing = false;
  #stopped = false;

  constructor(
    private readonly run: ActiveRun,
    private readonly live: LiveText,
    private readonly env: { clock: Clock },
  ) {}

  /** To be called after each delta. */
  grown(): void {
    if (this.#writing || this.#stopped) return;
    if (this.live.unsaved >= EVERY_CHARS) this.#write();
    else this.#cancelTimer ??= this.env.clock.after(EVERY_MS, () => this.#write());
  }

  stop(): void {
    this.#stopped = true;
    this.#disarm();
  }

  #disarm(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #write(): void {
    this.#disarm();
    if (this.live.unsaved === 0) return;
    this.#writing = true;
    const { attempt } = this.live;
    this.run
      .commit((state) =>
        state.attempt?.id === attempt ? [{ type: "model.delta", attempt, ...this.live.takeUnsaved() }] : [],
      )
      .then(
        () => {
          this.#writing = false;
          this.grown();
        },
        () => this.stop(), // The run is broken now and says so to all who follow it; its loop ends by the abort.
      );
  }
}
