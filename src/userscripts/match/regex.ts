import { type RuleLine, report } from "./rule-line";
import { REGEX, type Rule } from "./runtime-test";

const REGEX_LINE = /^\/(.+)\/([a-z]*)$/s;

/** True when an `@include` or `@exclude` value is a regular expression between slashes. */
export function isRegexLine(pattern: string): boolean {
  return REGEX_LINE.test(pattern);
}

/**
 * Reads `/source/flags`. The case does not count, as in other managers; `g` and `y` would make a test depend on the one
 * before it and are left out. The expression sees the whole URL without its fragment.
 * @returns null, with a problem reported, when the expression is broken.
 */
export function parseRegex(rule: RuleLine): Rule | null {
  const [, source = "", written = ""] = REGEX_LINE.exec(rule.pattern) ?? [];
  const flags = `${written.replace(/[giy]/g, "")}i`;
  try {
    new RegExp(source, flags);
  } catch (error) {
    report(rule, "match.invalid-regex", { reason: error instanceof Error ? error.message : String(error) });
    return null;
  }
  return [REGEX, source, flags];
}
