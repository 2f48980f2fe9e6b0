import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { InstallPreview, ScriptSummary, TabScripts } from "../../src/userscripts/types";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser, userscript } from "./harness/browser";
import { tabOf } from "./harness/popup";
import { installProbe, probe, probeScript } from "./harness/probe";
import { ranIn } from "./harness/ran";
import { registered } from "./harness/registered";
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

const worker = <T = unknown>(method: string, input: unknown = {}) =>
  callWorker<T>(browser.options, `scripts.${method}`, input);
const install = (code: string, more = {}) => worker<ScriptSummary>("install", { code, ...more });
const list = () => worker<ScriptSummary[]>("list");
const values = (uuid: string) => browser.eval<Record<string, unknown>>("eval:values", { uuid });
const plain = () => `${pages.a}/plain`;
const GRANT = ["GM_getValue", "GM_setValue", "GM.getValue", "GM.setValue"];

/** Appends its name to what ran, at document-start. */
const marker = (name: string, header: Record<string, string | string[]> = {}) =>
  userscript(
    { match: "*://*/*", grant: "GM_info", "run-at": "document-start", ...header, name },
    `document.documentElement.dataset.ran = (document.documentElement.dataset.ran ?? "") + GM_info.script.name + ";";`,
  );

describe("installing", () => {
  it("C004 a header that is not at the top: the whole source runs, with its own lines", async () => {
    const header = userscript({ name: "Later header", match: "*://*/*", grant: "GM_info" }, "");
    const code = `const above = "above";\n\n${header}\ndocument.documentElement.dataset.ran = above + "," + new Error().stack.match(/user\\.js:(\\d+)/)[1];`;
    const { uuid } = await install(code);
    const line = code.split("\n").findIndex((text) => text.includes("dataset")) + 1;
    expect(await ranIn(browser, plain(), ["above"])).toBe(`above,${line}`);
    expect((await worker<{ code: string }>("get", { uuid })).code).toBe(code);
  });

  it("C001 C005 delimiters as people write them, line ends of every kind, a byte order mark", async () => {
    const code = marker("Odd")
      .replace("// ==UserScript==", "\uFEFF// ==UserScript==  //")
      .replaceAll("\n", "\r\n");
    await install(code);
    expect(await ranIn(browser, plain(), ["Odd"])).toBe("Odd;");
  });

  it("an update keeps uuid, token, place, values and the switch; what it adds is there on the next page", async () => {
    const first = await installProbe(browser, "p", { grant: GRANT, version: "1.0" });
    await install(marker("After"));
    const page = await browser.newPage(plain());
    await probe(page, "p", `await GM.setValue("kept", [1])`);
    const before = (await registered(browser)).find(({ id }) => id.endsWith(first))?.id;
    const tokens = async () => (await tokenOf(first)) ?? "no token";
    const token = await tokens();
    expect(token).toMatch(/^[A-Za-z0-9+/]{32}$/);

    const updated = await install(probeScript("p", { grant: [...GRANT, "GM_listValues"], version: "2.0" }), {
      sourceUrl: "https://x.test/p.user.js",
    });
    expect(updated).toMatchObject({
      uuid: first,
      version: "2.0",
      enabled: true,
      position: 1,
      sourceUrl: "https://x.test/p.user.js",
    });
    expect(updated.grants).toContain("GM_listValues");
    expect((await list()).map(({ name }) => name)).toEqual(["p", "After"]);
    expect((await registered(browser)).find(({ id }) => id.endsWith(first))?.id).toBe(before);
    expect(await tokens()).toBe(token);
    // The page that was open before goes on with what it had.
    await probe(page, "p", `await GM.setValue("kept", [2])`);
    await page.reload();
    expect(
      await probe(page, "p", `return [await GM.getValue("kept"), GM_listValues(), GM_info.script.version]`),
    ).toEqual([[2], ["kept"], "2.0"]);
    await page.close();

    await worker("setEnabled", { uuid: first, enabled: false });
    expect(await install(probeScript("p", { grant: GRANT, version: "2.1" }))).toMatchObject({
      enabled: false,
      version: "2.1",
    });
    expect(await values(first)).toEqual({ kept: [2] });
  });

  it("a grant that an update takes away is gone in open pages too", async () => {
    await installProbe(browser, "p", { grant: GRANT });
    const page = await browser.newPage(plain());
    await probe(page, "p", `await GM.setValue("k", 1)`);
    await install(probeScript("p", { grant: ["GM_getValue", "GM.getValue"] }));
    await expect(probe(page, "p", `await GM.setValue("k", 2)`)).rejects.toMatchObject({
      name: "PermissionDeniedError",
      message: expect.stringContaining("GM_setValue"),
    });
    expect(await probe(page, "p", `return GM.getValue("k")`)).toBe(1);
    await page.close();
  });

  it("C023 the preview says what an installation would do, and stores nothing", async () => {
    const preview = (version: string) =>
      worker<InstallPreview>("preview", { code: marker("Known", version ? { version } : {}) });
    expect((await preview("1.0")).existing).toBeUndefined();
    expect(await list()).toEqual([]);
    const { uuid } = await install(marker("Known", { version: "2.63" }));
    for (const [version, relation] of [
      ["2.8", "older"],
      ["2.63", "same"],
      ["2.64", "newer"],
      ["2.63.0", "same"],
      ["2.63.1", "newer"],
    ] as const) {
      expect((await preview(version)).existing, version).toMatchObject({
        uuid,
        version: "2.63",
        enabled: true,
        relation,
      });
    }
    // Another namespace is another script.
    const other = await worker<InstallPreview>("preview", { code: marker("Known", { namespace: "other" }) });
    expect(other.existing).toBeUndefined();
    expect(other.script).toMatchObject({
      name: "Known",
      namespace: "other",
      world: "isolated",
      grants: ["GM_info"],
    });
  });

  it("many at once get a place of their own each; one that is sent twice is one script", async () => {
    const names = Array.from({ length: 12 }, (_, i) => `S${String(i).padStart(2, "0")}`);
    await Promise.all([...names, ...names].map((name) => install(marker(name))));
    const scripts = await list();
    expect(scripts.map(({ name }) => name).sort()).toEqual(names);
    expect(new Set(scripts.map(({ position }) => position)).size).toBe(12);
    const ran = await ranIn(browser, plain(), names);
    expect(ran.split(";").filter(Boolean)).toEqual(scripts.map(({ name }) => name));
  });
});

describe("switching off and on, removing and bringing back", () => {
  it("a disabled script runs on no new page, has no powers in open ones, and is itself again when enabled", async () => {
    const uuid = await installProbe(
      browser,
      "p",
      { grant: GRANT },
      `document.documentElement.dataset.ran = "p";`,
    );
    const page = await browser.newPage(plain());
    await probe(page, "p", `await GM.setValue("k", 1)`);
    expect(await worker("setEnabled", { uuid, enabled: false })).toMatchObject({ uuid, enabled: false });
    await expect(probe(page, "p", `await GM.setValue("k", 2)`)).rejects.toMatchObject({
      name: "PermissionDeniedError",
    });
    expect(await ranIn(browser, plain(), [])).toBe("");
    expect(await registered(browser)).toEqual([]);
    expect(await worker("setEnabled", { uuid, enabled: true })).toMatchObject({ enabled: true });
    expect(await ranIn(browser, plain(), ["p"])).toBe("p");
    await probe(page, "p", `await GM.setValue("k", 3)`);
    expect(await values(uuid)).toEqual({ k: 3 });
    await page.close();
  });

  it("the same over deaths of the worker", async () => {
    const uuid = await installProbe(
      browser,
      "p",
      { grant: GRANT },
      `document.documentElement.dataset.ran = "p";`,
    );
    const page = await browser.newPage(plain());
    await worker("setEnabled", { uuid, enabled: false });
    await browser.killWorker();
    await expect(probe(page, "p", `await GM.setValue("k", 2)`)).rejects.toMatchObject({
      name: "PermissionDeniedError",
    });
    expect(await ranIn(browser, plain(), [])).toBe("");
    await worker("setEnabled", { uuid, enabled: true });
    await browser.killWorker();
    await probe(page, "p", `await GM.setValue("k", 3)`);
    expect(await ranIn(browser, plain(), ["p"])).toBe("p");
    await page.close();
  });

  it("a removed script is gone at once, and restore brings it back with values, place and state", async () => {
    const uuid = await installProbe(browser, "p", { grant: GRANT });
    await install(marker("Other"));
    const page = await browser.newPage(plain());
    await probe(page, "p", `await GM.setValue("kept", 1)`);
    await worker("remove", { uuid });
    expect((await list()).map(({ name }) => name)).toEqual(["Other"]);
    await expect(probe(page, "p", `await GM.setValue("kept", 2)`)).rejects.toMatchObject({
      name: "PermissionDeniedError",
    });
    for (const method of ["get", "remove"]) {
      await expect(worker(method, { uuid }), method).rejects.toMatchObject({ name: "NotFoundError" });
    }
    await browser.killWorker();
    expect(await worker("restore", { uuid })).toMatchObject({ uuid, name: "p", position: 1, enabled: true });
    expect((await list()).map(({ name }) => name)).toEqual(["p", "Other"]);
    await page.reload();
    expect(await probe(page, "p", `return [GM_getValue("kept"), await GM.getValue("kept")]`)).toEqual([1, 1]);
    await page.close();
  });

  it("restore says so when the script was installed anew meanwhile, whose values are its own", async () => {
    const uuid = await installProbe(browser, "p", { grant: GRANT });
    const page = await browser.newPage(plain());
    await probe(page, "p", `await GM.setValue("k", "of the first")`);
    await worker("remove", { uuid });
    const again = await installProbe(browser, "p", { grant: GRANT });
    expect(again).not.toBe(uuid);
    await page.reload();
    expect(await probe(page, "p", `return GM.getValue("k", "none")`)).toBe("none");
    await expect(worker("restore", { uuid })).rejects.toMatchObject({ name: "ConflictError" });
    await expect(worker("restore", { uuid: "no-such-script" })).rejects.toMatchObject({
      name: "NotFoundError",
    });
    await page.close();
  });

  it("pausing all and blocking a site take effect on the next page, and end with it", async () => {
    await install(marker("M"));
    const settings = (patch: object) => browser.eval("eval:setSettings", { patch });
    await settings({ paused: true });
    await expect.poll(() => registered(browser)).toEqual([]);
    expect(await ranIn(browser, plain(), [])).toBe("");
    await settings({ paused: false, blocklist: ["*://127.0.0.1/*"] });
    await expect.poll(async () => (await registered(browser)).length).toBeGreaterThan(0);
    expect(await ranIn(browser, plain(), [])).toBe("");
    expect(await ranIn(browser, `${pages.localhostA}/plain`, ["M"])).toBe("M;");
    await settings({ blocklist: [] });
    await expect.poll(() => ranIn(browser, plain(), [])).toBe("M;");
  });
});

describe("what a tab shows", () => {
  const forTab = async (page: Page) =>
    worker<TabScripts>("forTab", { tabId: (await tabOf(browser, page)).id });

  it("its scripts, whether they run, and why not", async () => {
    await install(marker("Here"));
    await install(marker("Off"), { enabled: false });
    await install(marker("Elsewhere", { match: "https://elsewhere.test/*" }));
    const page = await browser.newPage(plain());
    const shown = await forTab(page);
    expect(shown).toMatchObject({ url: plain(), runnable: true, commands: [] });
    expect(shown.scripts.map(({ name, running }) => [name, running])).toEqual([
      ["Here", true],
      ["Off", false],
    ]);
    await page.goto("chrome://version");
    expect(await forTab(page)).toMatchObject({ runnable: false, scripts: [] });
    await page.close();
    await expect(worker("forTab", { tabId: 999_999 })).rejects.toThrow();
  });
});

/** The token in a script's registered code. */
async function tokenOf(uuid: string): Promise<string | undefined> {
  const own = (await registered(browser)).find(({ id }) => id.endsWith(`:${uuid}`));
  return /\.run\("([A-Za-z0-9+/]{32})",/.exec(own?.code ?? "")?.[1];
}
