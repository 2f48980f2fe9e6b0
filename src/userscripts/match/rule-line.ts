import { type Problem, type ProblemParams, problem } from "../metadata";

/** Problems that name a key and a pattern. */
type LineProblem = {
  [C in keyof ProblemParams]: "pattern" extends ProblemParams[C] ? C : never;
}[keyof ProblemParams];

/** One `@match`, `@include`, `@exclude` or `@exclude-match` line on its way to a rule. */
export interface RuleLine {
  key: "match" | "include" | "exclude" | "exclude-match";
  pattern: string;
  /** 0 when the line is not in the script. */
  line: number;
  problems: Problem[];
}

/** Reports a problem with this line. */
export function report<C extends LineProblem>(
  rule: RuleLine,
  code: C,
  extra: Record<Exclude<ProblemParams[C], "key" | "pattern">, string>,
): void {
  const params = { key: rule.key, pattern: shorten(rule.pattern), ...extra };
  rule.problems.push(problem(code, rule.line, params as Record<ProblemParams[C], string>));
}

function shorten(pattern: string): string {
  return pattern.length > 200 ? `${pattern.slice(0, 199)}…` : pattern;
}

/**
 * The pattern without what follows `#`: fragments are not looked at, since they change without a page load. An excluding
 * rule would exclude more than it says without its fragment, so it is dropped (null).
 */
export function withoutFragment(rule: RuleLine): string | null {
  const hash = rule.pattern.indexOf("#");
  if (hash < 0) return rule.pattern;
  if (rule.key.startsWith("exclude")) {
    report(rule, "match.fragment-dropped", {});
    return null;
  }
  const used = rule.pattern.slice(0, hash);
  report(rule, "match.fragment", { used });
  return used;
}

/** Adjacent wildcards mean what one means. */
export function collapseStars(text: string): string {
  return text.replace(/\*{2,}/g, "*");
}
