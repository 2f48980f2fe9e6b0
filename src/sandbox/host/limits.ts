import { approximateSize } from "./size";

/** How much a guest may say. */
export interface MessageLimits {
  /** Messages in a second. */
  messages: number;
  /** Bytes in a second. */
  bytes: number;
}

export const MESSAGE_LIMITS: MessageLimits = { messages: 2000, bytes: 64 * 1024 * 1024 };

const WINDOW_MS = 1000;

/** Counts what a guest sends, second by second. */
export class MessageMeter {
  #since = Number.NEGATIVE_INFINITY;
  #messages = 0;
  #bytes = 0;

  constructor(
    private readonly limits: MessageLimits,
    private readonly now: () => number,
  ) {}

  /** Counts one message. @returns why it is one too many, in words; null when it is not */
  count(message: unknown): string | null {
    const now = this.now();
    if (now - this.#since >= WINDOW_MS) {
      this.#since = now;
      this.#messages = 0;
      this.#bytes = 0;
    }
    this.#messages += 1;
    if (this.#messages > this.limits.messages) {
      return `It sent more than ${this.limits.messages} messages in a second and was stopped. Do less at once, or wait for answers.`;
    }
    this.#bytes += approximateSize(message, this.limits.bytes);
    if (this.#bytes > this.limits.bytes) {
      return `It sent more than ${Math.round(this.limits.bytes / 1024 / 1024)} MB in a second and was stopped. Send large data in parts.`;
    }
    return null;
  }
}

/** A time limit that can be held, as often as there are reasons to wait. */
export class RunClock {
  #left: number;
  #since: number | null = null;
  #holds = 0;
  #started = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ran = 0;

  constructor(
    ms: number,
    private readonly now: () => number,
    private readonly onLate: () => void,
  ) {
    this.#left = ms;
  }

  /** ms that counted so far. */
  get ran(): number {
    return this.#ran + (this.#since === null ? 0 : this.now() - this.#since);
  }

  start(): void {
    this.#started = true;
    this.#run();
  }

  hold(): void {
    this.#holds += 1;
    this.#pause();
  }

  release(): void {
    this.#holds = Math.max(0, this.#holds - 1);
    this.#run();
  }

  stop(): void {
    this.#pause();
    this.#started = false;
  }

  #run(): void {
    if (!this.#started || this.#holds > 0 || this.#since !== null) return;
    this.#since = this.now();
    this.#timer = setTimeout(this.onLate, this.#left);
  }

  #pause(): void {
    clearTimeout(this.#timer);
    if (this.#since === null) return;
    const passed = this.now() - this.#since;
    this.#since = null;
    this.#ran += passed;
    this.#left = Math.max(0, this.#left - passed);
  }
}
