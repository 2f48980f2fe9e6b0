import { describe, expect, it } from "vitest";
import { parseUserscript, type ScriptMetadata } from "@/userscripts/metadata";

function read(...lines: string[]) {
  const header = ["// @name Test", "// @version 1", ...lines.map((line) => `// ${line}`)];
  const { metadata, problems } = parseUserscript(
    `// ==UserScript==\n${header.join("\n")}\n// ==/UserScript==`,
  );
  if (!metadata) throw new Error("no metadata");
  return { metadata, problems };
}
const only = (metadata: ScriptMetadata, ...fields: Array<keyof ScriptMetadata>) =>
  Object.fromEntries(fields.map((field) => [field, metadata[field]]));

describe("metadata fields", () => {
  it("have defaults", () => {
    const { metadata } = read();
    expect(metadata).toEqual({
      name: "Test",
      version: "1",
      names: {},
      descriptions: {},
      matches: [],
      includes: [],
      excludes: [],
      excludeMatches: [],
      noframes: false,
      runAt: "document-idle",
      runIn: [],
      injectInto: "auto",
      grants: [],
      connects: [],
      requires: [],
      requireCss: [],
      resources: [],
      antifeatures: [],
      tags: [],
      background: false,
      unwrap: false,
      topLevelAwait: false,
      earlyStart: false,
      raw: [
        { key: "name", value: "Test", line: 2 },
        { key: "version", value: "1", line: 3 },
      ],
    });
  });

  it("are all understood", () => {
    const { metadata, problems } = read(
      "@name:zh-CN 测试",
      "@namespace https://a.test/",
      "@description What it does",
      "@description:fr Ce que cela fait",
      "@author A. Uthor",
      "@license MIT",
      "@icon data:image/png;base64,AA==",
      "@icon64URL https://a.test/64.png",
      "@homepageURL https://a.test/home",
      "@supportURL https://a.test/help",
      "@match https://a.test/*",
      "@include /^https:/",
      "@exclude *foo*",
      "@exclude-match https://a.test/no/*",
      "@noframes",
      "@run-at document-start",
      "@run-in normal-tabs",
      "@run-in container-id-2",
      "@inject-into content",
      "@sandbox JavaScript",
      "@grant GM_getValue",
      "@grant CAT.agent.conversation",
      "@connect API.a.test",
      "@connect *",
      "@require https://a.test/lib.js#sha256-AAAA",
      "@require-css https://a.test/x.css",
      "@resource logo https://a.test/logo.png#md5=1",
      "@updateURL https://a.test/x.meta.js",
      "@downloadURL https://a.test/x.user.js",
      "@antifeature ads We show ads",
      "@antifeature:fr ads Nous affichons des publicités",
      "@tag one two,three",
      "@tag two",
      "@storageName shared",
      "@background",
      "@crontab */5 * * * *",
      "@unwrap",
      "@top-level-await",
      "@early-start",
    );
    expect(problems).toEqual([]);
    expect({ ...metadata, raw: [] }).toEqual({
      name: "Test",
      names: { "zh-CN": "测试" },
      version: "1",
      namespace: "https://a.test/",
      description: "What it does",
      descriptions: { fr: "Ce que cela fait" },
      author: "A. Uthor",
      license: "MIT",
      icon: "data:image/png;base64,AA==",
      icon64: "https://a.test/64.png",
      homepage: "https://a.test/home",
      supportURL: "https://a.test/help",
      matches: ["https://a.test/*"],
      includes: ["/^https:/"],
      excludes: ["*foo*"],
      excludeMatches: ["https://a.test/no/*"],
      noframes: true,
      runAt: "document-start",
      runIn: ["normal-tabs", "container-id-2"],
      injectInto: "content",
      sandbox: "JavaScript",
      grants: ["GM_getValue", "CAT.agent.conversation"],
      connects: ["api.a.test", "*"],
      requires: [{ url: "https://a.test/lib.js#sha256-AAAA" }],
      requireCss: [{ url: "https://a.test/x.css" }],
      resources: [{ name: "logo", url: "https://a.test/logo.png#md5=1" }],
      updateURL: "https://a.test/x.meta.js",
      downloadURL: "https://a.test/x.user.js",
      antifeatures: [
        { type: "ads", description: "We show ads" },
        { type: "ads", description: "Nous affichons des publicités", locale: "fr" },
      ],
      tags: ["one", "two", "three"],
      storageName: "shared",
      background: true,
      crontab: "*/5 * * * *",
      unwrap: true,
      topLevelAwait: true,
      earlyStart: true,
      raw: [],
    });
    expect(JSON.parse(JSON.stringify(metadata))).toEqual(metadata);
  });

  it("keep unknown keys, in raw alone", () => {
    const { metadata, problems } = read("@cloudCat x", "@constructor y", "@__proto__ z", "@match:x y");
    expect(problems).toEqual([]);
    expect(metadata.raw.slice(2)).toEqual([
      { key: "cloudCat", value: "x", line: 4 },
      { key: "constructor", value: "y", line: 5 },
      { key: "__proto__", value: "z", line: 6 },
      { key: "match:x", value: "y", line: 7 },
    ]);
    expect(metadata.matches).toEqual([]);
  });

  it("leave repeats out of lists and keep their order", () => {
    const { metadata, problems } = read(
      "@grant b",
      "@grant a",
      "@grant b",
      "@match x/*",
      "@match x/*",
      "@require r",
      "@require r",
    );
    expect(problems).toEqual([]);
    expect(only(metadata, "grants", "matches", "requires")).toEqual({
      grants: ["b", "a"],
      matches: ["x/*"],
      requires: [{ url: "r" }],
    });
  });

  it("take the first of a single value and report the second", () => {
    const { metadata, problems } = read(
      "@author A",
      "@author B",
      "@homepage x",
      "@website y",
      "@run-at document-end",
      "@run-at document-start",
    );
    expect(only(metadata, "author", "homepage", "runAt")).toEqual({
      author: "A",
      homepage: "x",
      runAt: "document-end",
    });
    expect(problems.map(({ code, line, params }) => [code, line, params.key])).toEqual([
      ["key.duplicate", 5, "author"],
      ["key.duplicate", 7, "website"],
      ["key.duplicate", 9, "run-at"],
    ]);
  });

  it("report values that they do not know, and go on with the default", () => {
    const { metadata, problems } = read(
      "@run-at document_start",
      "@inject-into Page",
      "@sandbox none",
      "@grant GM_log // why",
    );
    expect(only(metadata, "runAt", "injectInto", "sandbox", "grants")).toEqual({
      runAt: "document-idle",
      injectInto: "page",
      sandbox: undefined,
      grants: ["GM_log"],
    });
    expect(problems.map(({ code, line }) => [code, line])).toEqual([
      ["value.unknown", 4],
      ["value.unknown", 6],
      ["value.extra", 7],
    ]);
    expect(problems[0]?.params).toEqual({
      key: "run-at",
      value: "document_start",
      allowed: "document-start, document-body, document-end, document-idle, context-menu",
      used: "document-idle",
    });
  });

  it("report a key in the wrong case, and do not apply it", () => {
    const { metadata, problems } = read("@Match https://a.test/*", "@run-AT document-start");
    expect(metadata.matches).toEqual([]);
    expect(problems.map(({ code, params }) => [code, params.key, params.expected])).toEqual([
      ["key.case", "Match", "match"],
      ["key.case", "run-AT", "run-at"],
    ]);
  });

  it("report missing values, broken locales and broken resources", () => {
    const { metadata, problems } = read(
      "@match",
      "@name: x",
      "@name:../x y",
      "@resource a",
      "@resource a u",
      "@resource a v",
    );
    expect(metadata.names).toEqual({});
    expect(metadata.resources).toEqual([{ name: "a", url: "u" }]);
    expect(problems.map(({ code, line }) => [code, line])).toEqual([
      ["value.missing", 4],
      ["key.locale", 5],
      ["key.locale", 6],
      ["resource.incomplete", 7],
      ["resource.duplicate", 9],
    ]);
  });

  it("let real grants win over none", () => {
    expect(read("@grant none").metadata.grants).toEqual(["none"]);
    const { metadata, problems } = read("@grant GM_log", "@grant none");
    expect(metadata.grants).toEqual(["GM_log"]);
    expect(problems).toEqual([
      { severity: "warning", code: "grant.none-with-others", params: { grants: "GM_log" }, line: 5 },
    ]);
  });

  it("take the word none and web addresses for updates, nothing else", () => {
    expect(
      only(read("@downloadURL None", "@updateURL https://a.test/x").metadata, "downloadURL", "updateURL"),
    ).toEqual({
      downloadURL: "none",
      updateURL: "https://a.test/x",
    });
    for (const value of ["x.user.js", "javascript:alert(1)", "file:///x", "//a.test/x"]) {
      const { metadata, problems } = read(`@downloadURL ${value}`);
      expect(metadata.downloadURL).toBeUndefined();
      expect(problems.map(({ code }) => code)).toEqual(["url.invalid"]);
    }
  });

  it("understand a URL in @connect as its host", () => {
    expect(
      read("@connect https://API.a.test:8080/path", "@connect self", "@connect 10.0.0.1").metadata.connects,
    ).toEqual(["api.a.test", "self", "10.0.0.1"]);
  });

  it("remark that a script without @version cannot be updated", () => {
    const { problems } = parseUserscript("// ==UserScript==\n// @name x\n// ==/UserScript==");
    expect(problems).toEqual([{ severity: "info", code: "version.missing", params: {}, line: 1 }]);
  });
});
