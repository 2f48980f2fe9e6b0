import type { Question } from "./questions";

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
    const lost = !waiting.has(question.id) && (waiting.lostAt(question.id) ?? now) <= now;
    const ranOut = question.until !== undefined && question.until <= now;
    if (ranOut && (lost || waiting.has(question.id))) rest.push(question);
    else if (lost) gone.push(question);
  }
  return { rest, gone };
}

/** When {@link due} finds something next, in ms since the epoch; undefined when time brings nothing. */
export function nextDue(questions: readonly Question[], waiting: Waiting): number | undefined {
  const times = questions.flatMap(({ id, state, until }) => {
    if (state !== "asking") return [];
    return (waiting.has(id) ? until : (waiting.lostAt(id) ?? until)) ?? [];
  });
  return times.length === 0 ? undefined : Math.min(...times);
}
