import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { findFixedWords } from "../../../scripts/lib/fixed-words";
import { compareManifestMessages } from "../../../scripts/lib/manifest-messages";
import { compareUse, readKeyUse } from "../../../scripts/lib/message-use";
import { compareMessages, readMessages } from "../../../scripts/lib/messages";

const catalogue = (entries: Record<string, string>, path = "src/locales/en/a.ts") =>
  readMessages(path, `export const a = ${JSON.stringify(entries, null, 2)} as const;\n`);

describe("readMessages", () => {
  it("reads keys, texts and lines, however the strings are written", () => {
    const source = ["export const a = {", '  "a.b": "one" + " two",', "  c: `three`,", "  d: 4,", "};"].join(
      "\n",
    );
    expect([...readMessages("x.ts", source)]).toEqual([
      ["a.b", { text: "one two", path: "x.ts", line: 2 }],
      ["c", { text: "three", path: "x.ts", line: 3 }],
    ]);
  });

  it("names the line of a file that does not parse", () => {
    expect(() => readMessages("x.ts", "export const a = {\n  b: ,\n};")).toThrow(/^x\.ts:2: does not parse/);
  });
});

describe("compareMessages", () => {
  const compare = (english: Record<string, string>, other: Record<string, string>) =>
    compareMessages("zh-CN", catalogue(english), catalogue(other, "src/locales/zh-CN/a.ts"));

  it("is content with the same keys and placeholders, in whatever order and form", () => {
    expect(
      compare(
        { a: "{n, plural, one {# script by {who}} other {# scripts by {who}}}", b: "It's {x} and {y}" },
        { a: "{who} 的 {n} 个脚本", b: "{y} 和 {x}" },
      ),
    ).toEqual([]);
  });

  it.each([
    ["a key that is missing", { a: "A" }, {}, 'src/locales/en/a.ts:2: "a" is missing in zh-CN.'],
    ["a key too many", {}, { b: "B" }, 'src/locales/zh-CN/a.ts:2: "b" is not in the English catalogue.'],
    [
      "a placeholder that was renamed",
      { a: "{name} was removed" },
      { a: "已移除 {nmae}" },
      'src/locales/zh-CN/a.ts:2: "a" has the placeholders {nmae}, and in English {name}.',
    ],
    [
      "a placeholder lost within a plural",
      { a: "{n, plural, other {# of {all}}}" },
      { a: "{n, plural, other {#}}" },
      'src/locales/zh-CN/a.ts:2: "a" has the placeholders {n}, and in English {all} {n}.',
    ],
  ])("finds %s", (_what, english, other, fault) => {
    expect(compare(english as Record<string, string>, other as Record<string, string>)).toEqual([fault]);
  });

  it.each([
    ["en", { a: "{name" }, { a: "{name}" }, "src/locales/en/a.ts:2"],
    ["zh-CN", { a: "{n}" }, { a: "{n, plural, one {#}}" }, "src/locales/zh-CN/a.ts:2"],
  ])("finds broken ICU syntax in %s", (_language, english, other, where) => {
    const [fault] = compare(english, other);
    expect(fault).toContain(`${where}: "a": this is not a valid ICU message`);
  });
});

describe("the use of keys", () => {
  const check = (code: string, ...keys: string[]) =>
    compareUse(catalogue(Object.fromEntries(keys.map((key) => [key, "x"]))), [
      readKeyUse("src/pages/a.tsx", code),
    ]);

  it.each([
    ["a call", 'export const a = t("one.two");', ["one.two"]],
    ["a call on an object", 'export const a = words.t("one.two");', ["one.two"]],
    ["a condition", 'export const a = t(b ? "one" : "two");', ["one", "two"]],
    ["a fallback", 'export const a = t.any(b ?? "one");', ["one"]],
    ["a computed end", "export const a = t.any(`one.two.${b}`);", ["one.two.x", "one.two.y"]],
    ["a table", 'export const rows = [{ label: "one.two" }];', ["one.two"]],
    ["a computed key kept for later", "export const key = `one.${b}` as const;", ["one.x"]],
  ])("sees %s", (_what, code, keys) => {
    expect(check(code, ...keys)).toEqual([]);
  });

  it.each([
    [
      "a key that does not exist",
      '\nexport const a = t("one");',
      'src/pages/a.tsx:2: no message has the key "one".',
    ],
    [
      "one of two",
      'export const a = t(b ? "one" : "two");',
      'src/pages/a.tsx:1: no message has the key "one".',
    ],
    [
      "a beginning that no key has",
      "export const a = t.any(`one.${b}`);",
      'src/pages/a.tsx:1: no message begins with "one.".',
    ],
  ])("finds %s", (_what, code, fault) => {
    expect(check(`${code}\nexport const rest = "two";`, "two")).toEqual([fault]);
  });

  it("finds a key that nobody uses", () => {
    expect(check("export const a = 1;", "one")).toEqual([
      'src/locales/en/a.ts:2: "one" is used nowhere; take it out of every catalogue.',
    ]);
  });
});

describe("words in JSX", () => {
  const find = (jsx: string) => findFixedWords("src/pages/a.tsx", `export const A = () => (\n${jsx}\n);\n`);

  it.each([
    "<p>Hello there</p>",
    '<p>{"Hello there"}</p>',
    '<p>{on ? "Hello there" : null}</p>',
    '<p>{on && "Hello there"}</p>',
    '<p>{name ?? "Hello there"}</p>',
    "<p>{`Hello there`}</p>",
    '<input placeholder="Hello there" />',
    '<button aria-label={on ? "Hello there" : t("x")} />',
    '<Field label="Hello there" />',
    "<p>Hello there{name}</p>",
    "<><b/>Hello there</>",
    "<p>你好</p>",
  ])("are found: %s", (jsx) => {
    const faults = find(jsx);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(
      /^src\/pages\/a\.tsx:2: "(Hello there|你好)" belongs in the message catalogue\.$/,
    );
  });

  it("are found in a template around what is computed", () => {
    expect(find("<p>{`${n} files found`}</p>")).toHaveLength(1);
  });

  it.each([
    '<p className="text-quiet">{t("x")}</p>',
    "<p>{n} · {m}</p>",
    '<p>{t("x")} / 100 %</p>',
    "<h1>Moggy</h1>",
    "<Kbd>Ctrl</Kbd>",
    '<a href="https://example.com/some-page" target="_blank">{name}</a>',
    '<p>{on === "running" ? t("x") : t("y")}</p>',
    "<p>{`${n}%`}</p>",
  ])("are not seen where there are none: %s", (jsx) => {
    expect(find(jsx)).toEqual([]);
  });
});

describe("the manifest's messages", () => {
  const root = mkdtempSync(join(tmpdir(), "moggy-locales-"));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it("are the ones it names, in every language", async () => {
    const write = (path: string, value: unknown) => {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), JSON.stringify(value));
    };
    write("manifest.json", { name: "__MSG_extName__", description: "__MSG_extDescription__" });
    write("public/_locales/en/messages.json", {
      extName: { message: "M" },
      extDescription: { message: "D" },
    });
    expect(await compareManifestMessages(root)).toEqual([]);
    write("public/_locales/zh_CN/messages.json", { extName: { message: "M" }, old: { message: "O" } });
    expect(await compareManifestMessages(root)).toEqual([
      'public/_locales/zh_CN/messages.json: "extDescription", which manifest.json names, is missing.',
      'public/_locales/zh_CN/messages.json: "old" is not named in manifest.json.',
    ]);
  });
});
