import { SerialQueue } from "@/platform/serial-queue";
import { SessionList } from "@/platform/session-list";
import type { SessionStorage } from "@/platform/session-storage";
import { abortError } from "@/rpc/errors";
import { Listeners } from "@/rpc/listeners";
import { type AskerRun, Askers, runOf } from "./askers";
import { KeptAnswers } from "./kept-answers";
import {
  atRest,
  letIn,
  nextQuestion,
  notOpen,
  type Question,
  refusedByClosing,
  shown,
  withQuestion,
} from "./questions";
import { QuietTimes } from "./quiet";
import { due, nextDue, TIMES } from "./timing";
import {
  type ConsentAnswer,
  type ConsentOutcome,
  type ConsentPrompt,
  type ConsentRequest,
  type ConsentSubject,
  consentId,
  subjectOf,
} from "./types";

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
    const asker = this.#askers.make(request, waitMs);
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
   * @param askedAt of the question as it was seen: the same thing asked again later is another one
   * @throws NotFoundError when it is not open (any more)
   */
  answer(
    id: string,
    answer: ConsentAnswer,
    remember: (question: ConsentPrompt, runs: AskerRun[]) => Promise<void>,
    askedAt?: number,
  ): Promise<void> {
    return this.#change(async () => {
      const question = await this.#require(id);
      if ((askedAt ?? question.askedAt) !== question.askedAt)
        throw notOpen("It was asked anew: answer that.");
      const waiting = this.#askers.runs(id);
      await remember(question, waiting.length > 0 ? waiting : [runOf(question) ?? []].flat());
      const allowed = answer === "once" || answer === "run" || answer === "always";
      if (allowed) await this.#quiet.lift(id, question.subject);
      if (answer === "deny") await this.#quiet.strike([id]);
      if (answer === "once") return this.#allowOnce(question);
      if (answer === "deny" && question.state === "asking" && !this.#askers.has(id)) {
        await this.#kept.keep(question, "deny", TIMES.keep);
      }
      await this.#remove([id]);
      this.#askers.settle(id, allowed ? "allowed" : "denied");
    });
  }

  /** This time, and what the person was shown: whoever would do something else on the same host is asked about next. */
  async #allowOnce(question: Question): Promise<void> {
    const { id, detail, state } = question;
    const told = this.#askers.settleThose(id, "allowed", (request) => request.detail === detail);
    if (told === 0)
      await this.#kept.keep(question, "once", state === "asking" ? TIMES.keep : TIMES.keepResting);
    await this.#remove([id]);
    const next = this.#askers.first(id);
    if (next) await this.#questions.update((all) => [...all, nextQuestion(question, next, this.deps.now())]);
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
      // Also what was said to questions that are gone: whoever comes back may be another version of the script.
      await this.#kept.drop((id) => subjectOf(id) === subject);
    });
  }

  /** The person closed the window that asked: not now, to all of it. What appeared only as it closed stays. */
  closed(): Promise<void> {
    return this.#change(async () => {
      const refused = refusedByClosing(await this.#questions.read(), this.deps.now());
      await this.#quiet.strike([...new Set(refused.flatMap(({ id, subject }) => [id, subject]))]);
      for (const { id } of refused)
        if (!this.#askers.has(id)) await this.#kept.keep({ id }, "deny", TIMES.keep);
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
    const kept = await this.#kept.take(id, request.detail);
    if (kept !== null) return kept === "once" ? "allowed" : "denied";
    const now = this.deps.now();
    const open = (await this.#questions.read()).find((question) => question.id === id);
    if (open?.state === "asking") {
      this.#askers.found(id);
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
      if (state === "asking") this.#askers.lose(id, this.deps.now() + TIMES.rejoin);
    }
    this.#schedule(left);
  }

  async #orphaned(id: string): Promise<void> {
    await this.#change(async () => {
      const question = (await this.#questions.read()).find((candidate) => candidate.id === id);
      if (question?.state === "asking" && !this.#askers.has(id)) {
        this.#askers.lose(id, this.deps.now() + TIMES.linger);
      }
    });
  }

  async #tick(): Promise<void> {
    await this.#change(async () => {
      const { rest, gone } = due(await this.#questions.read(), this.#askers, this.deps.now());
      await this.#rest(rest);
      await this.#remove(gone.map(({ id }) => id));
    });
  }

  async #rest(questions: readonly Question[]): Promise<void> {
    if (questions.length === 0) return;
    const ids = new Set(questions.map(({ id }) => id));
    await this.#quiet.strike([...ids]);
    for (const id of ids) this.#askers.found(id);
    await this.#questions.update((all) => all.map((q) => (ids.has(q.id) ? atRest(q) : q)));
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
    for (const id of ids) this.#askers.found(id);
    await this.#questions.update((all) => all.filter(({ id }) => !ids.includes(id)));
  }

  async #require(id: string): Promise<Question> {
    const question = (await this.#questions.read()).find((candidate) => candidate.id === id);
    if (!question) throw notOpen("It was answered elsewhere, or whoever asked it went away.");
    return question;
  }

  #schedule(questions: readonly Question[]): void {
    clearTimeout(this.#timer);
    const at = nextDue(questions, this.#askers);
    if (at === undefined) return;
    const wait = Math.min(Math.max(0, at - this.deps.now()), TIMES.longestSleep);
    this.#timer = setTimeout(() => this.#told(this.#tick()), wait);
  }

  /** For what time does by itself: nobody waits for it. */
  #told(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.deps.report("Bringing the open questions up to date", error));
  }
}
