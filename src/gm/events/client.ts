import { perSession } from "../forms";
import type { ScriptSession } from "../types";
import type { EventsContract, ScriptEvent } from "./contract";

type Of<T extends ScriptEvent["type"]> = Extract<ScriptEvent, { type: T }>;

/**
 * The script's one stream of events from the worker. A worker that goes to sleep ends it, and it stays ended, so that an open page
 * does not keep waking the worker: it opens again when the script next uses a function that needs it, when the page is shown
 * again, and when the worker asks for it since it has something.
 */
export interface EventChannel {
  /** What follows the values, and the revision that it knows. */
  values?: { readonly revision: number; take(event: Of<"values" | "resync">): void };
  /** What runs menu commands; `opened` tells it that the worker may have forgotten them. */
  menu?: { opened(): void; take(event: Of<"menu">): void };
  readonly isOpen: boolean;
  /** Opens the stream if it is not open. Cheap when it is. */
  need(): void;
  /** Opens the stream, in place of an open one. */
  reopen(): void;
}

function createChannel(session: ScriptSession): EventChannel {
  let stream: AsyncIterableIterator<ScriptEvent> | undefined;
  let used = false;
  /** Asked to come back while the stream seemed open: what tells of the worker's death is still on its way. */
  let missed = false;

  const channel: EventChannel = {
    // Its own from the start: a property that is absent is looked up where a neighbour can put one.
    values: undefined,
    menu: undefined,
    get isOpen() {
      return !!stream;
    },
    need() {
      if (!stream) channel.reopen();
    },
    reopen() {
      if (!used) {
        used = true;
        session.onWake(() => {
          missed = !!stream;
          channel.need();
        });
        const shown = () => {
          if (document.visibilityState === "visible") channel.need();
        };
        addEventListener("pageshow", shown);
        // In a worker of the sandbox there is none.
        globalThis.document?.addEventListener("visibilitychange", shown);
      }
      missed = false;
      const old = stream;
      stream = session.rpc
        .of<EventsContract>("gm.events")
        .stream("subscribe", { revision: channel.values?.revision });
      void read(stream);
      // Only after the new one is open: the worker must not think that the document is gone.
      void old?.return?.();
      channel.menu?.opened();
    },
  };
  return channel;

  async function read(events: AsyncIterableIterator<ScriptEvent>): Promise<void> {
    try {
      for await (const event of events) {
        if (stream !== events) return;
        if (event.type === "menu") channel.menu?.take(event);
        else channel.values?.take(event);
      }
    } catch (error) {
      // A worker that went to sleep is the normal end; the next need() wakes it.
      if ((error as Error).name !== "DisconnectedError") session.reportError(error);
    }
    if (stream !== events) return;
    stream = undefined;
    if (missed) channel.need();
  }
}

/** The channel of a session. */
export const eventsOf = perSession(createChannel);
