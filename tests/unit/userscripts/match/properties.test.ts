import { browserRuns, isMatchPattern } from "@tests/unit/userscripts/match/support/browser-model";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canMeet, compileRules, reviveRules, serializeRules, type UserRules } from "@/userscripts/match";
import { fileUrls, globs, matchPatterns, regexes, urls } from "./support/arbitraries";
import { metadataOf } from "./support/compiled";

const RUNS = { numRuns: 1_000 };
const empty = metadataOf();
const compile = (user: UserRules) => compileRules(empty, user).rules;

const ruleSets: fc.Arbitrary<UserRules> = fc.record({
  matches: fc.array(matchPatterns, { maxLength: 2 }),
  includes: fc.array(fc.oneof(globs, globs, regexes), { maxLength: 2 }),
  excludeMatches: fc.array(matchPatterns, { maxLength: 1 }),
  excludes: fc.array(fc.oneof(globs, globs, regexes), { maxLength: 1 }),
});
const pages = fc.array(fc.oneof({ weight: 9, arbitrary: urls }, { weight: 1, arbitrary: fileUrls }), {
  minLength: 8,
  maxLength: 8,
});

describe("compiled rules, for any rules and URLs", () => {
  it("give patterns that the browser accepts", () => {
    fc.assert(
      fc.property(ruleSets, (user) => {
        const { matches, excludeMatches, includeGlobs } = compile(user).registration;
        expect([...matches, ...excludeMatches].filter((pattern) => !isMatchPattern(pattern))).toEqual([]);
        if (includeGlobs.length > 0) expect(matches).not.toEqual([]);
      }),
      RUNS,
    );
  });

  it("are registered for every page they match, and for no other when no check is needed", () => {
    fc.assert(
      fc.property(ruleSets, pages, (user, hrefs) => {
        const rules = compile(user);
        for (const href of hrefs) {
          const runs = rules.test(href);
          if (runs || !rules.registration.needsCheck) {
            expect([href, browserRuns(rules.registration, href)]).toEqual([href, runs]);
          }
        }
      }),
      RUNS,
    );
  });

  it("decide the same after a journey as JSON", () => {
    fc.assert(
      fc.property(ruleSets, pages, (user, hrefs) => {
        const rules = compile(user);
        const revived = reviveRules(JSON.parse(JSON.stringify(serializeRules(rules))));
        for (const href of hrefs) expect(revived(href)).toBe(rules.test(href));
      }),
      RUNS,
    );
  });

  it("are said to meet whenever a page matches both", () => {
    fc.assert(
      fc.property(ruleSets, ruleSets, pages, (one, other, hrefs) => {
        const [a, b] = [compile(one), compile(other)];
        if (hrefs.some((href) => a.test(href) && b.test(href))) {
          expect(canMeet(a, b)).toBe(true);
          expect(canMeet(b, a)).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it("never throw, whatever the lines and URLs are", () => {
    const anything = fc.oneof(fc.string({ unit: "binary" }), fc.string(), matchPatterns, globs, regexes);
    fc.assert(
      fc.property(
        fc.array(anything),
        fc.array(anything),
        fc.oneof(anything, fc.webUrl()),
        (lines, others, url) => {
          const { rules } = compileRules(empty, {
            matches: lines,
            includes: lines,
            excludes: others,
            excludeMatches: others,
          });
          expect(typeof rules.test(url)).toBe("boolean");
          expect(rules.registration.matches.filter((pattern) => !isMatchPattern(pattern))).toEqual([]);
        },
      ),
      RUNS,
    );
  });
});
