import { NamedError } from "@/rpc/errors";
import { CONSENT_EFFECTS, type ConsentEffect, type ConsentSubject, consentId } from "./types";

/**
 * What a decision's id says.
 * @throws TypeError when {@link consentId} made no such id
 */
export function parseDecisionId(id: string): {
  subject: ConsentSubject;
  effect: ConsentEffect;
  host: string;
} {
  const [subject, effect, host] = parts(id);
  const known = CONSENT_EFFECTS.find((candidate) => candidate === effect);
  if (known && isSubject(subject) && typeof host === "string" && consentId(subject, known, host) === id) {
    return { subject, effect: known, host };
  }
  throw new NamedError("TypeError", `"${id.slice(0, 200)}" is not the id of a decision.`);
}

function isSubject(value: unknown): value is ConsentSubject {
  return typeof value === "string" && /^(script|run):./.test(value);
}

function parts(id: string): unknown[] {
  try {
    const value: unknown = JSON.parse(id);
    return Array.isArray(value) ? value : [];
  } catch {
    // What is no JSON has no parts: the caller says what is wrong.
    return [];
  }
}
