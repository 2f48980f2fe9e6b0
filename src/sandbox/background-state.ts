import type { SessionStorage } from "@/platform/session-storage";
import type { ConsoleLine } from "./types";

/** What is remembered of a background script while the browser runs. */
export interface BackgroundRecord {
  /** Times of faults that count, ms since the epoch. */
  faults: number[];
  /** Not to be started again by itself. */
  off: boolean;
  /** When it is to start after a fault, ms since the epoch; 0: at once. */
  startAt: number;
  /** Console lines from before the last fault. */
  lines: ConsoleLine[];
}

export interface BackgroundState {
  scripts: Record<string, BackgroundRecord>;
  /** The last report of hanging that was dealt with: it may come twice. */
  lastReport: string;
}

/** Its key in session storage. */
export const BACKGROUND_KEY = "sandbox.background";

export const NO_BACKGROUND: BackgroundState = { scripts: {}, lastReport: "" };

/** The state of all background scripts, in session storage: they outlive the worker. Only one worker writes it. */
export class BackgroundStateStore {
  #state: Promise<BackgroundState | undefined> | undefined;

  constructor(private readonly session: SessionStorage) {}

  /** Undefined in the first worker of a session of the browser. */
  read(): Promise<BackgroundState | undefined> {
    this.#state ??= this.session.get<BackgroundState>(BACKGROUND_KEY).catch((error: unknown) => {
      // The next call reads again.
      this.#state = undefined;
      throw error;
    });
    return this.#state;
  }

  async write(state: BackgroundState): Promise<void> {
    this.#state = Promise.resolve(state);
    await this.session.set(BACKGROUND_KEY, state);
  }
}

/** The alarm by which the worker sees whether they run, and its time in minutes. */
export const BACKGROUND_ALARM = { name: "background-scripts", everyMinutes: 1 } as const;
