import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { highlight, START } from "@/ui/highlight";
import { linesOf, SLICE_LINES, Slices } from "@/ui/slices";

/** The words of one kind, joined by "|". */
const words = (code: string, kind: string): string =>
  highlight(code, START)
    .tokens.filter((token) => token.kind === kind)
    .map((token) => token.text)
    .join("|");

describe("highlight", () => {
  it("tells strings, comments, numbers and keywords apart", () => {
    const code = "const a = 'it\\'s' + 0xFF; // no \"string\"\n/* x */ return";
    expect(words(code, "keyword")).toBe("const|return");
    expect(words(code, "string")).toBe("'it\\'s'");
    expect(words(code, "number")).toBe("0xFF");
    expect(words(code, "comment")).toBe('// no "string"|/* x */');
  });

  it("knows a regex from a division", () => {
    expect(words("a = b / c / d", "string")).toBe("");
    expect(words('x.replace(/[/"]+/g, y)', "string")).toBe('/[/"]+/g');
    expect(words("return /a/.test(s)", "string")).toBe("/a/");
    expect(words("(a) / b / c", "string")).toBe("");
  });

  it("finds its way out of nested templates", () => {
    const code = "`a ${b({ c: `d ${e}` })} f` + let_";
    expect(words(code, "plain")).toBe("b({ c: |e| })| + let_");
  });

  it("gives back every character, whatever the text and wherever it is cut", () => {
    const piece = fc.constantFrom(
      "`",
      "${",
      "}",
      "{",
      "/*",
      "*/",
      "//",
      "'",
      '"',
      "\\",
      "/",
      "\n",
      "a",
      "1",
      " ",
      "return",
      "😀",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 60 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, fc.nat(), (code, where) => {
        const cut = code.length === 0 ? 0 : where % code.length;
        const first = highlight(code.slice(0, cut), START);
        const second = highlight(code.slice(cut), first.state);
        expect([...first.tokens, ...second.tokens].map((token) => token.text).join("")).toBe(code);
      }),
      { numRuns: 500 },
    );
  });

  it("does not grow with the square of the text, whatever is in it", () => {
    for (const unit of ["/", "`${", "'\\", "/*", "[", "/["]) {
      const start = performance.now();
      highlight(unit.repeat(Math.ceil(200_000 / unit.length)), START);
      expect(performance.now() - start, unit).toBeLessThan(2_000);
    }
  });
});

describe("Slices", () => {
  it("colours a slice as the whole would be coloured", () => {
    const lines = Array.from({ length: 250 }, (_, at) =>
      at === 90 ? "/* opens" : at === 150 ? "closes */" : `let a${at}`,
    );
    const slices = new Slices(lines.join("\r\n"));
    expect(slices.texts).toHaveLength(3);
    expect(slices.lineCountOf(2)).toBe(50);
    // Asked for out of order: lines 101 to 151 are inside of the comment.
    expect(slices.tokens(1)[0]).toMatchObject({
      kind: "comment",
      text: lines.slice(SLICE_LINES, 151).join("\n"),
    });
  });

  it("counts lines as an editor does", () => {
    expect(linesOf("a\nb\n")).toEqual(["a", "b"]);
    expect(linesOf("a\r\nb\rc")).toEqual(["a", "b", "c"]);
    expect(linesOf("")).toEqual([""]);
  });

  it("leaves minified code plain instead of making a hundred thousand elements", () => {
    const slices = new Slices("let a=1;".repeat(10_000));
    expect(slices.tokens(0)).toHaveLength(1);
  });
});
