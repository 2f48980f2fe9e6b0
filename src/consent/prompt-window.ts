import type { PromptWindows } from "@/platform/prompt-window";
import { SerialQueue } from "@/platform/serial-queue";
import type { SessionStorage } from "@/platform/session-storage";
import type { PageCaller } from "@/rpc/caller";
import { OPENED_KEY, type Opened } from "./opened";
import type { PromptQueue } from "./queue";

/** The person may leave the page of ours that asks, and no event tells: so often it is looked at while something is asked. */
const LOOK_MS = 5_000;
/** The window's page closes it itself, once the person could read what became of the last question. If it does not, it is closed. */
const IDLE_MS = 10_000;

export interface PromptWindowDeps {
  windows: PromptWindows;
  queue: PromptQueue;
  session: SessionStorage;
  /** For what fails and has no caller who could be told. */
  report(during: string, error: unknown): void;
}

/**
 * Opens the prompt window when something is asked and no page of ours that shows the questions is in front of the person, brings it
 * to the front for each further question, and closes it when nothing is open any more. Closing it by hand says "not now" to all.
 */
export class PromptWindow {
  readonly #viewers = new Set<PageCaller>();
  readonly #serial = new SerialQueue();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** To be made while the worker's script is evaluated: a closed window can be what wakes the worker. */
  constructor(private readonly deps: PromptWindowDeps) {
    deps.windows.onClosed((id) => this.#told(this.#closed(id)));
    deps.queue.onChange(() => this.#told(this.#review()));
  }

  /** A page of ours shows the questions; returns what ends that. */
  viewing(page: PageCaller): () => void {
    this.#viewers.add(page);
    return () => {
      this.#viewers.delete(page);
      this.#told(this.#review());
    };
  }

  #review(): Promise<void> {
    return this.#serial.run(async () => {
      clearTimeout(this.#timer);
      const { queue, windows, session } = this.deps;
      const opened = await this.#opened();
      const asked = (await queue.asked()).map(({ id }) => id);
      if (asked.length === 0) {
        if (opened) this.#timer = setTimeout(() => this.#told(this.#closeIdle()), IDLE_MS);
        return;
      }
      this.#timer = setTimeout(() => this.#told(this.#review()), LOOK_MS);
      if (opened && asked.every((id) => opened.shownFor.includes(id))) return;
      const inFront = await this.#inFront();
      if (opened && (inFront || (await windows.focus(opened.windowId)))) {
        await session.set(OPENED_KEY, { ...opened, shownFor: asked });
      } else if (!inFront) {
        await session.set(OPENED_KEY, { windowId: await windows.open(), shownFor: asked });
      }
    });
  }

  /** Resting questions may keep it open: it says where they are. */
  #closeIdle(): Promise<void> {
    return this.#serial.run(async () => {
      const { queue, windows, session } = this.deps;
      const opened = await this.#opened();
      if (!opened || (await queue.open()).length > 0) return;
      // Before it closes, so that its closing is not taken for the person's.
      await session.remove(OPENED_KEY);
      await windows.close(opened.windowId);
    });
  }

  /** The window that is open, of this worker or one before it. If it is gone, the person closed it: the event may be yet to come. */
  async #opened(): Promise<Opened | undefined> {
    const { session, windows, queue } = this.deps;
    const opened = await session.get<Opened>(OPENED_KEY);
    if (!opened || (await windows.exists(opened.windowId))) return opened;
    await session.remove(OPENED_KEY);
    await queue.closed();
    return undefined;
  }

  /** Whether a page of ours that shows the questions is what the person looks at. One in no tab is the popup, which is. */
  async #inFront(): Promise<boolean> {
    for (const { tabId } of this.#viewers) {
      if (tabId < 0 || (await this.deps.windows.inFront(tabId))) return true;
    }
    return false;
  }

  async #closed(id: number): Promise<void> {
    const opened = await this.deps.session.get<Opened>(OPENED_KEY);
    if (opened?.windowId === id) await this.#review();
  }

  #told(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.deps.report("Showing the window for questions", error));
  }
}
