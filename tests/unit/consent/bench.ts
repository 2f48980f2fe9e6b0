import { PromptQueue } from "@/consent/queue";
import type { ConsentAnswer, ConsentRequest } from "@/consent/types";
import { consentId } from "@/consent/types";
import type { SessionStorage } from "@/platform/session-storage";

/** A request of script `s` in document `doc`. */
export function request(changes: Partial<ConsentRequest> = {}): ConsentRequest {
  return {
    subject: "script:s",
    subjectName: "My script",
    effect: "connect",
    host: "a.test",
    runId: "doc",
    tabId: 1,
    pageUrl: "https://page.test/",
    ...changes,
  };
}

export const idOf = ({ subject, effect, host }: ConsentRequest): string => consentId(subject, effect, host);

/** A queue on a session storage, as a start of the worker makes one. */
export class QueueBench {
  readonly queue: PromptQueue;
  #dead = false;
  readonly failures: unknown[] = [];

  constructor(
    readonly session: SessionStorage,
    private readonly waitMs = 120_000,
  ) {
    this.queue = new PromptQueue({
      session: this.#mortal(session),
      report: (_during, error) => this.failures.push(error),
      now: () => Date.now(),
    });
  }

  /** The worker dies: what goes on in it reaches nothing any more. */
  die(): void {
    this.#dead = true;
  }

  #mortal(session: SessionStorage): SessionStorage {
    const alive = async <T>(work: () => Promise<T>): Promise<T> =>
      this.#dead ? new Promise<never>(() => undefined) : work();
    return {
      get: (key) => alive(() => session.get(key)),
      set: (key, value) => alive(() => session.set(key, value)),
      remove: (key) => alive(() => session.remove(key)),
    };
  }

  /** Asks, and gives what came of it as text: an outcome, or `threw <name>`; `open` until then. */
  ask(
    changes: Partial<ConsentRequest> = {},
    abort = new AbortController(),
  ): { abort: AbortController; state: string } {
    const asked = { abort, state: "open" };
    this.queue
      .ask(request(changes), abort.signal, this.waitMs, async () => null)
      .then(
        (outcome) => {
          asked.state = outcome;
        },
        (error: Error) => {
          asked.state = `threw ${error.name}`;
        },
      );
    return asked;
  }

  answer(
    answer: ConsentAnswer,
    changes: Partial<ConsentRequest> = {},
    seen: string[] = [],
    askedAt?: number,
  ): Promise<void> {
    const remember = async (_prompt: unknown, runs: Array<{ runId: string }>) => {
      seen.push(...runs.map(({ runId }) => runId));
    };
    return this.queue.answer(idOf(request(changes)), answer, remember, askedAt);
  }

  /** What is open, as `host state`. */
  async open(): Promise<string[]> {
    return (await this.queue.open()).map(({ host, state }) => `${host} ${state}`);
  }
}
