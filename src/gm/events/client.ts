import { perSession } from "../forms";
import type { ScriptSession } from "../types";
import type { EventsContract, ScriptEvent } from "./contract";

/**
 * The script's one stream of events from the worker. A worker that goes to sleep ends it, and it stays ended, so that an open page
 * does not keep waking the worker: it opens again when the script next uses a function that needs it, when the page is shown
 * again, and when the worker asks for it since it has something.
 */
export class EventChannel {
  readonly #session: ScriptSession;
  readonly #handlers: Array<(event: ScriptEvent) => void> = [];
  readonly #openers: Array<() => void> = [];
  #stream: AsyncIterableIterator<ScriptEvent> | null = null;
  #revision: (() => number) | undefined;
  #used = false;

  constructor(session: ScriptSession) {
    this.#session = session;
  }

  on(handler: (event: ScriptEvent) => void): void {
    this.#handlers.push(handler);
  }

  /** Runs after each opening: what the worker must know anew, since it may have forgotten the document meanwhile. */
  onOpen(callback: () => void): void {
    this.#openers.push(callback);
  }

  /** From now on value changes come too; `revision` tells what the document knows at the time of an opening. */
  followValues(revision: () => number): void {
    this.#revision = revision;
    const old = this.#stream;
    this.#stream = null;
    this.need();
    // Only after the new one is open: the worker must not think that the document is gone.
    void old?.return?.();
  }

  get isOpen(): boolean {
    return this.#stream !== null;
  }

  /** Opens the stream if it is not open. Cheap when it is. */
  need(): void {
    if (this.#stream) return;
    if (!this.#used) {
      this.#used = true;
      this.#session.onWake(() => this.need());
      const shown = () => {
        if (document.visibilityState === "visible") this.need();
      };
      addEventListener("pageshow", shown);
      document.addEventListener("visibilitychange", shown);
    }
    this.#stream = this.#session.rpc
      .of<EventsContract>("gm.events")
      .stream("subscribe", { revision: this.#revision?.() });
    void this.#read(this.#stream);
    for (const callback of this.#openers) callback();
  }

  async #read(stream: AsyncIterableIterator<ScriptEvent>): Promise<void> {
    try {
      for await (const event of stream) {
        if (this.#stream === stream) for (const handler of this.#handlers) handler(event);
      }
    } catch (error) {
      // A worker that went to sleep is the normal end; the next need() wakes it.
      if ((error as Error).name !== "DisconnectedError") this.#session.reportError(error);
    }
    if (this.#stream === stream) this.#stream = null;
  }
}

/** The channel of a session. */
export const eventsOf = perSession((session) => new EventChannel(session));
