/**
 * Consent: what asks is a *subject* (a script, or a kind of run), what it wants is an *effect*, and most effects happen to a *host*.
 * A decision is about exactly these three.
 */

/** Who wants something. `script:<uuid>`, or `run:<kind>` for runs that no script began. */
export type ConsentSubject = `script:${string}` | `run:${string}`;

/**
 * What is wanted. Adding one is a line here and its words in src/locales (`consent.effect.<effect>`).
 * - `connect`: requests to a host that the script's `@connect` lines do not cover
 * - `connect-private`: requests to a host on this computer or in its network
 * - `page-world`: to run with powers in the page's own world, where the page can read and use them; has no host
 */
export type ConsentEffect = "connect" | "connect-private" | "page-world";

export const CONSENT_EFFECTS: readonly ConsentEffect[] = ["connect", "connect-private", "page-world"];

/** What a person can answer: yes this time, yes while this run lasts, yes from now on; no this time, no from now on. */
export type ConsentAnswer = "once" | "run" | "always" | "deny" | "never";

/** A remembered decision: until it is revoked. (What is allowed for a run is kept apart, as it ends with the run or document.) */
export interface ConsentRow {
  /** {@link consentId} of subject, effect and host. */
  id: string;
  subject: ConsentSubject;
  effect: ConsentEffect;
  /** Host name as a URL has it (lower case, punycode), without port and final dot; "" for effects without one. */
  host: string;
  decision: "always" | "never";
  /** ms since the epoch. */
  decidedAt: number;
  /** ms since the epoch of the last request that this decided; absent when there was none. */
  usedAt?: number;
}

/** What is asked for, as the asker states it. */
export interface ConsentRequest {
  subject: ConsentSubject;
  /** Name of the script or run, as a person knows it. */
  subjectName: string;
  effect: ConsentEffect;
  host: string;
  /** What exactly would happen now, such as the method and address of the request: shown as data, at most 500 characters. */
  detail?: string;
  /** The run that asks, or the document for a script: what an answer "run" lasts for. */
  runId?: string;
  /** Where it comes from, when that is a page. */
  pageUrl?: string;
  tabId?: number;
}

/** A question that waits for an answer. */
export interface ConsentPrompt extends ConsentRequest {
  /** {@link consentId}: two askers of the same thing share a prompt. */
  id: string;
  askedAt: number;
  /** `asking` while somebody waits for the answer; `waiting` once nobody answered in time: the answer then counts for the next time. */
  state: "asking" | "waiting";
}

/** What came of a question. `waiting`: nobody answered in time, and the question rests on the consent page. */
export type ConsentOutcome = "allowed" | "denied" | "waiting";

/** The answer to one asker. */
export interface ConsentReply {
  outcome: ConsentOutcome;
  /** Of an allowed one: aborts, with a PermissionDeniedError as its reason, when what was allowed is taken back. */
  signal: AbortSignal;
}

/** What those get who need a person's word before they act. */
export interface ConsentAsker {
  /** What is decided already; null when a person has to be asked. */
  known(request: ConsentRequest): Promise<ConsentReply | null>;
  /**
   * Asks, unless it is decided already. An abort of `signal` withdraws the question and rejects with its reason.
   * @param options.timeoutMs how long the question waits for a person; left out, as long as the settings say
   * @throws TooManyQuestionsError when this subject, or all of them together, ask too much at a time
   */
  ask(request: ConsentRequest, options: { signal: AbortSignal; timeoutMs?: number }): Promise<ConsentReply>;
}

/** The subject of a question or decision, by its id. */
export function subjectOf(id: string): string {
  return (JSON.parse(id) as [string])[0];
}

/** The identity of a question: JSON, so that no part can pretend to be another. */
export function consentId(subject: ConsentSubject, effect: ConsentEffect, host: string): string {
  return JSON.stringify([subject, effect, host]);
}
