import type { RawEntry } from "./entry";
import { saysTheSame } from "./entry";

/** An entry that waits to be stored. */
export type Waiting = RawEntry & { count: number };

/** Different entries that may wait; what comes beyond is only counted. */
const MOST_WAITING = 20;
/** Different entries that may come at once, and how many more with each second: a flood takes an hour to push all else out of the log. */
const BURST = 40;
const PER_SECOND = 0.1;

/**
 * What lies between those who report and the database: equal entries in a row become one, and a flood of different ones is cut to a
 * number that neither fills the disk nor costs the worker anything. Nothing is masked or stored here.
 */
export class Intake {
  #waiting: Waiting[] = [];
  #tokens = BURST;
  #refilledAt: number | null = null;
  #left = 0;
  /** What was last taken out: more of the same is added to it where it is stored. */
  #taken: RawEntry | undefined;

  /** Takes an entry; false when it was only counted. */
  add(entry: RawEntry): boolean {
    const last = this.#waiting.at(-1);
    if (last && saysTheSame(last, entry)) {
      last.count += 1;
      last.at = entry.at;
      if (!entry.shown) delete last.shown;
      return false;
    }
    const again = !last && this.#left === 0 && this.#taken !== undefined && saysTheSame(this.#taken, entry);
    if (!again && !this.#allows(entry.at)) {
      this.#left += 1;
      return false;
    }
    this.#waiting.push({ ...entry, count: 1 });
    return !again;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#left === 0;
  }

  /** Takes out all that waits, with one entry more for what was left out. */
  take(now: number): Waiting[] {
    const taken = this.#waiting;
    this.#waiting = [];
    if (this.#left > 0) {
      taken.push({
        at: now,
        level: "warning",
        source: "worker",
        name: "TooManyErrors",
        during: "Writing the log",
        message:
          "More errors came than can be written down one by one. The entries before this one say what goes wrong.",
        count: this.#left,
        shown: true,
      });
      this.#left = 0;
    }
    this.#taken = taken.at(-1);
    return taken;
  }

  /** Gives back what could not be stored, before what has come since. The newest are kept. */
  giveBack(rows: Waiting[]): void {
    this.#waiting = [...rows, ...this.#waiting].slice(-MOST_WAITING);
  }

  #allows(now: number): boolean {
    const since = Math.max(0, now - (this.#refilledAt ?? now));
    this.#tokens = Math.min(BURST, this.#tokens + (since / 1000) * PER_SECOND);
    this.#refilledAt = now;
    if (this.#waiting.length >= MOST_WAITING || this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
