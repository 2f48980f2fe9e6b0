import { NamedError } from "@/rpc/errors";
import type { Asker } from "./askers";
import type { ConsentPrompt, ConsentSubject } from "./types";

/** A question with what only the queue knows of it. */
export interface Question extends ConsentPrompt {
  /** How long it is put to the person, in ms. */
  waitMs: number;
  /** ms since the epoch: since when it is put to the person, absent while it is held back; and until when. */
  shownAt?: number;
  until?: number;
}

/** Questions of one subject that a person is shown at a time; the others are held back until one is gone. */
const MOST_SHOWN = 3;
/** Questions that one subject, and all of them together, may have open. */
const MOST_OF_SUBJECT = 20;
const MOST = 100;
/** A window that closes within this time after a question appeared was not closed because of it. */
const UNSEEN_MS = 500;

/** As the person's pages get it; null for one that is held back. */
export function shown(question: Question): ConsentPrompt | null {
  const { waitMs: _waitMs, shownAt, until: _until, ...prompt } = question;
  return prompt.state === "waiting" || shownAt !== undefined ? prompt : null;
}

/** Whether a question is put to the person and waited for. */
function isAsked({ state, shownAt }: Question): boolean {
  return state === "asking" && shownAt !== undefined;
}

/** The question as it is once its time has run out. */
export function atRest({ shownAt: _shownAt, until: _until, ...question }: Question): Question {
  return { ...question, state: "waiting" };
}

/** What a person refuses who closes the window: all that they could see there, and what is held back behind it. */
export function refusedByClosing(questions: readonly Question[], now: number): Question[] {
  const seen = questions.filter((q) => isAsked(q) && (q.shownAt ?? 0) <= now - UNSEEN_MS);
  const subjects = new Set(seen.map(({ subject }) => subject));
  const isHeldBack = (q: Question) => q.state === "asking" && q.shownAt === undefined;
  return questions.filter((q) => seen.includes(q) || (isHeldBack(q) && subjects.has(q.subject)));
}

/** Puts those to the person for whom there is room. The same list back means that nothing changed. */
export function letIn(questions: readonly Question[], now: number): readonly Question[] {
  const counts = new Map<ConsentSubject, number>();
  for (const question of questions) {
    if (isAsked(question)) counts.set(question.subject, (counts.get(question.subject) ?? 0) + 1);
  }
  let changed = false;
  const next = questions.map((question) => {
    const count = counts.get(question.subject) ?? 0;
    if (question.state !== "asking" || question.shownAt !== undefined || count >= MOST_SHOWN) return question;
    counts.set(question.subject, count + 1);
    changed = true;
    return { ...question, shownAt: now, until: now + question.waitMs };
  });
  return changed ? next : questions;
}

/**
 * The list with one more; where a subject has too many, its oldest resting question makes room, and where all together have, the oldest
 * of whoever has most of them resting: who asks much does not take the others' room for as long as nobody looks.
 * @throws TooManyQuestionsError when all are still being asked
 */
export function withQuestion(questions: readonly Question[], added: Question): readonly Question[] {
  const own = questions.filter(({ subject }) => subject === added.subject);
  let kept = questions;
  if (own.length >= MOST_OF_SUBJECT || questions.length >= MOST) {
    const resting = own.length >= MOST_OF_SUBJECT ? own.find(isResting) : mostResting(questions);
    if (!resting) {
      throw new NamedError(
        "TooManyQuestionsError",
        `"${added.subjectName}" asked too many questions at a time. Wait until some are answered, or name what it needs in the script's metadata.`,
      );
    }
    kept = questions.filter((question) => question !== resting);
  }
  return [...kept, added];
}

function isResting({ state }: Question): boolean {
  return state === "waiting";
}

/** The oldest resting question of the subject that has most of them. */
function mostResting(questions: readonly Question[]): Question | undefined {
  const counts = new Map<ConsentSubject, number>();
  const resting = questions.filter(isResting);
  for (const { subject } of resting) counts.set(subject, (counts.get(subject) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return resting.find(({ subject }) => counts.get(subject) === most);
}

/**
 * The question of an asker whom a "this time" did not mean, as it would do something else. It is asked later than the one before,
 * whatever the clock says, and so takes no answer that was meant for that.
 */
export function nextQuestion(before: Question, { request, waitMs }: Asker, now: number): Question {
  const askedAt = Math.max(now, before.askedAt + 1);
  return { ...request, id: before.id, askedAt, state: "asking", waitMs };
}

/** Why an answer to it comes too late. */
export function notOpen(why: string): NamedError {
  return new NamedError("NotFoundError", `This question is not open any more. ${why}`);
}
