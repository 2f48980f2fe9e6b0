import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { ScriptSummary } from "../../src/userscripts/types";
import { type PageServer, startPageServer } from "../servers/pages";
import { EXTENSION_ID, extensionUrl, launchBrowser, type TestBrowser } from "./harness/browser";
import { installProbe, probe } from "./harness/probe";
import { ranIn } from "./harness/ran";
import { callWorker } from "./harness/rpc";

let browser: TestBrowser;
let pages: PageServer;
/** The browser's own page with the switch. */
let switches: Page;

beforeAll(async () => {
  [browser, pages] = await Promise.all([launchBrowser(), startPageServer()]);
  switches = await browser.newPage("chrome://extensions");
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close()]);
});
beforeEach(async () => {
  await browser.eval("eval:clear");
});
afterEach(() => allow(true));

/** Turns "Allow user scripts" on or off, as a person does on the extension's page. */
async function allow(on: boolean): Promise<void> {
  await switches.evaluate(
    `chrome.developerPrivate.updateExtensionConfiguration({ extensionId: "${EXTENSION_ID}", userScriptsAccess: ${on} })`,
  );
}

const plain = () => `${pages.a}/plain`;
const GRANT = ["GM_getValue", "GM.setValue", "GM.getValue"];
const install = (name: string) =>
  installProbe(
    browser,
    name,
    { grant: GRANT },
    `document.documentElement.dataset.ran = (document.documentElement.dataset.ran ?? "") + "${name};";`,
  );
const status = () =>
  callWorker<{ userScripts: boolean; detailsUrl: string }>(browser.options, "settings.status");

it("off: nothing runs, nothing breaks, and it is said with the way to switch it on", async () => {
  const uuid = await install("a");
  const open = await browser.newPage(plain());
  await probe(open, "a", `await GM.setValue("k", 1)`);
  await allow(false);
  expect(await browser.eval("eval:ready")).toMatchObject({ userScripts: false });
  expect(await status()).toMatchObject({
    userScripts: false,
    detailsUrl: expect.stringContaining(`chrome://extensions/?id=${EXTENSION_ID}`),
  });
  expect(await ranIn(browser, plain(), [])).toBe("");
  // Managing goes on: scripts can be installed, changed and looked at.
  await install("b");
  expect(await callWorker(browser.options, "scripts.setEnabled", { uuid, enabled: false })).toMatchObject({
    enabled: false,
  });
  expect(
    (await callWorker<ScriptSummary[]>(browser.options, "scripts.list")).map(({ name }) => name),
  ).toEqual(["a", "b"]);
  expect(await browser.eval("eval:values", { uuid })).toEqual({ k: 1 });
  await open.close();
});

it.each(["options.html", "popup.html", "install.html"])(
  "%s says so while it is off, and takes it back when it is on",
  async (path) => {
    await allow(false);
    const page = await browser.newPage(extensionUrl(path));
    const banner = page.getByText("Allow user scripts", { exact: false }).first();
    await banner.waitFor();
    const [details] = await Promise.all([
      browser.context.waitForEvent("page"),
      page.getByRole("button", { name: /open/i }).first().click(),
    ]);
    await expect.poll(() => details.url()).toContain(`chrome://extensions/?id=${EXTENSION_ID}`);
    await allow(true);
    await details.close();
    await page.reload();
    await page.getByRole("main").or(page.locator("body > *").first()).first().waitFor();
    await expect.poll(() => banner.count()).toBe(0);
    await page.close();
  },
);

it("switched on again, everything runs without a restart: what was installed, changed and removed meanwhile too", async () => {
  const removed = await install("removed");
  const disabled = await install("disabled");
  await install("kept");
  expect(await ranIn(browser, plain(), ["kept"])).toBe("removed;disabled;kept;");
  await allow(false);
  await install("added");
  await callWorker(browser.options, "scripts.remove", { uuid: removed });
  await callWorker(browser.options, "scripts.setEnabled", { uuid: disabled, enabled: false });
  await allow(true);
  // Nobody tells the worker; the first navigation makes it look.
  await expect.poll(() => ranIn(browser, plain(), [])).toBe("kept;added;");
  const page = await browser.newPage(plain());
  expect(
    await probe(
      page,
      "added",
      `await GM.setValue("k", 1); return [await GM.getValue("k"), GM_getValue("k")]`,
    ),
  ).toEqual([1, 1]);
  expect(await browser.eval("eval:ready")).toMatchObject({ userScripts: true });
  await page.close();
});

it("the same when the worker died while it was off", async () => {
  await install("kept");
  await allow(false);
  await install("added");
  await browser.killWorker();
  expect(await ranIn(browser, plain(), [])).toBe("");
  await allow(true);
  await expect.poll(() => ranIn(browser, plain(), [])).toBe("kept;added;");
});

it("a page that asks how things stand is enough: what it is told holds for the next page", async () => {
  await allow(false);
  await install("added");
  await allow(true);
  expect(await status()).toMatchObject({ userScripts: true });
  expect(await ranIn(browser, plain(), ["added"])).toBe("added;");
});

it("pages that were open all the time keep their scripts, on both sides of the switch", async () => {
  await install("a");
  const page = await browser.newPage(plain());
  await probe(page, "a", `await GM.setValue("k", 1)`);
  await allow(false);
  await browser.eval("eval:ready");
  await allow(true);
  await browser.eval("eval:ready");
  expect(await probe(page, "a", `await GM.setValue("k", 2); return GM.getValue("k")`)).toBe(2);
  await page.close();
});
