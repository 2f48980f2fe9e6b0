import { type ConsoleLine, MOST_LINE_TEXT } from "../types";

/** The newest lines of a console. */
export class ConsoleRing {
  #lines: ConsoleLine[];
  #dropped = 0;

  constructor(
    private readonly most: number,
    lines: readonly ConsoleLine[] = [],
  ) {
    this.#lines = lines.slice(-most);
  }

  /** Lines that are not there any more, or never were. */
  get dropped(): number {
    return this.#dropped;
  }

  get lines(): ConsoleLine[] {
    return [...this.#lines];
  }

  /** Adds a line; `lost` were left out before it. */
  push(line: ConsoleLine, lost: number): void {
    this.#dropped += lost;
    this.#lines.push({ ...line, text: line.text.slice(0, MOST_LINE_TEXT) });
    if (this.#lines.length <= this.most) return;
    // In larger steps, so that a busy console does not move its lines with each one.
    if (this.#lines.length >= this.most * 2) this.#trim();
  }

  /** The lines to hand over: the newest, and no more than there may be. */
  take(): { lines: ConsoleLine[]; dropped: number } {
    this.#trim();
    return { lines: this.lines, dropped: this.#dropped };
  }

  #trim(): void {
    const beyond = this.#lines.length - this.most;
    if (beyond <= 0) return;
    this.#lines = this.#lines.slice(beyond);
    this.#dropped += beyond;
  }
}
