import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser, userscript } from "./harness/browser";
import { installProbe, probe } from "./harness/probe";
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

/** All names that a userscript manager may give, whether this version has them or not. */
const NAMES = [
  "getValue setValue deleteValue listValues getValues setValues deleteValues addValueChangeListener removeValueChangeListener",
  "xmlhttpRequest xmlHttpRequest fetch addStyle addElement getResourceText getResourceURL getResourceUrl registerMenuCommand unregisterMenuCommand",
  "notification closeNotification updateNotification openInTab closeInTab getTab saveTab getTabs setClipboard download cookie log audio webRequest",
].flatMap((line) => line.split(" "));

/** In a script: which of those names it finds, as `typeof` per name, and the keys of GM, CAT and CAT.agent. */
const FIND = `
const found = {};
for (const name of ${JSON.stringify(NAMES)}) {
  const kind = eval("typeof GM_" + name);
  if (kind !== "undefined") found["GM_" + name] = kind;
}
for (const name of ["unsafe" + "Window", "CAT", "CAT_userConfig", "CAT_fetchBlob", "cloneInto", "exportFunction", "chrome", "browser", "GM_info", "GM"]) {
  const kind = eval("typeof " + name);
  if (kind !== "undefined") found[name] = kind;
}
const keys = {
  GM: typeof GM === "undefined" ? [] : Reflect.ownKeys(GM).sort(),
  agent: typeof CAT === "undefined" ? [] : Reflect.ownKeys(CAT.agent).sort(),
};`;

interface Found {
  found: Record<string, string>;
  keys: { GM: string[]; agent: string[] };
}

async function find(grant: string[]): Promise<Found> {
  await browser.eval("eval:clear");
  await installProbe(browser, "p", grant.length > 0 ? { grant } : {}, FIND);
  const page = await browser.newPage(`${pages.a}/plain`);
  const result = await probe<Found>(page, "p", "return { found, keys }");
  await page.close();
  return result;
}

const ALWAYS = { GM_info: "object", GM: "object" };

describe("C137 a script has exactly what it was granted", () => {
  it.each([
    ["GM.getValues", {}, ["getValues", "info"]],
    ["GM_getValues", { GM_getValues: "function" }, ["info"]],
    ["GM_getValue", { GM_getValue: "function" }, ["info"]],
    ["GM.setValue", {}, ["info", "setValue"]],
    ["GM_addValueChangeListener", { GM_addValueChangeListener: "function" }, ["info"]],
    ["GM_xmlhttpRequest", { GM_xmlhttpRequest: "function" }, ["info"]],
    ["GM.xmlHttpRequest", {}, ["info", "xmlHttpRequest"]],
    ["GM_registerMenuCommand", { GM_registerMenuCommand: "function" }, ["info"]],
    ["GM_addStyle", { GM_addStyle: "function" }, ["info"]],
    ["GM_log", { GM_log: "function" }, ["info"]],
    ["GM_info", {}, ["info"]],
    ["GM.info", {}, ["info"]],
  ])("%s", async (grant, functions, modern) => {
    expect(await find([grant])).toEqual({
      found: { ...ALWAYS, ...functions },
      keys: { GM: modern, agent: [] },
    });
  });

  it("several grants: all of them and nothing else", async () => {
    const result = await find(["GM_setValue", "GM.getValue", "GM.addStyle", "CAT.agent.model"]);
    expect(result.found).toEqual({ ...ALWAYS, GM_setValue: "function", CAT: "object" });
    expect(result.keys).toEqual({ GM: ["addStyle", "getValue", "info"], agent: ["model"] });
  });

  it.each([["conversation"], ["model"]])("CAT.agent.%s alone", async (area) => {
    const { found, keys } = await find([`CAT.agent.${area}`]);
    expect(found).toEqual({ ...ALWAYS, CAT: "object" });
    expect(keys).toEqual({ GM: ["info"], agent: [area] });
  });

  it("@grant none and no @grant at all: GM_info only, in the page's own world", async () => {
    for (const grant of [["none"], []]) {
      const { found, keys } = await find(grant);
      // The page has a `chrome` object of its own, which is none of ours.
      const { chrome: _, ...rest } = found;
      expect(rest).toEqual(ALWAYS);
      expect(keys).toEqual({ GM: ["info"], agent: [] });
    }
  });

  it("unsafeWindow alone is the page's window", async () => {
    await installProbe(browser, "p", { grant: "unsafeWindow" });
    const page = await browser.newPage(`${pages.a}/plain`);
    await page.evaluate("window.fromPage = { deep: [1] }");
    expect(await probe(page, "p", "return [unsafeWindow.fromPage, unsafeWindow === window]")).toEqual([
      { deep: [1] },
      true,
    ]);
    await page.close();
  });
});

describe("what is around a script", () => {
  it("no stray names, in the world or in the page: one property that cannot be seen by enumeration", async () => {
    const list = "Object.getOwnPropertyNames(globalThis)";
    await installProbe(
      browser,
      "p",
      { grant: ["GM_getValue", "CAT.agent.conversation"] },
      `const names = ${list}, keys = Object.keys(globalThis);`,
    );
    await installProbe(browser, "q", { grant: "none" }, `const keys = Object.keys(globalThis);`);
    const page = await browser.newPage(`${pages.a}/plain`);
    const isolated = await probe<string[]>(page, "p", "return names");
    // A frame without scripts shows what the browser itself puts into a world.
    const bare = await page.evaluate<string[]>(`(() => {
      const frame = document.body.appendChild(document.createElement("iframe"));
      return frame.contentWindow.Object.getOwnPropertyNames(frame.contentWindow);
    })()`);
    expect(isolated.filter((name) => !bare.includes(name))).toEqual(["moggy:boot"]);
    expect(await probe(page, "p", "return keys.filter((key) => /moggy|boot|^GM|^CAT/.test(key))")).toEqual(
      [],
    );
    const own = await page.evaluate<string[]>(list);
    expect(own.filter((name) => /moggy|boot|^GM|^CAT/.test(name))).toEqual([]);
    await page.close();
  });

  it("the functions around the code show nothing of what they were given", async () => {
    await installProbe(
      browser,
      "p",
      { grant: ["GM_setValue"] },
      `const around = (function sloppy() {
        const told = [];
        for (let fn = sloppy.caller; fn; fn = fn.caller) told.push(String(fn.arguments?.length) + ":" + String(fn).length);
        return told;
      })();
      const own = arguments.length;
      const self = this === globalThis;
      const strict = (function () { return this === undefined; })();`,
    );
    const page = await browser.newPage(`${pages.a}/plain`);
    const { around, own, self, strict } = await probe<{
      around: string[];
      own: number;
      self: boolean;
      strict: boolean;
    }>(page, "p", "return { around, own, self, strict }");
    // One function, the one with the script's own code, called without arguments; above it are strict ones, which do not show.
    expect(around).toHaveLength(1);
    expect(around[0]).toMatch(/^0:/);
    expect({ own, self, strict }).toEqual({ own: 0, self: true, strict: false });
    await page.close();
  });

  it("GM and CAT cannot be changed, and a script that declares the names itself is left alone", async () => {
    await installProbe(browser, "p", { grant: ["GM.getValue", "CAT.agent.model"] });
    const code = `var GM_getValue = "mine"; function GM_log() { return "mine"; } let own = typeof GM_getValue + GM_log();
      document.documentElement.dataset.own = own;`;
    await browser.eval("eval:installScript", {
      code: userscript({ name: "Declares", match: "*://*/*", grant: ["GM_getValue", "GM_log"] }, code),
    });
    const page = await browser.newPage(`${pages.a}/plain`);
    expect(
      await probe(
        page,
        "p",
        `"use strict";
        const told = [];
        for (const change of [() => { GM.getValue = 1; }, () => { GM.more = 1; }, () => { delete GM.getValue; }, () => { CAT.agent = 1; }, () => { CAT.agent.more = 1; }])
          try { change(); told.push("changed"); } catch (error) { told.push(error.name); }
        return told`,
      ),
    ).toEqual(Array(5).fill("TypeError"));
    await page.locator(":root[data-own]").waitFor({ state: "attached" });
    expect(await page.locator(":root").getAttribute("data-own")).toBe("stringmine");
    await page.close();
  });

  it("GM_info tells what the header says, in every world", async () => {
    for (const grant of ["GM_info", "none"]) {
      await browser.eval("eval:clear");
      const uuid = await installProbe(browser, "p", {
        grant,
        version: "1.2.3",
        description: "Words.",
        connect: "a.test",
        author: "Me",
      });
      const page = await browser.newPage(`${pages.a}/plain`);
      const info = await probe<Record<string, unknown> & { script: Record<string, unknown> }>(
        page,
        "p",
        "return GM_info",
      );
      expect(info).toMatchObject({
        scriptHandler: "Moggy",
        injectInto: grant === "none" ? "page" : "content",
        isIncognito: false,
      });
      expect(info.script).toMatchObject({
        uuid,
        name: "p",
        namespace: "test",
        version: "1.2.3",
        description: "Words.",
        author: "Me",
        grant: [grant],
        connects: ["a.test"],
        matches: ["*://*/*"],
        "run-at": "document-start",
      });
      expect(info.version).toBe(
        (await callWorker<{ version: string }>(browser.options, "settings.status")).version,
      );
      expect(info.scriptMetaStr).toContain("// @name p");
      await page.close();
    }
  });
});
