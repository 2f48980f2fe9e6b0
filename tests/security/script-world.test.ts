import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser, type TestBrowser, userscript } from "../e2e/harness/browser";
import { type PageServer, startPageServer } from "../servers/pages";
import { install, listed, REPORT, reportOf } from "./support/reports";
import { SEARCH } from "./support/search";
import { tokensOf } from "./support/stored";
import { FOUND_NAMES } from "./support/world-names";

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

const matchA = () => `${pages.a}/*`;

describe("what a script finds", () => {
  it("its own token is nowhere: not up the stack, not in a source, not behind a getter, not in an error", async () => {
    const uuid = await install(
      browser,
      userscript(
        {
          name: "Searching",
          match: matchA(),
          grant: ["GM_getValue", "GM.setValue", "CAT.agent.model"],
          "run-at": "document-start",
        },
        SEARCH,
      ),
    );
    const page = await browser.newPage(`${pages.a}/plain`);
    const found = await reportOf<string[]>(page, "found", 60_000);
    const { scripts, all } = await tokensOf(browser.options);
    const text = found.join("\n");
    // It did look: at its own source, and into the runtime's.
    expect(text).toContain("a mark in its own source");
    expect(text).toContain("channel(");
    expect(scripts[uuid]).toHaveLength(32);
    for (const token of all) expect(text.includes(token)).toBe(false);
    await page.close();
  });

  it("what called its code is hidden from it", async () => {
    await install(
      browser,
      userscript(
        { name: "Looking up", match: matchA(), grant: "GM.getValue", "run-at": "document-start" },
        `${REPORT}
const { prepareStackTrace } = Error;
Error.prepareStackTrace = (_error, sites) => sites.slice(1).map((site) => [typeof site.getFunction(), typeof site.getThis()]);
const above = new Error().stack;
Error.prepareStackTrace = prepareStackTrace;
report("above", { caller: arguments.callee.caller, above });`,
      ),
    );
    const page = await browser.newPage(`${pages.a}/plain`);
    const { caller, above } = await reportOf<{ caller: unknown; above: string[][] }>(page, "above");
    expect(caller).toBeNull();
    expect(above.length).toBeGreaterThan(1);
    for (const site of above) expect(site).toEqual(["undefined", "undefined"]);
    await page.close();
  });

  it("nor does code find it that breaks out of the function around it", async () => {
    const uuid = await install(
      browser,
      userscript(
        { name: "Breaking out", match: matchA(), grant: "GM.getValue", "run-at": "document-start" },
        `}}, (() => {
  const look = () => {
    const { prepareStackTrace } = Error;
    Error.prepareStackTrace = (_error, sites) => sites.map((site) => [site.getFunction(), site.getThis(), site.toString(), site.getEvalOrigin()]);
    const seen = new Error().stack.flat().map((part) => { try { return String(part); } catch { return ""; } });
    Error.prepareStackTrace = prepareStackTrace;
    return seen;
  };
  function sloppy() { return [String(sloppy.caller), String(arguments.callee.caller)]; }
  document.documentElement.dataset.broken = JSON.stringify([...look(), ...sloppy(), String(document.currentScript)]);
})(), function () { return function () {`,
      ),
    );
    const page = await browser.newPage(`${pages.a}/plain`);
    const found = await reportOf<string[]>(page, "broken");
    const { scripts } = await tokensOf(browser.options);
    expect(scripts[uuid]).toHaveLength(32);
    expect(found.join("\n").includes(scripts[uuid] ?? "?")).toBe(false);
    await page.close();
  });

  it.each([
    // In the page's own world, which has a chrome of its own.
    [["none"], ["GM", "GM.info", "GM_info", "chrome"]],
    [["unsafeWindow"], ["GM", "GM.info", "GM_info", "chrome", "unsafeWindow"]],
    [["GM.getValues"], ["GM", "GM.getValues", "GM.info", "GM_info"]],
    [
      ["CAT.agent.conversation", "GM_log", "GM.registerMenuCommand"],
      ["CAT", "CAT.agent.conversation", "GM", "GM.info", "GM.registerMenuCommand", "GM_info", "GM_log"],
    ],
  ])("C137 %j gives exactly the granted names", async (grant, names) => {
    const uuid = await install(
      browser,
      userscript(
        { name: "Probing", match: matchA(), grant },
        `${REPORT}report("names", { found: ${FOUND_NAMES}, given: arguments.length });`,
      ),
    );
    const page = await browser.newPage(`${pages.a}/plain`);
    const { found, given } = await reportOf<{ found: string[]; given: number }>(page, "names");
    expect((await listed(browser, uuid)).errors).toEqual([]);
    expect(found).toEqual([...names].sort());
    expect(given).toBe(0);
    await page.close();
  });

  it("C137 its global has one property more than a world without us, and chrome no more", async () => {
    const names = "JSON.stringify(Object.getOwnPropertyNames(globalThis).map(String))";
    const code = `document.documentElement.dataset.globals = ${names};`;
    await install(
      browser,
      userscript({ name: "Isolated", match: `${pages.a}/page/isolated`, grant: "GM.getValue" }, code),
    );
    await install(
      browser,
      userscript({ name: "In page", match: `${pages.a}/page/in-page`, grant: "none" }, code),
    );
    const difference = async (path: string, control: string[]) => {
      const page = await browser.newPage(`${pages.a}${path}`);
      const found = await reportOf<string[]>(page, "globals");
      await page.close();
      return {
        more: found.filter((name) => !control.includes(name)),
        less: control.filter((name) => !found.includes(name)),
      };
    };

    const control = await browser.newPage(`${pages.a}/page/control`);
    const cdp = await browser.context.newCDPSession(control);
    const { frameTree } = await cdp.send("Page.getFrameTree");
    const { executionContextId } = await cdp.send("Page.createIsolatedWorld", {
      frameId: frameTree.frame.id,
    });
    const ask = async (contextId?: number) => {
      const { result } = await cdp.send("Runtime.evaluate", { expression: names, contextId });
      return JSON.parse(String(result.value)) as string[];
    };
    const [isolated, inPage] = [await ask(executionContextId), await ask()];
    await control.close();
    expect(await difference("/page/isolated", isolated)).toEqual({ more: ["moggy:boot"], less: ["chrome"] });
    expect(await difference("/page/in-page", inPage)).toEqual({ more: [], less: [] });
  });
});
