import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ScriptSummary } from "../../src/userscripts/types";
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

/** Says its name, and by a value that it keeps shows that its own session works. */
const script = (name: string, header: Record<string, string | string[]>) =>
  userscript(
    { match: "*://*/*", "run-at": "document-start", ...header, name },
    `const root = document.documentElement;
    root.dataset.ran = (root.dataset.ran ?? "") + "${name};";
    if (typeof GM.getValue === "function") (async () => {
      await GM.setValue("name", "${name}");
      const kept = await GM.getValue("name");
      root.dataset.kept = (root.dataset.kept ?? "") + kept + ";";
    })();`,
  );

const list = () => callWorker<ScriptSummary[]>(browser.options, "scripts.list");
const noticed = async (code: string) =>
  (await list()).filter(({ notices }) => notices.some((n) => n.code === code)).map(({ name }) => name);
const named = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}${String(i).padStart(2, "0")}`);

async function installAll(names: string[], header: Record<string, string | string[]>): Promise<void> {
  for (const name of names) await browser.eval("eval:installScript", { code: script(name, header) });
}

describe("30 scripts on one page", () => {
  it("all run in their order, with their own values; those beyond the browser's worlds share one and say so", async () => {
    const names = named("S", 30);
    await installAll(names, { grant: ["GM.setValue", "GM.getValue"] });
    expect(await ranIn(browser, `${pages.a}/plain`, names)).toBe(`${names.join(";")};`);
    const page = await browser.newPage(`${pages.a}/plain`);
    const kept = () =>
      page.evaluate(() => (document.documentElement.dataset.kept ?? "").split(";").filter(Boolean).sort());
    await expect.poll(kept).toEqual(names);
    await page.close();
    expect(await noticed("notice.crowded")).toEqual(names.slice(9));
    expect(await noticed("notice.homeless")).toEqual([]);
    for (const { errorCount } of await list()) expect(errorCount).toBe(0);
  });

  it("the page's own world takes any number, after all isolated ones", async () => {
    const isolated = named("I", 3);
    const page = named("P", 27);
    await installAll(page, { grant: "none" });
    await installAll(isolated, { grant: "GM_info" });
    const all = [...isolated, ...page];
    expect(await ranIn(browser, `${pages.a}/plain`, all)).toBe(`${all.join(";")};`);
    expect(await noticed("notice.crowded")).toEqual([]);
  });

  it("a new order holds from the next page on, also after the worker died; names that are left out keep theirs at the end", async () => {
    const names = named("S", 12);
    await installAll(names, { grant: "GM_info" });
    const uuids = new Map((await list()).map(({ name, uuid }) => [name, uuid]));
    const reorder = (wanted: string[]) =>
      callWorker(browser.options, "scripts.reorder", { uuids: wanted.map((name) => uuids.get(name)) });
    const reversed = [...names].reverse();
    await reorder(reversed);
    expect(await ranIn(browser, `${pages.a}/plain`, names)).toBe(`${reversed.join(";")};`);
    await browser.killWorker();
    expect((await list()).map(({ name }) => name)).toEqual(reversed);
    const chosen = ["S05", "S00"];
    await reorder(chosen);
    const expected = [...chosen, ...reversed.filter((name) => !chosen.includes(name))];
    expect(await ranIn(browser, `${pages.a}/plain`, names)).toBe(`${expected.join(";")};`);
    // An update does not lose the place.
    await browser.eval("eval:installScript", { code: script("S07", { grant: "GM_info", version: "2" }) });
    expect(await ranIn(browser, `${pages.a}/plain`, names)).toBe(`${expected.join(";")};`);
  });
});

describe("scripts with far-reaching grants", () => {
  const GRANT = { grant: "GM_xmlhttpRequest" };

  it("never share: those that find no world of their own do not run, and say so; when one goes, another comes in", async () => {
    const names = named("X", 12);
    await installAll(names, GRANT);
    expect(await ranIn(browser, `${pages.a}/plain`, names.slice(0, 10))).toBe(
      `${names.slice(0, 10).join(";")};`,
    );
    expect(await noticed("notice.homeless")).toEqual(names.slice(10));
    const [first] = await list();
    await callWorker(browser.options, "scripts.setEnabled", { uuid: first?.uuid, enabled: false });
    expect(await ranIn(browser, `${pages.a}/plain`, names.slice(1, 11))).toBe(
      `${names.slice(1, 11).join(";")};`,
    );
    expect(await noticed("notice.homeless")).toEqual(names.slice(11));
  });

  it("do not meet on different sites, so all of them run", async () => {
    const names = named("X", 14);
    for (const [i, name] of names.entries()) {
      await installAll([name], { ...GRANT, match: i < 2 ? "http://127.0.0.1/*" : `https://site${i}.test/*` });
    }
    expect(await ranIn(browser, `${pages.a}/plain`, names.slice(0, 2))).toBe("X00;X01;");
    expect(await noticed("notice.homeless")).toEqual([]);
  });
});
