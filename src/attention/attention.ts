import type { ConsentRequest } from "@/consent/types";
import type { BadgeApi } from "@/platform/badge";
import type { NotificationsApi } from "@/platform/notifications";
import { SerialQueue } from "@/platform/serial-queue";
import type { SessionStorage } from "@/platform/session-storage";
import type { Settings } from "@/settings/contract";
import { Badge } from "./badge";
import { Notifier } from "./notifier";
import { type AttentionKey, say } from "./words";

export interface AttentionDeps {
  notifications: NotificationsApi;
  badge: BadgeApi;
  session: SessionStorage;
  settings(): Promise<Settings>;
  /** The browser's languages, the most wanted first. */
  languages(): readonly string[];
  openPage(path: string): Promise<void>;
  openUrl(url: string): Promise<void>;
  /** For what fails and has no caller who could be told. */
  report(error: unknown, during: string): void;
}

/** Calls the person to what waits for them, while no page of ours is in sight. */
export interface Attention {
  readonly notifier: Notifier;
  readonly badge: Badge;
  /** So many questions are open now. To be told at each change, and at a start if questions outlived the worker. */
  questions(count: number): void;
  /** A question rests since nobody answered it in time; a click on the notification opens the page of questions. */
  unattended(prompt: Pick<ConsentRequest, "subjectName" | "host">): void;
  /** So many errors are in the log that the person has not seen. */
  errors(count: number): void;
}

/** A question holds something up; an error has happened already. */
const PRIORITY = { questions: 20, errors: 10 };
/** One for all questions: whoever asks much does not fill the screen. */
const QUESTIONS_ID = "moggy:questions";

/** To be called while the worker's script is evaluated, see {@link Notifier}. */
export function createAttention(deps: AttentionDeps): Attention {
  const notifier = new Notifier({ ...deps, api: deps.notifications });
  const badge = new Badge(deps.badge, deps.session);
  const words = async (key: AttentionKey, params?: Record<string, string | number>): Promise<string> =>
    say((await deps.settings()).language, deps.languages(), key, params);
  /** One after the other, by what is told of: words have to be looked up, and what is said last must be what is shown. */
  const orders = { questions: new SerialQueue(), errors: new SerialQueue(), notification: new SerialQueue() };
  const told = (of: keyof typeof orders, during: string, work: () => Promise<unknown>): void => {
    orders[of].run(work).catch((error: unknown) => deps.report(error, during));
  };

  return {
    notifier,
    badge,
    questions: (count) => {
      told("questions", "Showing on the toolbar button that questions are open", async () => {
        if (count === 0) return badge.set("questions", null);
        const title = await words("attention.badge.questions", { n: count });
        await badge.set("questions", { priority: PRIORITY.questions, text: "?", tone: "accent", title });
      });
      if (count > 0) return;
      told("notification", "Taking away the notification of questions", () => notifier.close(QUESTIONS_ID));
    },
    unattended: ({ subjectName, host }) =>
      told("notification", "Telling of a question that nobody answered", async () => {
        await notifier.notify({
          id: QUESTIONS_ID,
          kind: "question",
          title: await words("attention.question.title", { name: subjectName }),
          message: host
            ? await words("attention.question.host", { host })
            : await words("attention.question.text"),
          open: { page: "options.html#/consent" },
        });
      }),
    errors: (count) =>
      told("errors", "Showing on the toolbar button that there are errors", async () => {
        if (count === 0) return badge.set("errors", null);
        const title = await words("attention.badge.errors", { n: count });
        await badge.set("errors", { priority: PRIORITY.errors, text: "!", tone: "danger", title });
      }),
  };
}
