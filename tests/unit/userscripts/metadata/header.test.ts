import { describe, expect, it } from "vitest";
import { parseUserscript } from "@/userscripts/metadata";

const codes = (code: string) => parseUserscript(code).problems.map((problem) => [problem.code, problem.line]);
const body = "// @name Test\n// @version 1\n";

describe("finding the metadata block", () => {
  it("reads a plain one and tells where it is", () => {
    const code = `// ==UserScript==\n${body}// ==/UserScript==\nrun();\n`;
    const { metadata, problems, headerRange } = parseUserscript(code);
    expect(metadata?.name).toBe("Test");
    expect(problems).toEqual([]);
    expect(code.slice(headerRange?.start, headerRange?.end)).toBe(
      `// ==UserScript==\n${body}// ==/UserScript==`,
    );
  });

  it.each([
    ["CRLF", "\r\n"],
    ["CR", "\r"],
    ["line separator", "\u2028"],
  ])("knows lines that end with %s", (_name, end) => {
    const code = [
      "// ==UserScript==",
      "// @name Test",
      "// @version 1",
      "// @match",
      "// ==/UserScript==",
    ].join(end);
    const { metadata, problems } = parseUserscript(code);
    expect(metadata?.name).toBe("Test");
    expect(problems).toEqual([
      { severity: "warning", code: "value.missing", params: { key: "match" }, line: 4 },
    ]);
  });

  it("takes a byte order mark, tabs and indentation, and counts offsets in the code as it is", () => {
    const code = `\uFEFF\t//\t==UserScript==\n\t//\t@name\tTab  bed \n // @version 1\n  // ==/UserScript==`;
    const { metadata, problems, headerRange } = parseUserscript(code);
    expect(metadata?.name).toBe("Tab  bed");
    expect(problems).toEqual([]);
    expect(headerRange).toEqual({ start: 1, end: code.length });
  });

  it("C001 takes characters after the marker and says that they are ignored", () => {
    const code = `// ==UserScript==//\n${body}// ==/UserScript==`;
    expect(parseUserscript(code).metadata?.name).toBe("Test");
    expect(parseUserscript(code).problems).toEqual([
      { severity: "info", code: "header.trailing-text", params: { text: "//" }, line: 1 },
    ]);
  });

  it("C001 never takes a line break between the slashes and the marker", () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      expect(codes(`//${end}==UserScript==${end}${body}// ==/UserScript==`)).toEqual([
        ["header.malformed-delimiter", 2],
      ]);
      expect(codes(`// ==UserScript==${end}// @name x${end}//${end}==/UserScript==`)).toEqual([
        ["header.malformed-delimiter", 4],
      ]);
    }
  });

  it("C002 takes delimiters without a blank and remarks on it", () => {
    const { metadata, problems } = parseUserscript(`//==UserScript==\n${body}//==/UserScript==`);
    expect(metadata?.name).toBe("Test");
    expect(problems.map(({ severity, code, line }) => [severity, code, line])).toEqual([
      ["info", "header.no-space", 1],
      ["info", "header.no-space", 4],
    ]);
  });

  it("C002 applies a line without a blank like any other, and remarks on it by line", () => {
    const { metadata, problems } = parseUserscript(
      `// ==UserScript==\n${body}//@include https://a.test/*\n// // @include https://b.test/*\n// ==/UserScript==`,
    );
    expect(metadata?.includes).toEqual(["https://a.test/*"]);
    expect(problems).toEqual([
      { severity: "info", code: "line.no-space", params: { key: "include" }, line: 4 },
    ]);
  });

  it("C004 finds a block that is not at the top, with its lines", () => {
    const code = `"use strict";\n\n// ==UserScript==\n${body}// @match\n// ==/UserScript==\nrun();`;
    const { metadata, problems, headerRange } = parseUserscript(code);
    expect(metadata?.name).toBe("Test");
    expect(problems.map(({ line }) => line)).toEqual([6]);
    expect(headerRange?.start).toBe(code.indexOf("// =="));
  });

  it("C005 takes blanks at the end of a delimiter without a word", () => {
    expect(codes(`// ==UserScript==  \n${body}// ==/UserScript== \t`)).toEqual([]);
  });

  it("C007 refuses a delimiter behind other text, and names the line", () => {
    const { metadata, problems } = parseUserscript(`// [tag]  // ==UserScript==\n${body}// ==/UserScript==`);
    expect(metadata).toBeNull();
    expect(problems).toEqual([
      {
        severity: "error",
        code: "header.malformed-delimiter",
        params: { found: "// [tag]  // ==UserScript==", expected: "// ==UserScript==" },
        line: 1,
      },
    ]);
  });

  it("C007 passes over such a line when a right one follows", () => {
    expect(
      codes(`// a script with a ==UserScript== block\n// ==UserScript==\n${body}// ==/UserScript==`),
    ).toEqual([]);
  });

  it("names what is wrong when there is no usable block", () => {
    expect(codes("")).toEqual([["header.missing", 1]]);
    expect(codes("run();")).toEqual([["header.missing", 1]]);
    expect(codes(`x;\n// ==UserScript==\n${body}run();`)).toEqual([["header.unclosed", 2]]);
    expect(codes(`// ==UserScript==\n${body}/* ==/UserScript== */`)).toEqual([
      ["header.malformed-delimiter", 4],
    ]);
    expect(codes("\n// ==UserSubscribe==\n// @name x\n// ==/UserSubscribe==")).toEqual([
      ["header.subscription", 2],
    ]);
    expect(codes("\n// ==UserScript==\n// @version 1\n// ==/UserScript==")).toEqual([
      ["header.name-missing", 2],
    ]);
    expect(codes("// ==UserScript==\n// ==/UserScript==").map(([code]) => code)).toEqual([
      "version.missing",
      "header.name-missing",
    ]);
  });

  it("has no metadata exactly when a problem is an error", () => {
    for (const code of ["", "// ==UserScript==", `// ==UserScript==\n${body}// ==/UserScript==`]) {
      const { metadata, problems } = parseUserscript(code);
      expect(metadata === null).toBe(problems.some(({ severity }) => severity === "error"));
    }
  });

  it("keeps to the first block and reports the others", () => {
    const block = (name: string) =>
      `// ==UserScript==\n// @name ${name}\n// @version 1\n// ==/UserScript==\n`;
    const { metadata, problems } = parseUserscript(block("One") + block("Two"));
    expect(metadata?.name).toBe("One");
    expect(problems).toEqual([
      { severity: "warning", code: "header.duplicate", params: { first: "1" }, line: 5 },
    ]);
  });

  it("reports code inside the block once, by its first line", () => {
    expect(
      parseUserscript(`// ==UserScript==\n${body}let a;\n\nlet b;\n// ==/UserScript==`).problems,
    ).toEqual([
      { severity: "warning", code: "header.code", params: { text: "let a;", count: "2" }, line: 4 },
    ]);
  });

  it.each([
    ["one line of markers", "==UserScript==".repeat(75_000)],
    ["malformed delimiters", "// x ==UserScript==\n".repeat(50_000)],
    ["delimiters", "// ==UserScript==\n".repeat(58_000)],
    ["blanks before the marker", `//${" ".repeat(1_000_000)}==UserScript`],
    ["blanks in a block", `// ==UserScript==\n${" ".repeat(1_000_000)}\n// ==/UserScript==`],
    ["a key of a million characters", `// ==UserScript==\n// @${"a".repeat(1_000_000)}\n// ==/UserScript==`],
    ["blanks in a value", `// ==UserScript==\n// @name a${" ".repeat(1_000_000)}b\n// ==/UserScript==`],
    ["line ends", "\r\n".repeat(500_000)],
    ["an unclosed block", `// ==UserScript==\n${"// @name x\n".repeat(90_000)}`],
    ["many keys", `// ==UserScript==\n${"// @unknown x\n".repeat(70_000)}// ==/UserScript==`],
  ])("reads 1 MB of %s in time linear in its length", (_name, code) => {
    const took = (text: string) => {
      const start = performance.now();
      parseUserscript(text);
      return performance.now() - start;
    };
    took(code.slice(0, code.length / 10));
    // Quadratic time would be minutes.
    expect(took(code)).toBeLessThan(1_500);
  });
});
