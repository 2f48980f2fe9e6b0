import type { Question } from "./questions";

/** How long things take, in ms. */
export const TIMES = {
  /** Askers that went away may come back, as a page does that is reloaded: so long the question stays. */
  linger: 1_000,
  /** So long those whom the worker's death cut off have to come back. */
  rejoin: 10_000,
  /** So long an answer waits for the asker that the worker's death cut off. */
  keep: 60_000,
  /** So long a "this time" to a question that rests waits for the next time. */
  keepResting: 10 * 60_000,
  /** So often the time is looked at while something is asked: the clock may be set, which moves no timer. */
  longestSleep: 60_000,
};

/** What is known of who waits for a question. */
export interface Waiting {
  /** Whether somebody waits for it now. */
  has(id: string): boolean;
  /** When one that nobody waits for is given up, in ms since the epoch. */
  lostAt(id: string): number | undefined;
}

/**
 * What time has brought: questions that rest from now on, since their time ran out, and those that go, since whoever asked them did
 * not come back. One that ran out while its asker may be on the way back is left until it is given up, and rests then: the person may
 * have missed it.
 */
export function due(
  questions: readonly Question[],
  waiting: Waiting,
  now: number,
): { rest: Question[]; gone: Question[] } {
  const rest: Question[] = [];
  const gone: Question[] = [];
  for (const question of questions) {
    if (question.state !== "asking") continue;
    const { id, until, waitMs } = question;
    const lost = !waiting.has(id) && isOver(waiting.lostAt(id) ?? now, TIMES.rejoin, now);
    const ranOut = until !== undefined && isOver(until, waitMs, now);
    if (ranOut && (lost || waiting.has(id))) rest.push(question);
    else if (lost) gone.push(question);
  }
  return { rest, gone };
}

/** Whether a time of at most `longest` has run out. One that is further away was set before the clock was set back. */
function isOver(at: number, longest: number, now: number): boolean {
  return at <= now || at - now > longest;
}

/** When {@link due} finds something next, in ms since the epoch; undefined when time brings nothing. */
export function nextDue(questions: readonly Question[], waiting: Waiting): number | undefined {
  const times = questions.flatMap(({ id, state, until }) => {
    if (state !== "asking") return [];
    return (waiting.has(id) ? until : (waiting.lostAt(id) ?? until)) ?? [];
  });
  return times.length === 0 ? undefined : Math.min(...times);
}
