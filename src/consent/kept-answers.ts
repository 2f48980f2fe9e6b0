import { SessionList } from "@/platform/session-list";
import type { SessionStorage } from "@/platform/session-storage";
import type { ConsentPrompt } from "./types";

interface KeptAnswer {
  id: string;
  answer: "once" | "deny";
  /** Of a yes: what exactly it was said to. */
  detail?: string;
  until: number;
}

/** An answer that would be good for longer was kept before the clock was set back. */
const LONGEST_MS = 10 * 60_000;

/** Answers that are good for one asker and came while none was there: each waits for the next one, for a while. */
export class KeptAnswers {
  readonly #list: SessionList<KeptAnswer>;

  constructor(
    session: SessionStorage,
    private readonly now: () => number,
  ) {
    this.#list = new SessionList(session, "consent.answers");
  }

  async keep(
    { id, detail }: Pick<ConsentPrompt, "id" | "detail">,
    answer: KeptAnswer["answer"],
    forMs: number,
  ): Promise<void> {
    const until = this.now() + Math.min(forMs, LONGEST_MS);
    const kept: KeptAnswer = {
      id,
      answer,
      until,
      ...(answer === "once" && detail !== undefined && { detail }),
    };
    await this.#list.update((answers) => [
      ...answers.filter((other) => this.#holds(other) && !(other.id === id && other.detail === kept.detail)),
      kept,
    ]);
  }

  /** The answer kept for this question, which is used up by that. A yes is only for what it was said to. */
  async take(id: string, detail: string | undefined): Promise<KeptAnswer["answer"] | null> {
    let found: KeptAnswer | undefined;
    await this.#list.update((answers) => {
      found = answers.find((kept) => kept.id === id && (kept.answer === "deny" || kept.detail === detail));
      return found ? answers.filter((kept) => kept !== found) : answers;
    });
    return found && this.#holds(found) ? found.answer : null;
  }

  #holds({ until }: KeptAnswer): boolean {
    const left = until - this.now();
    return left > 0 && left <= LONGEST_MS;
  }

  /** Drops what is kept for the questions that `concerns` picks. */
  async drop(concerns: (id: string) => boolean): Promise<void> {
    await this.#list.update((answers) =>
      answers.some(({ id }) => concerns(id)) ? answers.filter(({ id }) => !concerns(id)) : answers,
    );
  }
}
