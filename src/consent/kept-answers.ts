import { SessionList } from "@/platform/session-list";
import type { SessionStorage } from "@/platform/session-storage";

interface KeptAnswer {
  id: string;
  answer: "once" | "deny";
  until: number;
}

/** Answers that are good for one asker and came while none was there: each waits for the next one, for a while. */
export class KeptAnswers {
  readonly #list: SessionList<KeptAnswer>;

  constructor(
    session: SessionStorage,
    private readonly now: () => number,
  ) {
    this.#list = new SessionList(session, "consent.answers");
  }

  async keep(id: string, answer: "once" | "deny", forMs: number): Promise<void> {
    const now = this.now();
    await this.#list.update((answers) => [
      ...answers.filter((kept) => kept.id !== id && kept.until > now),
      { id, answer, until: now + forMs },
    ]);
  }

  /** The answer kept for this question, which is used up by that. */
  async take(id: string): Promise<KeptAnswer["answer"] | null> {
    const now = this.now();
    let found: KeptAnswer | undefined;
    await this.#list.update((answers) => {
      found = answers.find((kept) => kept.id === id);
      return found ? answers.filter((kept) => kept !== found) : answers;
    });
    return found && found.until > now ? found.answer : null;
  }

  /** Drops what is kept for the questions that `concerns` picks. */
  async drop(concerns: (id: string) => boolean): Promise<void> {
    await this.#list.update((answers) =>
      answers.some(({ id }) => concerns(id)) ? answers.filter(({ id }) => !concerns(id)) : answers,
    );
  }
}
