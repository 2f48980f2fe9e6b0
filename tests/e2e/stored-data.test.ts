import { afterEach, beforeEach, expect, it } from "vitest";
import { SCHEMA_KEY, SCHEMA_VERSION } from "../../src/migrations/schema";
import { type PageServer, startPageServer } from "../servers/pages";
import { extensionUrl, launchBrowser, type TestBrowser, userscript } from "./harness/browser";
import { callWorker } from "./harness/rpc";

let browser: TestBrowser;
let pages: PageServer;

beforeEach(async () => {
  [browser, pages] = await Promise.all([launchBrowser(), startPageServer()]);
});
afterEach(async () => {
  await Promise.all([browser?.close(), pages?.close()]);
});

/** All that chrome.storage.local and the database hold, as text. */
const everything = () =>
  browser.options.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open("moggy");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = async () => {
          const db = opening.result;
          const names = [...db.objectStoreNames];
          const rows: Record<string, unknown> = {};
          const transaction = db.transaction(names);
          for (const name of names) {
            const asking = transaction.objectStore(name).getAll();
            asking.onsuccess = () => {
              rows[name] = asking.result;
            };
          }
          transaction.oncomplete = async () => {
            const { version } = db;
            db.close();
            resolve(JSON.stringify({ rows, version, local: await chrome.storage.local.get() }));
          };
        };
      }),
  );

async function installCounter(): Promise<void> {
  const code = userscript(
    { name: "Counter", match: "*://*/plain*", grant: ["GM.setValue"] },
    `GM.setValue("n", Math.random()).then(
      () => { document.documentElement.dataset.outcome = "stored"; },
      (error) => { document.documentElement.dataset.outcome = error.name; },
    );`,
  );
  await browser.eval("eval:installScript", { code });
}

async function expectRefused(): Promise<void> {
  const calls: Array<[string, unknown]> = [
    ["scripts.list", {}],
    ["settings.set", { paused: true }],
    ["settings.get", {}],
    ["agent.models.list", {}],
    ["scripts.install", { code: userscript({ name: "New" }, "") }],
  ];
  for (const [method, input] of calls) {
    await expect(callWorker(browser.options, method, input), method).rejects.toMatchObject({
      name: "DowngradeError",
      message: expect.stringContaining("Nothing was changed."),
    });
  }
  // What needs no data is still answered.
  expect(await callWorker(browser.options, "settings.status")).toMatchObject({ userScripts: true });
}

/** The next start of the browser finds the data as it was left. */
async function relaunch(): Promise<void> {
  const { profile } = browser;
  await browser.close({ keepProfile: true });
  browser = await launchBrowser({ profile, untilReady: false });
  await browser.options.goto(extensionUrl("options.html"));
}

it("data that a newer version wrote is not touched, and every page says why and what to do", async () => {
  await installCounter();
  await browser.options.evaluate(
    ({ key, version }) => chrome.storage.local.set({ [key]: { version, writer: "9.8.7" } }),
    { key: SCHEMA_KEY, version: SCHEMA_VERSION + 1 },
  );
  await relaunch();
  const before = await everything();
  await browser.options.getByRole("heading", { name: "This Moggy is older than its data" }).waitFor();
  await browser.options.getByText("9.8.7").first().waitFor();
  await expectRefused();

  const page = await browser.newPage(`${pages.a}/plain`);
  // The script may still be registered; what it asks for is refused by name.
  await page.waitForLoadState();
  expect(await page.evaluate(() => document.documentElement.dataset.outcome ?? "")).not.toBe("stored");
  expect(await browser.killWorker()).toBe(true);
  await expectRefused();
  for (const path of ["popup.html", "install.html"]) {
    const other = await browser.newPage(extensionUrl(path));
    await other.getByRole("heading", { name: "This Moggy is older than its data" }).waitFor();
    await other.close();
  }
  expect(await everything()).toBe(before);
});

it.each([
  ["says", { version: SCHEMA_VERSION, writer: "0.1.0" }],
  ["said, which is lost", undefined],
])("a database that is newer than its number %s is not touched either", async (_what, number) => {
  await installCounter();
  const { profile } = browser;
  await browser.close({ keepProfile: true });
  browser = await launchBrowser({ profile, untilReady: false });
  // The worker has it open; a page raises its version as soon as the worker lets go of it.
  await browser.options.goto(extensionUrl("icons/128.png"));
  await browser.options.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open("moggy", 70);
        opening.onupgradeneeded = () => {
          opening.result.createObjectStore("plans", { keyPath: "id" });
          // What this version would miss, and must not add.
          opening.result.deleteObjectStore("log");
        };
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          opening.result.close();
          resolve();
        };
      }),
  );
  await browser.options.evaluate(
    ({ key, record }) =>
      record ? chrome.storage.local.set({ [key]: record }) : chrome.storage.local.remove(key),
    { key: SCHEMA_KEY, record: number },
  );
  await relaunch();
  await browser.options.getByRole("heading", { name: "This Moggy is older than its data" }).waitFor();
  const before = await everything();
  expect(JSON.parse(before)).toMatchObject({ version: 70 });
  await expectRefused();
  expect(await everything()).toBe(before);
});

it("steps that failed too often wait for a person, who has them run; calls fail by name until then", async () => {
  await installCounter();
  const pending = {
    from: 1,
    done: [],
    attempts: 5,
    failure: { step: "2-tables", why: "The disk was full." },
  };
  await browser.options.evaluate(({ key, record }) => chrome.storage.local.set({ [key]: record }), {
    key: SCHEMA_KEY,
    record: { version: SCHEMA_VERSION, writer: "0.1.0", pending },
  });
  await relaunch();
  const { options } = browser;
  await options.getByRole("heading", { name: "Moggy could not update its data" }).waitFor();
  await options.getByText("The disk was full.").waitFor();
  await expect(callWorker(options, "scripts.list")).rejects.toMatchObject({
    name: "MigrationError",
    message: expect.stringContaining("What was stored before is kept."),
  });
  await options.getByRole("button", { name: "Try again" }).click();
  await options.getByText("Counter").first().waitFor();
  const { [SCHEMA_KEY]: schema } = await options.evaluate((key) => chrome.storage.local.get(key), SCHEMA_KEY);
  expect(schema).toEqual({ version: SCHEMA_VERSION, writer: expect.any(String) });
  // What waited since the start went on by itself: the script is registered.
  const registered = () => options.evaluate(async () => (await chrome.userScripts.getScripts()).length);
  await expect.poll(registered).toBeGreaterThan(0);
  const page = await browser.newPage(`${pages.a}/plain`);
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.outcome)).toBe("stored");
});

it("steps that the death of a worker cut off are taken up by the next worker, before anything else is done", async () => {
  await installCounter();
  const begun = { from: 1, done: [], attempts: 1 };
  await browser.options.evaluate(({ key, record }) => chrome.storage.local.set({ [key]: record }), {
    key: SCHEMA_KEY,
    record: { version: SCHEMA_VERSION, writer: "0.1.0", pending: begun },
  });
  expect(await browser.killWorker()).toBe(true);
  expect(await callWorker(browser.options, "scripts.list")).toMatchObject([{ name: "Counter" }]);
  const { [SCHEMA_KEY]: schema } = await browser.options.evaluate(
    (key) => chrome.storage.local.get(key),
    SCHEMA_KEY,
  );
  expect(schema).toEqual({ version: SCHEMA_VERSION, writer: expect.any(String) });
});

it("a database that misses tables is mended, at this start and at the next ones", async () => {
  const { profile } = browser;
  await browser.close({ keepProfile: true });
  browser = await launchBrowser({ profile, untilReady: false });
  await browser.options.goto(extensionUrl("icons/128.png"));
  await browser.options.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const deleting = indexedDB.deleteDatabase("moggy");
        deleting.onerror = () => reject(deleting.error);
        deleting.onsuccess = () => {
          // The browser's number for version 2.
          const opening = indexedDB.open("moggy", 20);
          opening.onupgradeneeded = () => opening.result.createObjectStore("scripts", { keyPath: "uuid" });
          opening.onerror = () => reject(opening.error);
          opening.onsuccess = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
  );
  for (let start = 0; start < 2; start++) {
    await relaunch();
    await installCounter();
    expect(await callWorker(browser.options, "scripts.list")).toMatchObject([{ name: "Counter" }]);
  }
});
