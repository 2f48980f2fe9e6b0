import type { NotificationsApi } from "@/platform/notifications";
import { SerialQueue } from "@/platform/serial-queue";
import type { SessionStorage } from "@/platform/session-storage";
import { NamedError } from "@/rpc/errors";

/** Whose notification it is comes first, so that nobody replaces or closes another's. */
export type NotificationId = `moggy:${string}` | `script:${string}:${string}`;

/** What a click does. Data, not a function: the worker that made the notification may be gone by then. */
export type NotificationAction =
  /** One of our pages, such as `options.html#/consent`. */
  | { page: string }
  /** A web address, in a new tab. */
  | { url: string };

export interface NotificationInput {
  id: NotificationId;
  /** At most {@link LONGEST_TITLE} characters are shown. */
  title: string;
  /** At most {@link LONGEST_MESSAGE} characters are shown. */
  message: string;
  /** `question`: stays until it is dealt with. */
  kind: "info" | "question";
  /** What a click on it does; our options page when left out. */
  open?: NotificationAction;
  /** At most two. */
  buttons?: ReadonlyArray<{ label: string; open: NotificationAction }>;
}

export interface NotifierDeps {
  api: NotificationsApi;
  session: SessionStorage;
  openPage(path: string): Promise<void>;
  openUrl(url: string): Promise<void>;
  /** For what fails and has no caller who could be told. */
  report(error: unknown, during: string): void;
}

export const LONGEST_TITLE = 100;
export const LONGEST_MESSAGE = 400;
/** Those whose clicks are remembered; with more, the oldest open our options page. */
const MOST = 50;
const KEY = "notifications";
const HOME: NotificationAction = { page: "options.html" };

/** What clicks do, by notification. */
type Remembered = Record<string, { open: NotificationAction; buttons: NotificationAction[] }>;

/** Shows notifications whose clicks work in any later worker. There is one for an id: the next with the same id takes its place. */
export class Notifier {
  readonly #deps: NotifierDeps;
  readonly #changes = new SerialQueue();

  /** To be made while the worker's script is evaluated: the click that wakes a worker is delivered to listeners of that turn. */
  constructor(deps: NotifierDeps) {
    this.#deps = deps;
    deps.api.listen({
      clicked: (id, button) =>
        void this.#told("Opening what a notification leads to", this.#clicked(id, button)),
      closed: (id) => void this.#told("Forgetting a notification", this.#forget(id)),
    });
  }

  /** Shows one. Resolves false, and tells the log why, when the browser shows none. Never rejects. */
  notify({ id, title, message, kind, open = HOME, buttons = [] }: NotificationInput): Promise<boolean> {
    const shown = buttons.slice(0, 2);
    return this.#told(
      `Showing the notification “${clipped(title, LONGEST_TITLE)}”`,
      this.#changes.run(async () => {
        if (!(await this.#deps.api.available())) {
          throw new NamedError(
            "NotificationsOffError",
            "The browser or the system does not show notifications of Moggy. Allow them in the system's settings to be told of questions while no page of Moggy is open.",
          );
        }
        const { [id]: _, ...others } = await this.#remembered();
        const newest = Object.entries(others).slice(-(MOST - 1));
        await this.#deps.session.set(KEY, {
          ...Object.fromEntries(newest),
          [id]: { open, buttons: shown.map((button) => button.open) },
        } satisfies Remembered);
        await this.#deps.api.show(id, {
          title: clipped(title, LONGEST_TITLE),
          message: clipped(message, LONGEST_MESSAGE),
          buttons: shown.map(({ label }) => clipped(label, LONGEST_TITLE)),
          sticky: kind === "question",
        });
      }),
    );
  }

  /** Takes one away, if it is there. Never rejects. */
  async close(id: NotificationId): Promise<void> {
    await this.#told(
      "Closing a notification",
      this.#changes.run(async () => {
        const remembered = await this.#remembered();
        if (!(id in remembered)) return;
        await this.#deps.api.clear(id);
        await this.#drop(remembered, id);
      }),
    );
  }

  async #clicked(id: string, button: number | undefined): Promise<void> {
    const remembered = (await this.#remembered())[id];
    // The system may keep one for longer than the browser runs, and then nothing is remembered of it.
    const action = (button === undefined ? remembered?.open : remembered?.buttons[button]) ?? HOME;
    await this.#changes.run(async () => {
      await this.#deps.api.clear(id);
      await this.#drop(await this.#remembered(), id);
    });
    if ("page" in action) await this.#deps.openPage(action.page);
    else if (/^https?:/i.test(action.url)) await this.#deps.openUrl(action.url);
    else
      throw new NamedError(
        "TypeError",
        `The address “${action.url}” is none of the web, so it was not opened.`,
      );
  }

  #forget(id: string): Promise<void> {
    return this.#changes.run(async () => this.#drop(await this.#remembered(), id));
  }

  async #drop(remembered: Remembered, id: string): Promise<void> {
    if (!(id in remembered)) return;
    const { [id]: _, ...others } = remembered;
    await this.#deps.session.set(KEY, others);
  }

  async #remembered(): Promise<Remembered> {
    return (await this.#deps.session.get<Remembered>(KEY)) ?? {};
  }

  async #told(during: string, work: Promise<void>): Promise<boolean> {
    try {
      await work;
      return true;
    } catch (error) {
      this.#deps.report(error, during);
      return false;
    }
  }
}

/** A text of at most `longest` characters, on one line or a few, without half characters at its end. */
function clipped(text: string, longest: number): string {
  const trimmed = text.trim();
  return trimmed.length > longest ? `${trimmed.slice(0, longest - 1).toWellFormed()}…` : trimmed;
}
