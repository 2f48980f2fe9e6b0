import type { RawEntry } from "./entry";
import { MASK, maskPatterns } from "./mask";
import type { SecretFinder } from "./secrets";

/** Characters of each field that are kept. */
const LONGEST = { source: 200, name: 100, during: 300, message: 2_000, stack: 8_000 };
/** Read beyond what is kept, so that a secret that lies across the cut is masked as a whole. */
const READ_ON = 2_000;

/** Takes secrets out of a text: those that are known, and all that looks like one. */
export function maskText(text: string, secrets: SecretFinder): string {
  return maskPatterns(secrets.mask(text, MASK));
}

/** The entry as it may be stored: secrets masked in every field, then cut. */
export function maskEntry<E extends RawEntry>(entry: E, secrets: SecretFinder): E {
  const field = (text: string, longest: number): string => {
    const masked = maskText(beginning(text, longest + READ_ON), secrets);
    return masked.length > longest ? `${masked.slice(0, longest - 1).toWellFormed()}…` : masked;
  };
  return {
    ...entry,
    source: field(entry.source, LONGEST.source),
    name: field(entry.name, LONGEST.name),
    during: field(entry.during, LONGEST.during),
    message: field(entry.message, LONGEST.message),
    ...(entry.stack === undefined ? {} : { stack: field(entry.stack, LONGEST.stack) }),
  };
}

/** The first `length` characters; a word that the cut would go through is left out, as it may be the beginning of a secret. */
function beginning(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, length).replace(/\S{1,500}$/, "");
}
