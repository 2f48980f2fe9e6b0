import { decodeLabel } from "./punycode";
import { untrustedText } from "./untrusted-text";

/** A host as it is shown to somebody who has to decide about it. */
export interface HostName {
  /** As a URL has it: ASCII, Punycode included. Never shortened: the end of a name is what counts. */
  ascii: string;
  /** What its Punycode stands for; absent where there is none. */
  readable?: string;
  /**
   * Why the readable form may deceive: `mixed` has letters of several scripts in one part, `lookalike` is made of letters that
   * look like Latin ones, `undecodable` stands for nothing at all.
   */
  warning?: "mixed" | "lookalike" | "undecodable";
}

/** A name has 253 characters at most (RFC 1035); whatever is longer is none. */
const LONGEST = 253;

/** Scripts that are written together: UTS 39, "highly restrictive". */
const TOGETHER: ReadonlyArray<ReadonlySet<string>> = [
  new Set(["Latin", "Han", "Hiragana", "Katakana"]),
  new Set(["Latin", "Han", "Bopomofo"]),
  new Set(["Latin", "Han", "Hangul"]),
];
const SCRIPTS = [
  ["Latin", /\p{Script=Latin}/u],
  ["Han", /\p{Script=Han}/u],
  ["Hiragana", /\p{Script=Hiragana}/u],
  ["Katakana", /\p{Script=Katakana}/u],
  ["Bopomofo", /\p{Script=Bopomofo}/u],
  ["Hangul", /\p{Script=Hangul}/u],
  ["Cyrillic", /\p{Script=Cyrillic}/u],
  ["Greek", /\p{Script=Greek}/u],
] as const;
/** Belongs to no script of its own: digits, hyphens, marks. */
const NEUTRAL = /[\p{Script=Common}\p{Script=Inherited}]/u;
/** Letters of other scripts that are read as Latin ones at a glance. */
const LATIN_LIKE = /^[\p{Script=Common}\p{Script=Inherited}асԁеһіјӏорԛѕѵԝхуүкмнтвгпьԍαικνορτυχγηωօսհոզցѕ]+$/u;

/** @param host as a URL has it, without port */
export function hostName(host: string): HostName {
  const ascii = untrustedText(host, LONGEST);
  if (!/(^|\.)xn--/i.test(host)) return { ascii };
  const labels = host.slice(0, LONGEST).split(".").map(decodeLabel);
  if (labels.includes(null)) return { ascii, warning: "undecodable" };
  const decoded = labels.filter((label) => label !== null);
  const readable = untrustedText(decoded.join("."), LONGEST);
  const foreign = decoded.filter((label) => /[^\0-\x7f]/.test(label));
  if (foreign.some((label) => !isOneWriting(label))) return { ascii, readable, warning: "mixed" };
  if (foreign.some((label) => LATIN_LIKE.test(label))) return { ascii, readable, warning: "lookalike" };
  return { ascii, readable };
}

/** Whether the letters of a label are of one script, or of scripts that are written together. */
function isOneWriting(label: string): boolean {
  const found = new Set<string>();
  for (const letter of label) {
    if (NEUTRAL.test(letter)) continue;
    found.add(SCRIPTS.find(([, script]) => script.test(letter))?.[0] ?? "other");
  }
  return found.size <= 1 || TOGETHER.some((set) => [...found].every((script) => set.has(script)));
}
