import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser, type TestBrowser, userscript } from "../e2e/harness/browser";
import { type PageServer, startPageServer } from "../servers/pages";
import { callAsPage } from "./support/own-page-rpc";
import { install, REPORT, reportOf } from "./support/reports";

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

describe("a script in open pages", () => {
  it.each([
    ["removed", (uuid: string) => browser.eval("eval:removeScript", { uuid })],
    [
      "disabled",
      (uuid: string) => callAsPage(browser.options, "scripts.setEnabled", { uuid, enabled: false }),
    ],
    ["updated to ask for less", () => install(browser, asking("GM_info"))],
  ])("loses its powers when it is %s", async (_name, change) => {
    const uuid = await install(browser, asking("GM.setValue"));
    const page = await browser.newPage(`${pages.a}/plain`);
    expect(await reportOf(page, "first")).toBe("stored");
    await change(uuid);
    await page.evaluate(() => document.dispatchEvent(new CustomEvent("again")));
    expect(await reportOf(page, "second")).toBe("PermissionDeniedError");
    await page.close();
  });

  function asking(grant: string): string {
    return userscript(
      { name: "Asking", match: matchA(), grant },
      `${REPORT}
const set = (key) => GM.setValue(key, 1).then(() => report(key, "stored"), (error) => report(key, error.name));
document.addEventListener("again", () => set("second"));
if (GM.setValue) set("first");`,
    );
  }
});

describe("an update that narrows where a script runs", () => {
  it.each([
    ["fewer matches", { match: ["*://*/page/a", "*://*/page/b"] }, { match: "*://*/page/a" }],
    // A host with a star within is registered as a glob, which the browser's update does not take away.
    ["a match in place of a glob", { include: "http://127.0.*/page/*" }, { match: "*://*/page/a" }],
    ["a glob in place of matches", { match: "*://*/page/*" }, { include: "http://127.0.*/page/a" }],
    [
      "no exclusion, and fewer matches",
      { match: "*://*/*", "exclude-match": "*://*/page/a" },
      { match: "*://*/page/a" },
    ],
    [
      "another exclusion",
      { match: "*://*/*", "exclude-match": "*://*/page/a" },
      { match: "*://*/*", "exclude-match": "*://*/page/b" },
    ],
  ])("takes hold at once: %s", async (_name, before, after) => {
    const code = "document.documentElement.dataset.ran = 'yes'";
    const other = { name: "Other", match: "*://*/page/*", grant: "GM.getValue" };
    const header = { name: "Narrowed", grant: "GM_getValue", "run-at": "document-start" };
    // One whose end tells that all earlier ones of the page had their turn.
    await install(browser, userscript({ ...header, ...before }, code));
    await install(browser, userscript(other, "document.documentElement.dataset.all = '1'"));
    await install(browser, userscript({ ...header, ...after }, code));
    const ran = async (path: string) => {
      const page = await browser.newPage(`${pages.a}${path}`);
      await page.locator(":root[data-all]").waitFor({ state: "attached" });
      const found = await page.evaluate(() => document.documentElement.dataset.ran ?? "no");
      await page.close();
      return found;
    };
    expect([await ran("/page/a"), await ran("/page/b")]).toEqual(["yes", "no"]);
  });
});
