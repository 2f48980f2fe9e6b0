import { scriptError } from "@tests/fixtures/pages/data";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTranslate, english } from "@/locales";
import { compareCode } from "@/pages/install/compare";
import { readStart } from "@/pages/install/start";
import { checkForm, EMPTY_FORM, inputOf, readCount } from "@/pages/options/models/form";
import { errorText, lineOf, readableStack } from "@/pages/options/scripts/error-text";
import { describeError } from "@/pages/shared/describe-error";
import { powersOf, runsEverywhere } from "@/pages/shared/powers";
import { shortPattern } from "@/pages/shared/where";
import { DisconnectedError, fromWireError, NamedError, toWireError } from "@/rpc/errors";

const t = createTranslate(english);

describe("powersOf", () => {
  const says = (grants: string[], connects: string[] = [], matches: string[] = [], isBackground = false) =>
    powersOf(t, { grants, connects, matches, isBackground }).map((power) => power.text);

  it("says the same for both forms of a name, once", () => {
    expect(says(["GM_getValue", "GM.getValue", "GM.setValue"])).toEqual([
      "Store values of its own and read them back",
    ]);
    expect(says(["GM.xmlHttpRequest"])).toEqual(says(["GM_xmlhttpRequest"]));
  });

  it("says where data may go", () => {
    expect(says(["GM_xmlhttpRequest"], ["self"])).toEqual([
      "Exchange data with the site that it runs on, and with others when you allow it",
    ]);
    expect(says(["GM_xmlhttpRequest"], ["a.test", "*"])).toEqual([
      "Exchange data with any server on the internet",
    ]);
    const hosts = Array.from({ length: 9 }, (_, at) => `h${at}.test`);
    expect(says(["GM_xmlhttpRequest"], hosts)[0]).toContain("h5.test, and 3 more servers");
    // A @connect line without the grant gives nothing.
    expect(says(["none"], ["a.test"])).toEqual([]);
  });

  it("speaks of no page and no site for what runs in the background", () => {
    expect(says(["GM_xmlhttpRequest"], [], ["*://*/*"], true)).toEqual([
      "Exchange data with servers that you allow when it asks",
    ]);
    expect(says(["GM_xmlhttpRequest"], ["a.test"], [], true)).toEqual(["Exchange data with a.test"]);
  });

  it("names what it has no words for, and puts the weighty first", () => {
    expect(says(["GM_log", "GM_teleport", "CAT.agent.conversation"], [], ["*://*/*"])).toEqual([
      "Read and change every page that you open",
      "Hold conversations with your models, which can cost money, and give them tools of its own",
      "Use GM_teleport",
      "Write to the browser’s console",
    ]);
  });

  it.each(["<all_urls>", "*", "*://*/*", "http*://*/*", "https://*/*"])(
    "knows that %s is everywhere",
    (pattern) => {
      expect(runsEverywhere([pattern])).toBe(true);
    },
  );

  it.each(["*://*.example.com/*", "https://*/login", "*://a.test/*"])("knows that %s is not", (pattern) => {
    expect(runsEverywhere([pattern])).toBe(false);
  });
});

describe("compareCode", () => {
  it("does not count line ends", () => {
    expect(compareCode("a\r\nb", "a\nb")).toEqual({ kind: "same" });
  });

  it("counts what was added and removed", () => {
    expect(compareCode("a\nb\nc\n", "a\nB\nc\nd\n")).toMatchObject({ kind: "changed", added: 2, removed: 1 });
  });

  it("gives up on what shares nothing, in time", () => {
    const text = (seed: string) => Array.from({ length: 20_000 }, (_, at) => `${seed}${at}`).join("\n");
    const start = performance.now();
    expect(compareCode(text("a"), text("b"))).toEqual({ kind: "rewritten" });
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});

describe("readStart", () => {
  it.each([
    ["#paste", { kind: "choose", tab: "paste" }],
    ["", { kind: "choose", tab: "paste" }],
    ["#file", { kind: "choose", tab: "file" }],
    ["#url=", { kind: "choose", tab: "url" }],
    ["#url=https://a.test/x.user.js?a=b=c", { kind: "url", url: "https://a.test/x.user.js?a=b=c" }],
    ["#url=https%3A%2F%2Fa.test%2F", { kind: "url", url: "https://a.test/" }],
    ["#url=https://a.test/100%", { kind: "url", url: "https://a.test/100%" }],
    ["#script=abc", { kind: "script", uuid: "abc" }],
    ["#draft", { kind: "draft" }],
  ])("%s", (hash, start) => {
    expect(readStart(hash)).toEqual(start);
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string(), (hash) => void readStart(hash)));
  });
});

describe("the model form", () => {
  it.each([
    ["8000", 8_000],
    ["8k", 8_000],
    ["1M", 1_000_000],
    ["200,000", 200_000],
    ["200 000", 200_000],
    ["0", null],
    ["-1", null],
    ["many", null],
    ["", null],
    ["99999999999999999999", null],
  ])("reads %s as %s", (text, count) => {
    expect(readCount(text)).toBe(count);
  });

  it("takes the model's name where none is given, and trims what was pasted", () => {
    const form = { ...EMPTY_FORM, apiBaseUrl: " https://a.test/v1 ", model: " m ", apiKey: " k\n" };
    expect(checkForm(form)).toEqual({});
    expect(inputOf(form)).toMatchObject({
      name: "m",
      apiBaseUrl: "https://a.test/v1",
      model: "m",
      apiKey: "k",
    });
  });
});

describe("errors", () => {
  it("says known ones in the person's language, over the wire too", () => {
    const error = fromWireError(toWireError(new DisconnectedError("scripts.list")));
    expect(describeError(t, error).todo).toBe("Look whether it took effect, then try again.");
  });

  it("says why a script was refused in words, not in codes", () => {
    const data = [
      { severity: "error", code: "unsupported.grant", params: { name: "GM_cookie" }, line: 3 },
      { severity: "warning", code: "warning.agent", params: {}, line: 1 },
    ];
    const { why } = describeError(t, new NamedError("InstallRefusedError", "unsupported.grant", { data }));
    expect(why).toContain("GM_cookie");
    expect(why).not.toContain("unsupported.grant");
    expect(why).not.toContain("cost money");
  });

  it("never says nothing", () => {
    expect(describeError(t, new Error("")).why).not.toBe("");
  });

  it("shows a stack without what surrounds the script", () => {
    const stack = [
      "TypeError: no good",
      "    at f (moggy-script:///e8c29975-8b5d-46b5-bced-ac6c650ad10b/My%20script.user.js:7:22)",
      "    at l (moggy-runtime:///runtime.js:1:11107)",
      "    at https://page.test/app.js:1:2",
    ].join("\n");
    expect(readableStack(stack).split("\n")).toEqual([
      "TypeError: no good",
      "    at f (My script.user.js:7:22)",
      "    at https://page.test/app.js:1:2",
    ]);
    expect(lineOf(scriptError("u", { stack }))).toBe(7);
  });

  it("finds the line of the script's own source", () => {
    expect(lineOf(scriptError("u"))).toBe(9);
    expect(lineOf(scriptError("u", { stack: "Error: at 5:6\n    at https://x.test/a.user.js:12:3" }))).toBe(
      12,
    );
    expect(lineOf(scriptError("u", { stack: undefined }))).toBeNull();
    expect(errorText(scriptError("u"))).toMatch(/^Page summary: TypeError/);
  });
});

it.each([
  ["*://*.example.com/*", "*.example.com"],
  ["https://a.test/b/*", "a.test/b/*"],
  ["*://*/*", "*://*/*"],
  ["file:///*", "file:///*"],
  ["/regex/", "/regex/"],
])("shortPattern(%s) is %s", (pattern, short) => {
  expect(shortPattern(pattern)).toBe(short);
});
