import { describe, expect, it } from "vitest";
import { mentions } from "@/userscripts/mentions";

const HEADER = "// ==UserScript==\n// @match https://a.test/*\n// ==/UserScript==\n";
const named = (code: string) => mentions(code, "unsafeWindow");

describe("a name in code", () => {
  it.each([
    "unsafeWindow.x = 1;",
    "const w = typeof unsafeWindow === 'object' ? unsafeWindow : window;",
    `${HEADER}unsafeWindow.x = 1; /* a comment, after a header with an asterisk */`,
    `const all = "*://*/*"; unsafeWindow.x = all; /* * */`,
    `const url = "https://a.test/"; unsafeWindow.x = url;`,
    "const url = `https://a.test/$" + "{unsafeWindow.x}`;",
    "const quote = /'/; unsafeWindow.x = quote;",
    `const said = 'it\\'s'; unsafeWindow.x = said;`,
    "/* one *//* two */unsafeWindow.x = 1;",
    "// a comment\r\nunsafeWindow.x = 1;",
  ])("is found: %s", (code) => {
    expect(named(code)).toBe(true);
  });

  it.each([
    "run();",
    "// unsafeWindow is not needed\n/* unsafeWindow\n unsafeWindow */\nrun();",
    "run(); // unsafeWindow",
    "say('unsafeWindow'); say(\"unsafeWindow's\");",
    "my_unsafeWindow.x = $unsafeWindow; unsafeWindows();",
    `${HEADER}/* unsafeWindow */ run();`,
  ])("is not found: %s", (code) => {
    expect(named(code)).toBe(false);
  });

  it.each(["/*!", "'\\", "\"'\\", "//", "'\""])(
    "is looked for in linear time, in %s over and over",
    (part) => {
      const code = part.repeat(1_000_000);
      const began = performance.now();
      named(code);
      expect(performance.now() - began).toBeLessThan(2000);
    },
  );
});
