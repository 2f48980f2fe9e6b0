import { perSession } from "../forms";
import type { ScriptSession } from "../types";
import type { EventsContract, ScriptEvent } from "./contract";

type Of<T extends ScriptEvent["type"]> = Extract<ScriptEvent, { type: T }>;

/**
 * The script's one stream of events from the worker. A worker that goes to sleep ends it, and it stays ended, so that an open page
 * does not keep waking the worker: it opens again when the script next uses a function that needs it, when the page is shown
 * again, and when the worker asks for it since it has something.
 */
export class EventChannel {
  /** What follows the values, and the revision that it knows. */
  values: { revision: number; take(event: Of<"values" | "resync">): void } | undefined;
  /** What runs menu commands; `opened` tells it that the worker may have forgotten them. */
  menu: { opened(): void; take(event: Of<"menu">): void } | undefined;
  readonly #session: ScriptSession;
  #stream: AsyncIterableIterator<ScriptEvent> | null = null;
  #used = false;

  constructor(session: ScriptSession) {
    this.#session = session;
  }

  get isOpen(): boolean {
    return this.#stream !== null;
  }

  /** Opens the stream if it is not open. Cheap when it is. */
  need(): void {
    if (!this.#stream) this.reopen();
  }

  /** Opens the stream, in place of an open one. */
  reopen(): void {
    if (!this.#used) {
      this.#used = true;
      this.#session.onWake(() => this.need());
      const shown = () => {
        if (document.visibilityState === "visible") this.need();
      };
      addEventListener("pageshow", shown);
      document.addEventListener("visibilitychange", shown);
    }
    const old = this.#stream;
    this.#stream = this.#session.rpc
      .of<EventsContract>("gm.events")
      .stream("subscribe", { revision: this.values?.revision });
    void this.#read(this.#stream);
    // Only after the new one is open: the worker must not think that the document is gone.
    void old?.return?.();
    this.menu?.opened();
  }

  async #read(stream: AsyncIterableIterator<ScriptEvent>): Promise<void> {
    try {
      for await (const event of stream) {
        if (this.#stream !== stream) return;
        if (event.type === "menu") this.menu?.take(event);
        else this.values?.take(event);
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
