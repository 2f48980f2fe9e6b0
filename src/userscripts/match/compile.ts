import { type Problem, problem, type ScriptMetadata } from "../metadata";
import { parseGlob } from "./glob";
import { parseMatchPattern } from "./match-pattern";
import { isRegexLine, parseRegex } from "./regex";
import { type Registration, registrationOf } from "./registration";
import type { RuleLine } from "./rule-line";
import { type Rule, reviveRules, type SerializedRules } from "./runtime-test";

/** Rules that a person adds to a script's own, each written as the value of the metadata key. */
export interface UserRules {
  matches?: readonly string[];
  includes?: readonly string[];
  excludes?: readonly string[];
  excludeMatches?: readonly string[];
  /** The script's own @match and @include lines count no more (what it excludes stays excluded). */
  replace?: boolean;
}

export interface CompiledRules {
  readonly includes: readonly Rule[];
  readonly excludes: readonly Rule[];
  readonly registration: Registration;
  /** Whether the script runs on a page. Exact; false for what is no http, https or file URL; never throws. */
  test(url: string): boolean;
}

type RuleMetadata = Pick<
  ScriptMetadata,
  "matches" | "includes" | "excludes" | "excludeMatches" | "raw" | "background" | "crontab"
>;

const LISTS = {
  match: "matches",
  include: "includes",
  exclude: "excludes",
  "exclude-match": "excludeMatches",
} as const;

/**
 * Compiles where a script runs. A line that cannot be used is reported and left out; the others count.
 * @param user rules added by the person; their problems have line 0.
 */
export function compileRules(
  metadata: RuleMetadata,
  user: UserRules = {},
): { rules: CompiledRules; problems: Problem[] } {
  const problems: Problem[] = [];
  const lines = new Map<string, number>();
  for (const { key, value, line } of metadata.raw) {
    const id = `${key} ${value}`;
    if (!lines.has(id)) lines.set(id, line);
  }
  const read = (key: RuleLine["key"]): Rule[] => {
    const own = user.replace && !key.startsWith("exclude") ? [] : metadata[LISTS[key]];
    return [
      ...own.map((pattern) => ({ key, pattern, line: lines.get(`${key} ${pattern}`) ?? 0, problems })),
      ...(user[LISTS[key]] ?? []).map((pattern) => ({ key, pattern, line: 0, problems })),
    ].flatMap(parseLine);
  };
  const includes = [...read("match"), ...read("include")];
  const excludes = [...read("exclude-match"), ...read("exclude")];
  if (includes.length === 0 && !metadata.background && metadata.crontab === undefined) {
    const tried = [metadata.matches, metadata.includes, user.matches ?? [], user.includes ?? []];
    const nothing = tried.every((list) => list.length === 0);
    problems.push(problem(nothing ? "match.none" : "match.all-dropped", 0, {}));
  }
  return { rules: toRules(includes, excludes), problems };
}

function parseLine(rule: RuleLine): Rule[] {
  const asList = (parsed: Rule | null) => (parsed ? [parsed] : []);
  if (rule.key === "match" || rule.key === "exclude-match") return asList(parseMatchPattern(rule));
  return isRegexLine(rule.pattern) ? asList(parseRegex(rule)) : parseGlob(rule);
}

function toRules(includes: Rule[], excludes: Rule[]): CompiledRules {
  let exact: ((href: string) => boolean) | undefined;
  return {
    includes,
    excludes,
    registration: registrationOf(includes, excludes),
    test(url) {
      if (!URL.canParse(url)) return false;
      exact ??= reviveRules([includes, excludes]);
      return exact(new URL(url).href);
    },
  };
}

/** The rules as JSON data for testRules() in the page. */
export function serializeRules(rules: CompiledRules): SerializedRules {
  return [[...rules.includes], [...rules.excludes]];
}
