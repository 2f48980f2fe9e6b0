import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { InstallPreview, ScriptSummary } from "../../src/userscripts/types";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser, userscript } from "./harness/browser";
import { ranIn } from "./harness/ran";
import { callWorker } from "./harness/rpc";

let browser: TestBrowser;
let pages: PageServer;

beforeAll(async () => {
  [browser, pages] = await Promise.all([launchBrowser(), startPageServer()]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close()]);
});
beforeEach(async () => {
  await browser.eval("eval:clear");
});

const install = (code: string) => callWorker<ScriptSummary>(browser.options, "scripts.install", { code });
const preview = (code: string) => callWorker<InstallPreview>(browser.options, "scripts.preview", { code });
const installed = async () =>
  (await callWorker<ScriptSummary[]>(browser.options, "scripts.list")).map(({ name }) => name);
const codes = (problems: ReadonlyArray<{ code: string }>) => problems.map(({ code }) => code);

const NEXT = `document.documentElement.dataset.ran = (document.documentElement.dataset.ran ?? "") + GM_info.script.name + ";";`;
const runs = (name: string, header: Record<string, string | string[]>) =>
  userscript({ match: "*://*/*", grant: "GM_info", ...header, name }, NEXT);

describe("what is no userscript is refused, with the reason and the line", () => {
  it.each([
    ["nothing", "", "header.missing"],
    ["a web page", "<!doctype html><html></html>", "header.missing"],
    ["plain code", "console.log(1);", "header.missing"],
    ["no end", "// ==UserScript==\n// @name A\nconsole.log(1)", "header.unclosed"],
    [
      "C007 a prefix",
      "// [tag]  // ==UserScript==\n// @name A\n// ==/UserScript==",
      "header.malformed-delimiter",
    ],
    ["no name", "// ==UserScript==\n// @match *://*/*\n// ==/UserScript==\n1", "header.name-missing"],
    [
      "an empty name",
      "// ==UserScript==\n// @name\n// @match *://*/*\n// ==/UserScript==\n1",
      "header.name-missing",
    ],
    ["a subscription", "// ==UserSubscribe==\n// @name A\n// ==/UserSubscribe==", "header.subscription"],
    ["only zeros", "\u0000".repeat(2000), "header.missing"],
  ])("%s", async (_name, code, problem) => {
    const { ok, problems, script } = await preview(code);
    expect({ ok, script }).toEqual({ ok: false, script: undefined });
    expect(codes(problems.filter(({ severity }) => severity === "error"))).toContain(problem);
    for (const { line } of problems) expect(line).toBeGreaterThanOrEqual(0);
    await expect(install(code)).rejects.toMatchObject({
      name: "InstallRefusedError",
      message: expect.stringMatching(new RegExp(`line \\d+: ${problem.replace(".", "\\.")}`)),
    });
    expect(await installed()).toEqual([]);
  });

  it("a very long header and a line of a megabyte are read in no time", async () => {
    const long = userscript(
      {
        match: Array.from({ length: 5000 }, (_, i) => `https://site${i}.test/*`),
        description: "x".repeat(1_000_000),
      },
      "1",
    );
    const started = performance.now();
    expect((await preview(long)).ok).toBe(true);
    expect((await preview(`// ==UserScript==${" ".repeat(200_000)}x`)).ok).toBe(false);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe("what this version cannot do is refused by name at install, so that nothing fails later", () => {
  it.each([
    [
      "@require",
      { require: "https://cdn.test/lib.js" },
      "",
      "unsupported.require",
      "https://cdn.test/lib.js",
    ],
    ["@resource", { resource: "logo https://cdn.test/logo.png" }, "", "unsupported.resource", "logo"],
    ["@require-css", { "require-css": "https://cdn.test/a.css" }, "", "unsupported.require-css", ""],
    [
      "@background with what needs a page",
      { background: "", grant: "GM_addStyle" },
      "",
      "unsupported.background-grant",
      "GM_addStyle",
    ],
    ["@crontab", { crontab: "* * * * *" }, "", "unsupported.crontab", ""],
    ["@run-at context-menu", { "run-at": "context-menu" }, "", "unsupported.context-menu", ""],
    ["@storageName", { storageName: "shared" }, "", "unsupported.storage-name", ""],
    ["an unknown grant", { grant: ["GM_info", "GM_teleport"] }, "", "unsupported.grant", "GM_teleport"],
    ["a grant of a later version", { grant: "GM_openInTab" }, "", "unsupported.grant", "GM_openInTab"],
    [
      "an agent grant of a later version",
      { grant: "CAT.agent.skills" },
      "",
      "unsupported.grant",
      "CAT.agent.skills",
    ],
    [
      "unsafeWindow beside GM functions",
      { grant: ["GM_getValue", "unsafeWindow"] },
      "",
      "unsupported.unsafe-window",
      "",
    ],
    [
      "unsafeWindow in the code beside GM functions",
      { grant: "GM_getValue" },
      "unsafeWindow.x = 1;",
      "unsupported.unsafe-window",
      "",
    ],
    [
      "@inject-into page with GM functions",
      { grant: "GM_getValue", "inject-into": "page" },
      "",
      "unsupported.page-powers",
      "",
    ],
  ] as Array<[string, Record<string, string | string[]>, string, string, string]>)(
    "%s",
    async (_name, header, code, problem, word) => {
      const source = userscript({ match: "*://*/*", ...header }, code);
      const { ok, problems } = await preview(source);
      expect(ok).toBe(false);
      const found = problems.find((p) => p.code === problem);
      expect(found).toMatchObject({ severity: "error" });
      expect(Object.values(found?.params ?? {}).join()).toContain(word);
      if (!code) {
        const line = source.split("\n")[(found?.line ?? 0) - 1];
        expect(
          Object.keys(header).some((key) => line?.startsWith(`// @${key}`)),
          line,
        ).toBe(true);
      }
      await expect(install(source)).rejects.toMatchObject({
        name: "InstallRefusedError",
        message: expect.stringContaining(problem),
      });
      expect(await installed()).toEqual([]);
    },
  );

  it("unsafeWindow in a comment, or as a part of another word, is none", async () => {
    const { ok } = await preview(
      userscript(
        { match: "*://*/*", grant: "GM_getValue" },
        "// unsafeWindow\n/* unsafeWindow */ const myunsafeWindow2 = 1;",
      ),
    );
    expect(ok).toBe(true);
  });

  it("a refused update leaves the installed version as it was", async () => {
    await install(runs("Kept", { version: "1.0" }));
    await expect(install(runs("Kept", { version: "2.0", grant: "GM_teleport" }))).rejects.toThrow(
      "GM_teleport",
    );
    expect(await callWorker<ScriptSummary[]>(browser.options, "scripts.list")).toMatchObject([
      { name: "Kept", version: "1.0" },
    ]);
    expect(await ranIn(browser, `${pages.a}/plain`, ["Kept"])).toBe("Kept;");
  });
});

describe("one bad rule", () => {
  it.each([
    [
      "C010 an unsupported scheme",
      ["http://127.0.0.1/*", "notsupported://*/*", "http://localhost/*"],
      "match.unsupported-scheme",
    ],
    ["an invalid host", ["http://127.0.0.1/*", "http://a b/*"], "match.invalid-host"],
    ["an invalid port", ["http://127.0.0.1/*", "http://127.0.0.1:99999/*"], "match.invalid-port"],
    ["a regular expression in @match", ["http://127.0.0.1/*", "/plain/"], "match.regex"],
  ])("%s is reported and dropped; the script runs by the others", async (_name, match, problem) => {
    const { notices } = await install(runs("Sound", { match }));
    expect(codes(notices)).toContain(problem);
    expect(await ranIn(browser, `${pages.a}/plain`, ["Sound"])).toBe("Sound;");
  });

  it("a broken regular expression in @include is reported with its reason; the other one counts", async () => {
    const code = userscript({ name: "Sound", include: ["/[/", "/\\/plain$/"], grant: "GM_info" }, NEXT);
    const { notices } = await install(code);
    const [notice] = notices.filter((n) => n.code === "match.invalid-regex");
    expect(notice?.params.reason).toMatch(/./);
    expect(notice?.line).toBe(code.split("\n").findIndex((line) => line.includes("/[/")) + 1);
    expect(await ranIn(browser, `${pages.a}/plain`, ["Sound"])).toBe("Sound;");
    expect(await ranIn(browser, `${pages.a}/page/x`, [])).toBe("");
  });

  it("a script of nothing but bad rules is installed, says so, and runs nowhere", async () => {
    const { notices } = await install(runs("Nowhere", { match: ["notsupported://*/*", "http://a b/*"] }));
    expect(codes(notices)).toContain("match.all-dropped");
    await install(runs("Sound", {}));
    expect(await ranIn(browser, `${pages.a}/plain`, ["Sound"])).toBe("Sound;");
  });

  it("C011 wildcards side by side, and globs that could be slow, stop no other script", async () => {
    await install(
      userscript(
        { name: "Odd", include: ["*://*?*", "**", "*?*?*?*?*?*!", `${"*a".repeat(50)}`], grant: "GM_info" },
        NEXT,
      ),
    );
    await install(
      userscript({ name: "Regex", include: ["/^(a+)+$/", "/(.*)*nothing/"], grant: "GM_info" }, NEXT),
    );
    await install(runs("Sound", {}));
    const started = performance.now();
    expect(await ranIn(browser, `${pages.a}/plain`, ["Sound"])).toContain("Sound;");
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it("half a surrogate pair in name and code is read as U+FFFD, as a file would be, and stops no other script", async () => {
    for (const grant of ["GM_info", "GM_getValue"]) {
      const { name } = await install(
        userscript({ name: `Half \uD83D ${grant}`, match: "*://*/*", grant }, `"\uD83D";${NEXT}`),
      );
      expect(name).toBe(`Half \uFFFD ${grant}`);
    }
    await install(runs("Sound", {}));
    const ran = await ranIn(browser, `${pages.a}/plain`, ["Sound", "GM_getValue"]);
    expect(ran.split(";").sort()).toEqual(["", "Half \uFFFD GM_getValue", "Half \uFFFD GM_info", "Sound"]);
  });

  it("a script that does not parse, one that throws and one that never ends its promise leave the others alone", async () => {
    await install(
      userscript({ name: "Broken", match: "*://*/*", grant: "GM_info" }, "}}} not javascript {{{"),
    );
    await install(
      userscript(
        { name: "Escape", match: "*://*/*", grant: "GM_info" },
        "}}; globalThis.out = 1; function x() { return function () {",
      ),
    );
    await install(userscript({ name: "Throws", match: "*://*/*", grant: "GM_info" }, "throw null;"));
    await install(
      userscript({ name: "Waits", match: "*://*/*", grant: "GM.getValue" }, "new Promise(() => {});"),
    );
    await install(
      userscript({ name: "Broken in the page", match: "*://*/*", grant: "none" }, "let let = 1;"),
    );
    await install(runs("Sound", {}));
    expect(await ranIn(browser, `${pages.a}/plain`, ["Sound"])).toBe("Sound;");
    const errors = async () =>
      Object.fromEntries(
        (await callWorker<ScriptSummary[]>(browser.options, "scripts.list")).map((s) => [
          s.name,
          s.lastError?.message ?? "",
        ]),
      );
    await expect.poll(async () => (await errors()).Broken).toMatch(/SyntaxError/);
  });
});
