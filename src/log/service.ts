import { rawEntry } from "./entry";
import { Intake } from "./intake";
import { SecretList } from "./secret-list";
import type { LogInput, LogKeeper } from "./types";

export interface LogDeps {
  /** Asked for when the first error is to be stored, not before: it is a bundle of its own. */
  keeper(): LogKeeper;
  now(): number;
}

/** A first error is written at once; those that follow it within this time are written together. */
const GATHER_MS = 1_000;

/**
 * The one place for errors that concern the person and no caller. Adding never throws and is never waited for; secrets are masked
 * before anything is stored; a failure of the log itself goes to the console and nowhere else.
 */
export class LogService {
  /** Secrets to look for in what is stored. */
  readonly secrets = new SecretList();
  readonly #deps: LogDeps;
  readonly #intake = new Intake();
  #writing: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(deps: LogDeps) {
    this.#deps = deps;
  }

  /** Writes an error down, soon. Also says it on the console, where whoever works on the code looks. */
  add(input: LogInput): void {
    const now = this.#deps.now();
    const entry = rawEntry(input, now);
    // One of a flood is not said either: the console keeps what it is given.
    if (this.#intake.add(entry)) this.#say(input);
    this.#schedule();
  }

  /** Resolves when all that was added before is stored, or could not be. */
  async settled(): Promise<void> {
    await this.#writing;
    if (this.#intake.isEmpty) return;
    this.#write();
    await this.#writing;
  }

  /** Says anew how much the person has not seen: at a start of the browser, which forgets badges. */
  async announce(): Promise<void> {
    await this.#deps.keeper().announce();
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#writing) return;
    // No longer than that: the clock may have been set back.
    const wait = Math.min(Math.max(0, this.#writtenAt + GATHER_MS - this.#deps.now()), GATHER_MS);
    if (wait === 0) this.#write();
    else this.#timer = setTimeout(() => this.#write(), wait);
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeWaiting().then((worked) => {
      this.#writing = null;
      // What failed waits for the next error: trying again by itself would make a loop of a broken database.
      if (worked && !this.#intake.isEmpty) this.#schedule();
    });
  }

  /** Never rejects; false when nothing could be stored. */
  async #writeWaiting(): Promise<boolean> {
    const now = this.#deps.now();
    this.#writtenAt = now;
    const rows = this.#intake.take(now);
    try {
      await this.#deps.keeper().keep(rows);
    } catch (error) {
      // Kept in memory for the next time; reporting it here would come back to this very place.
      this.#intake.giveBack(rows);
      console.error("The log could not be written:", error);
      return false;
    }
    try {
      await this.announce();
    } catch (error) {
      console.error("Unseen errors could not be counted:", error);
    }
    return true;
  }

  #say({ source, during, error, shown }: LogInput): void {
    // A page has said it on its own console.
    if (!shown && !source.startsWith("page:")) console.error(`${during} failed (${source}):`, error);
  }
}
