import { describe, expect, it } from "vitest";
import { createTranslate, english, loadCatalogue, pickLanguage } from "@/locales";

const t = createTranslate(english);

describe("translate", () => {
  it("fills parameters and plurals", () => {
    expect(t("scripts.removed", { name: "A {b}" })).toBe("“A {b}” was removed.");
    expect(t("scripts.count", { n: 1 })).toBe("1 script");
    expect(t("scripts.count", { n: 1000 })).toBe("1,000 scripts");
  });

  it("speaks the language it was made for", async () => {
    const zh = createTranslate(await loadCatalogue("zh-CN"));
    expect(zh("scripts.count", { n: 3 })).toBe("3 个脚本");
    expect(zh.list(["a", "b", "c"])).toBe("a、b和c");
  });

  it("leaves markup in a parameter as text", () => {
    expect(t("palette.none", { query: "<b>x</b>" })).toBe("Nothing is called “<b>x</b>”.");
  });

  it("says a problem, names what it does not know, and bears a missing parameter", () => {
    const known = t.problem({ code: "unsupported.grant", params: { name: "GM_cookie" } });
    expect(known).toContain("GM_cookie");
    expect(t.problem({ code: "from.the.future", params: {} })).toContain("from.the.future");
    expect(t.problem({ code: "unsupported.grant", params: {} })).toContain("…");
  });

  it("is checked by the compiler", () => {
    // @ts-expect-error a parameter is missing
    expect(() => t("scripts.removed")).toThrow();
    // @ts-expect-error there is no such key
    expect(() => t("scripts.nothing")).toThrow();
    // @ts-expect-error it takes none
    expect(t("common.close", { n: 1 })).toBe("Close");
  });
});

describe("pickLanguage", () => {
  it.each([
    ["auto", ["de-DE", "zh-TW", "en"], "zh-CN"],
    ["auto", ["en-GB", "zh-CN"], "en"],
    ["auto", ["fr"], "en"],
    ["auto", [], "en"],
    ["zh-CN", ["en"], "zh-CN"],
  ] as const)("%s with %j is %s", (choice, preferred, language) => {
    expect(pickLanguage(choice, preferred)).toBe(language);
  });
});
