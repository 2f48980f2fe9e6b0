import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseUserscript } from "@/userscripts/metadata";

const FRAGMENTS = [
  "// ==UserScript==",
  "// ==/UserScript==",
  "==UserScript==",
  "==/UserScript==",
  "//",
  " ",
  "\t",
  "\n",
  "\r\n",
  "\r",
  "\u2028",
  "\uFEFF",
  "@name",
  "@name:zh",
  "@match",
  "@grant",
  "@resource",
  "@run-at",
  "@__proto__",
  ":",
  "none",
  "https://a.test/*",
  "x",
  "*/",
  "`",
];

const key = fc.constantFrom(
  "match",
  "include",
  "exclude",
  "exclude-match",
  "grant",
  "require",
  "author",
  "unknownKey",
  "noframes",
);
const value = fc.stringMatching(/^[!-~é中]{1,12}$/);
const entries = fc.array(fc.record({ key, value }), { maxLength: 20 });
const layout = fc.record({
  end: fc.constantFrom("\n", "\r\n", "\r"),
  gap: fc.constantFrom(" ", "\t", "   "),
  indent: fc.constantFrom("", "  ", "\t"),
  before: fc.constantFrom("", "\uFEFF", "code();\n\n", "/* x */"),
  after: fc.constantFrom("", "\ncode();", "\n// @match later"),
});

describe("parseUserscript, for any input", () => {
  it("never throws, and gives problems that point into the source", () => {
    const soup = fc.oneof(
      fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(soup, (code) => {
        const { metadata, problems, headerRange } = parseUserscript(code);
        const lines = code.split(/\r\n|[\n\r\u2028\u2029]/).length;
        for (const problem of problems) {
          expect(problem.line).toBeGreaterThanOrEqual(1);
          expect(problem.line).toBeLessThanOrEqual(lines);
        }
        expect(metadata === null).toBe(problems.some(({ severity }) => severity === "error"));
        if (metadata) {
          expect(headerRange).toBeDefined();
          expect(Object.getPrototypeOf(metadata.names)).toBe(Object.prototype);
          for (const entry of metadata.raw) expect(entry.line).toBeLessThanOrEqual(lines);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("reads back every header that is written, however it is laid out", () => {
    fc.assert(
      fc.property(entries, layout, (written, { end, gap, indent, before, after }) => {
        const line = (name: string, text: string) => `${indent}//${gap}@${name}${gap}${text}`;
        const lines = [line("name", "N"), ...written.map((entry) => line(entry.key, entry.value))];
        const start = before.startsWith("/*") ? end : "";
        const header = [`${indent}//${gap}==UserScript==`, ...lines, `${indent}// ==/UserScript==`].join(end);
        const code = before + start + header + after;
        const { metadata, headerRange } = parseUserscript(code);
        expect(metadata?.raw.map((entry) => ({ key: entry.key, value: entry.value }))).toEqual([
          { key: "name", value: "N" },
          ...written,
        ]);
        expect(code.slice(headerRange?.start, headerRange?.end)).toBe(header);
        const distinct = (name: string) => [
          ...new Set(written.filter((e) => e.key === name).map((e) => e.value)),
        ];
        expect(metadata?.matches).toEqual(distinct("match"));
        expect(metadata?.excludeMatches).toEqual(distinct("exclude-match"));
        const sourceLines = code.split(/\r\n|[\n\r]/);
        for (const entry of metadata?.raw ?? [])
          expect(sourceLines[entry.line - 1]).toContain(`@${entry.key}`);
      }),
      { numRuns: 1_000 },
    );
  });
});
