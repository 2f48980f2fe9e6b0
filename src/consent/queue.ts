import { SerialQueue } from "@/platform/serial-queue";
import { SessionList } from "@/platform/session-list";
import type { SessionStorage } from "@/platform/session-storage";
import { abortError, NamedError } from "@/rpc/errors";
import { Listeners } from "@/rpc/listeners";
import { type AskerRun, Askers, runOf } from "./askers";
import { KeptAnswers } from "./kept-answers";
import { letIn, type Question, refusedByClosing, shown, withQuestion } from "./questions";
import { QuietTimes } from "./quiet";
import { due, nextDue, type Waiting } from "./timing";
import {
  type ConsentAnswer,
  type ConsentOutcome,
  type ConsentPrompt,
  type ConsentRequest,
  type ConsentSubject,
  consentId,
} from "./types";

/** Askers that went away may come back at once, as a page does that is reloaded: so long the question stays. */
const LINGER_MS = 1_000;
/** So long those whom the worker's death cut off have to come back. */
const REJOIN_MS = 10_000;
/** So long an answer waits for the asker that the worker's death cut off. */
const KEEP_MS = 60_000;
/** So long a "this time" to a question that rests waits for the next time. */
const KEEP_RESTING_MS = 10 * 60_000;

export interface QueueDeps {
  session: SessionStorage;
  /** For what fails and has no caller who could be told. */
  report(during: string, error: unknown): void;
  now(): number;
}

/**
 * The questions that are open. They live in session storage, so a death of the worker loses none: askers ask again and join theirs.
 * Every change is made in one serial queue, so each sees the state that the one before it left.
 *
 * A question is *asking* while somebody waits, *held back* while its subject has enough others before the person, and *waiting* once
 * its time has run out. Without askers it goes, unless it waits.
 */
export class PromptQueue {
  readonly #questions: SessionList<Question>;
  readonly #kept: KeptAnswers;
  readonly #quiet: QuietTimes;
  readonly #askers = new Askers();
  readonly #serial = new SerialQueue();
  readonly #changes = new Listeners();
  readonly #unattended = new Listeners<[ConsentPrompt[]]>();
  /** When questions without askers go, in ms since the epoch. */
  readonly #orphans = new Map<string, number>();
  readonly #waiting: Waiting = {
    has: (id) => this.#askers.has(id),
    lostAt: (id) => this.#orphans.get(id),
  };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #taken = false;

  constructor(private readonly deps: QueueDeps) {
    this.#questions = new SessionList(deps.session, "consent.prompts");
    this.#kept = new KeptAnswers(deps.session, deps.now);
    this.#quiet = new QuietTimes(deps.session, deps.now);
  }

  /**
   * Asks, or joins whoever asks the same already. Rejects when `signal` aborts, which withdraws the question.
   * @param decided what is decided by the time that it is this question's turn: the person may just have answered the same
   */
  async ask(
    request: ConsentRequest,
    signal: AbortSignal,
    waitMs: number,
    decided: () => Promise<ConsentOutcome | null>,
  ): Promise<ConsentOutcome> {
    if (signal.aborted) throw abortError(signal.reason);
    const id = consentId(request.subject, request.effect, request.host);
    const asker = this.#askers.make(request);
    const settled = await this.#change(async () => {
      const known = (await decided()) ?? (await this.#enter(id, request, waitMs));
      if (known === null) this.#askers.add(id, asker);
      return known;
    });
    if (settled !== null) return settled;
    const leave = () => {
      asker.reject(abortError(signal.reason));
      if (this.#askers.delete(id, asker)) this.#told(this.#orphaned(id));
    };
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    try {
      return await asker.outcome;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** What a person is shown, oldest first. */
  async open(): Promise<ConsentPrompt[]> {
    // So that what a dead worker left behind is set in order first.
    await this.#change(async () => undefined);
    return (await this.#questions.read()).flatMap((question) => shown(question) ?? []);
  }

  /** Those among them that somebody waits for. */
  async asked(): Promise<ConsentPrompt[]> {
    return (await this.open()).filter(({ state }) => state === "asking");
  }

  /**
   * Answers a question.
   * @param remember is given the question and the runs that wait for it, and stores what the answer means from now on; when it
   * fails, the question stays open
   * @throws NotFoundError when it is not open (any more)
   */
  answer(
    id: string,
    answer: ConsentAnswer,
    remember: (question: ConsentPrompt, runs: AskerRun[]) => Promise<void>,
  ): Promise<void> {
    return this.#change(async () => {
      const question = await this.#require(id);
      const waiting = this.#askers.runs(id);
      await remember(question, waiting.length > 0 ? waiting : [runOf(question) ?? []].flat());
      const allowed = answer === "once" || answer === "run" || answer === "always";
      if (allowed) await this.#quiet.lift(id, question.subject);
      if (answer === "deny") await this.#quiet.strike([id]);
      if (!this.#askers.has(id)) {
        if (answer === "once") {
          await this.#kept.keep(id, "once", question.state === "asking" ? KEEP_MS : KEEP_RESTING_MS);
        } else if (answer === "deny" && question.state === "asking") {
          await this.#kept.keep(id, "deny", KEEP_MS);
        }
      }
      await this.#remove([id]);
      this.#askers.settle(id, allowed ? "allowed" : "denied");
    });
  }

  /** Takes a question off the list that rests. @throws NotFoundError when it does not */
  dismiss(id: string): Promise<void> {
    return this.#change(async () => {
      const question = await this.#require(id);
      if (question.state === "asking") throw notOpen("It is being asked again: answer it.");
      await this.#remove([id]);
    });
  }

  /** Refuses all that a subject asks, also what is held back; `remember` as in {@link answer}. */
  refuseAll(subject: ConsentSubject, remember: (questions: ConsentPrompt[]) => Promise<void>): Promise<void> {
    return this.#change(async () => {
      const own = (await this.#questions.read()).filter((question) => question.subject === subject);
      await remember(own);
      await this.#refuse(own);
      await this.#kept.drop((id) => own.some((question) => question.id === id));
    });
  }

  /** The person closed the window that asked: not now, to all of it. What appeared only as it closed stays. */
  closed(): Promise<void> {
    return this.#change(async () => {
      const refused = refusedByClosing(await this.#questions.read(), this.deps.now());
      await this.#quiet.strike([...new Set(refused.flatMap(({ id, subject }) => [id, subject]))]);
      for (const { id } of refused) if (!this.#askers.has(id)) await this.#kept.keep(id, "deny", KEEP_MS);
      await this.#refuse(refused);
    });
  }

  /** Runs `listener` after each change of what a person is shown; returns what stops that. */
  readonly onChange = this.#changes.add;

  /** Runs `listener` with those questions whose time has run out; returns what stops that. */
  readonly onUnattended = this.#unattended.add;

  /** Drops everything; those who wait are denied. */
  reset(): Promise<void> {
    return this.#change(async () => {
      await this.#refuse(await this.#questions.read());
      await this.#kept.drop(() => true);
      await this.#quiet.clear();
    });
  }

  /** Puts the question on the list. @returns what is settled without asking, null when it has to be waited for */
  async #enter(id: string, request: ConsentRequest, waitMs: number): Promise<ConsentOutcome | null> {
    const kept = await this.#kept.take(id);
    if (kept !== null) return kept === "once" ? "allowed" : "denied";
    const now = this.deps.now();
    const open = (await this.#questions.read()).find((question) => question.id === id);
    if (open?.state === "asking") {
      this.#orphans.delete(id);
      if (open.until === undefined || open.until > now) return null;
      // Its time ran out while no worker was there.
      await this.#rest([open]);
      return "waiting";
    }
    if (await this.#quiet.holds(id, request.subject)) return open ? "waiting" : "denied";
    const question: Question = { ...request, id, askedAt: now, state: "asking", waitMs };
    await this.#questions.update((all) =>
      withQuestion(
        all.filter((other) => other.id !== id),
        question,
      ),
    );
    return null;
  }

  /** Makes a change, and then what follows from it: who is put before the person, who is told, when time runs out. */
  #change<T>(work: () => Promise<T>): Promise<T> {
    return this.#serial.run(async () => {
      await this.#takeOver();
      const before = await this.#questions.read();
      const result = await work();
      await this.#questions.update((questions) => letIn(questions, this.deps.now()));
      const after = await this.#questions.read();
      this.#schedule(after);
      if (after !== before) this.#changes.tell();
      return result;
    });
  }

  /** Once a start: what a dead worker left waits for its askers. */
  async #takeOver(): Promise<void> {
    if (this.#taken) return;
    const left = await this.#questions.read();
    this.#taken = true;
    for (const { id, state } of left) {
      if (state === "asking") this.#orphans.set(id, this.deps.now() + REJOIN_MS);
    }
    this.#schedule(left);
  }

  async #orphaned(id: string): Promise<void> {
    await this.#change(async () => {
      const question = (await this.#questions.read()).find((candidate) => candidate.id === id);
      if (question?.state === "asking" && !this.#askers.has(id)) {
        this.#orphans.set(id, this.deps.now() + LINGER_MS);
      }
    });
  }

  async #tick(): Promise<void> {
    await this.#change(async () => {
      const { rest, gone } = due(await this.#questions.read(), this.#waiting, this.deps.now());
      await this.#rest(rest);
      await this.#remove(gone.map(({ id }) => id));
    });
  }

  async #rest(questions: readonly Question[]): Promise<void> {
    if (questions.length === 0) return;
    const ids = new Set(questions.map(({ id }) => id));
    await this.#quiet.strike([...ids]);
    await this.#questions.update((all) =>
      all.map((question) => {
        if (!ids.has(question.id)) return question;
        this.#orphans.delete(question.id);
        const { shownAt: _shownAt, until: _until, ...rest } = question;
        return { ...rest, state: "waiting" as const };
      }),
    );
    const resting = (await this.#questions.read()).flatMap((q) => (ids.has(q.id) ? (shown(q) ?? []) : []));
    for (const id of ids) this.#askers.settle(id, "waiting");
    this.#unattended.tell(resting);
  }

  async #refuse(questions: readonly Question[]): Promise<void> {
    await this.#remove(questions.map(({ id }) => id));
    for (const { id } of questions) this.#askers.settle(id, "denied");
  }

  async #remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    for (const id of ids) this.#orphans.delete(id);
    await this.#questions.update((all) => all.filter(({ id }) => !ids.includes(id)));
  }

  async #require(id: string): Promise<Question> {
    const question = (await this.#questions.read()).find((candidate) => candidate.id === id);
    if (!question) throw notOpen("It was answered elsewhere, or whoever asked it went away.");
    return question;
  }

  #schedule(questions: readonly Question[]): void {
    clearTimeout(this.#timer);
    const at = nextDue(questions, this.#waiting);
    if (at === undefined) return;
    this.#timer = setTimeout(() => this.#told(this.#tick()), Math.max(0, at - this.deps.now()));
  }

  /** For what time does by itself: nobody waits for it. */
  #told(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.deps.report("Bringing the open questions up to date", error));
  }
}

function notOpen(why: string): NamedError {
  return new NamedError("NotFoundError", `This question is not open any more. ${why}`);
}
