import { describe, expect, it } from "vitest";
import { checkInstall } from "@/userscripts/install";
import { worldFor } from "@/userscripts/world-for";

function script(lines: string[], code = ""): string {
  return [
    "// ==UserScript==",
    "// @name Test",
    "// @match https://a.test/*",
    ...lines.map((l) => `// ${l}`),
    "// ==/UserScript==",
    code,
  ].join("\n");
}

const errorsOf = (text: string) => checkInstall(text).problems.filter((p) => p.severity === "error");

describe("a script that needs what is not built", () => {
  it.each([
    ["@require https://cdn.test/lib.js", "unsupported.require"],
    ["@resource css https://cdn.test/x.css", "unsupported.resource"],
    ["@crontab * * * * *", "unsupported.crontab"],
    ["@run-at context-menu", "unsupported.context-menu"],
    ["@run-in incognito-tabs", "unsupported.run-in"],
    ["@top-level-await", "unsupported.top-level-await"],
    ["@unwrap", "unsupported.unwrap"],
    ["@storageName shared", "unsupported.storage-name"],
    ["@grant GM_cookie", "unsupported.grant"],
    ["@grant GM_notARealThing", "unsupported.grant"],
  ])("%s is refused by name, at its line", (line, code) => {
    const found = errorsOf(script([line]));
    expect(found.map((p) => p.code)).toEqual([code]);
    expect(found[0]?.line).toBe(4);
  });

  it.each([
    "unsafeWindow",
    "GM_addStyle",
    "GM.addStyle",
    "GM_registerMenuCommand",
    "GM.unregisterMenuCommand",
  ])("@background with %s is refused, since it has no page", (grant) => {
    const codes = errorsOf(script(["@background", `@grant ${grant}`])).map((p) => p.code);
    expect(codes).toContain("unsupported.background-grant");
  });

  it("@background with what works without a page is taken, with a remark, and is of no page's world", () => {
    const { ok, problems, world } = checkInstall(script(["@background", "@grant none", "@version 1"]));
    expect([ok, world, problems.map((p) => p.code)]).toEqual([true, "isolated", ["warning.background"]]);
  });

  it("a NUL character, at which the browser would cut it off, is refused at its line", () => {
    const code = script([], "1;\n'a\0b';");
    expect(errorsOf(code)).toEqual([{ severity: "error", code: "unsupported.nul", params: {}, line: 6 }]);
    expect(errorsOf(script(["@description a\0b"]))[0]).toMatchObject({ code: "unsupported.nul", line: 4 });
    expect(errorsOf(script([], "'\\0'"))).toEqual([]);
  });

  it("names the grant and the file", () => {
    expect(errorsOf(script(["@grant GM_cookie"]))[0]?.params).toEqual({ name: "GM_cookie" });
    expect(errorsOf(script(["@require https://cdn.test/lib.js"]))[0]?.params).toEqual({
      url: "https://cdn.test/lib.js",
    });
  });

  it("unsafeWindow together with powers, granted or merely used", () => {
    const code = ["unsupported.unsafe-window"];
    expect(errorsOf(script(["@grant unsafeWindow", "@grant GM_getValue"])).map((p) => p.code)).toEqual(code);
    expect(errorsOf(script(["@grant GM_getValue"], "unsafeWindow.x = 1;")).map((p) => p.code)).toEqual(code);
    expect(errorsOf(script(["@inject-into page", "@grant GM_getValue"])).map((p) => p.code)).toEqual([
      "unsupported.page-powers",
    ]);
  });

  it("unsafeWindow in a world of the script's own, where it would be undefined", () => {
    const code = ["unsupported.unsafe-window"];
    expect(errorsOf(script(["@grant unsafeWindow", "@inject-into content"])).map((p) => p.code)).toEqual(
      code,
    );
    expect(errorsOf(script(["@inject-into content"], "unsafeWindow.x = 1;")).map((p) => p.code)).toEqual(
      code,
    );
  });

  it("a comment that mentions unsafeWindow is no use of it", () => {
    const text = "// unsafeWindow is not needed\n/* unsafeWindow\n unsafeWindow */\nrun();";
    expect(errorsOf(script(["@grant GM_getValue"], text))).toEqual([]);
  });

  it("unsafeWindow alone runs in the page's world", () => {
    const check = checkInstall(script(["@grant unsafeWindow"], "unsafeWindow.x = 1;"));
    expect(check.ok).toBe(true);
    expect(check.world).toBe("page");
  });
});

describe("worlds", () => {
  const world = (lines: string[]) => {
    const { metadata } = checkInstall(script(lines));
    return metadata && worldFor(metadata);
  };
  it("is the page's own without powers, isolated with them, and what the script says", () => {
    expect(world([])).toBe("page");
    expect(world(["@grant none"])).toBe("page");
    expect(world(["@grant GM_getValue"])).toBe("isolated");
    expect(world(["@grant CAT.agent.conversation"])).toBe("isolated");
    expect(world(["@grant none", "@inject-into content"])).toBe("isolated");
    expect(world(["@inject-into page"])).toBe("page");
  });
});

describe("warnings", () => {
  it("tells of everywhere, of any host, of models", () => {
    const text =
      "// ==UserScript==\n// @name T\n// @match *://*/*\n// @connect *\n// @grant CAT.agent.conversation\n// @version 1\n// ==/UserScript==";
    const codes = checkInstall(text)
      .problems.filter((p) => p.severity === "warning")
      .map((p) => p.code);
    expect(codes).toEqual(["warning.everywhere", "warning.connect-any", "warning.agent"]);
  });

  it("speaks of conversations only where they can be held, and points at that line", () => {
    const warned = (...grants: string[]) =>
      checkInstall(script(grants.map((grant) => `@grant ${grant}`)))
        .problems.filter((p) => p.code === "warning.agent")
        .map((p) => p.line);
    expect(warned("CAT.agent.opfs", "CAT.agent.model")).toEqual([]);
    const [line, ...more] = warned("CAT.agent.opfs", "CAT.agent.conversation");
    expect(more).toEqual([]);
    expect(line).toBe((warned("CAT.agent.conversation")[0] ?? 0) + 1);
  });
});
