import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type LlmServer, startLlmServer } from "../servers/llm";
import { type PageServer, startPageServer } from "../servers/pages";
import { extensionUrl, launchBrowser, type TestBrowser, userscript } from "./harness/browser";
import { evaluateOffscreen } from "./harness/offscreen";
import { callWorker } from "./harness/rpc";

/** The machine may be busy. */
const SOON = { timeout: 15_000 };

/** No part of it occurs anywhere else. */
const KEY = "Zq8Jw2Lx7Rv1Tn6-canary";

let browser: TestBrowser;
let pages: PageServer;
let llm: LlmServer;

beforeAll(async () => {
  [browser, pages, llm] = await Promise.all([
    launchBrowser(),
    startPageServer(),
    // It says the key that it refuses back.
    startLlmServer({ apiKey: "another", echoWrongKey: true }),
  ]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close(), llm?.close()]);
});
beforeEach(async () => {
  await browser.eval("eval:clear");
});

/** What the toolbar button shows. */
const badge = () =>
  browser.options.evaluate(async () => ({
    text: await chrome.action.getBadgeText({}),
    title: await chrome.action.getTitle({}),
    colour: await chrome.action.getBadgeBackgroundColor({}),
  }));
const badgeText = async () => (await badge()).text;
const notifications = () => browser.options.evaluate(() => chrome.notifications.getAll()) as Promise<object>;

async function openLog(): Promise<Page> {
  return browser.newPage(extensionUrl("options.html#/log"));
}

/** Lets a model be asked that refuses its key. */
async function failAtModel(): Promise<void> {
  const model = {
    provider: "openai",
    apiBaseUrl: llm.openaiBaseUrl,
    apiKey: KEY,
    model: "fake",
    name: "Canary",
  };
  await browser.eval("eval:setModel", model);
  const { runId } = await browser.eval<{ runId: string }>("eval:chat", { content: "hello" });
  const status = async () =>
    (await browser.eval<Array<{ id: string; status: string }>>("eval:runs")).find(({ id }) => id === runId)
      ?.status;
  await expect.poll(status, { timeout: 30_000 }).toBe("error");
}

/** Puts a row into the table of scripts from outside, or takes one out, as a fault of the disk might. */
async function changeScripts(change: { put: Record<string, unknown> } | { remove: string }): Promise<void> {
  await browser.options.evaluate(
    (what) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open("moggy");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction("scripts", "readwrite");
          const scripts = transaction.objectStore("scripts");
          if ("put" in what) scripts.put(what.put);
          else scripts.delete(what.remove);
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    change,
  );
}

describe("the log", () => {
  it("calls with a badge to an error that nobody was told of, over a death of the worker, until it was seen", async () => {
    await failAtModel();
    await expect.poll(badgeText, SOON).toBe("!");
    expect(await badge()).toMatchObject({
      title: expect.stringMatching(/errors in the log.*: 1$/),
      colour: [179, 38, 30, 255],
    });
    expect(await browser.killWorker()).toBe(true);
    expect(await badgeText()).toBe("!");

    const page = await openLog();
    const entry = page.getByRole("button", { name: /refused the API key of “Canary”/ });
    await entry.waitFor();
    await expect.poll(badgeText, SOON).toBe("");
    await entry.click();
    await page.getByRole("dialog", { name: "Asking the model" }).getByText("ModelError").waitFor();
    await page.keyboard.press("Escape");

    // The same again is counted, and calls again once the page is out of sight.
    await page.close();
    await failAtModel();
    await expect.poll(badgeText, SOON).toBe("!");
    const again = await openLog();
    await again.getByTitle("2 times").waitFor();
    await expect.poll(badgeText, SOON).toBe("");
    await again.close();
  });

  it("holds a key nowhere: not stored, not shown, not in the report", async () => {
    await failAtModel();
    let told = 0;
    for (const text of [
      KEY,
      `%${KEY.charCodeAt(0).toString(16)}${KEY.slice(1)}`,
      btoa(`user:${KEY}`),
      `https://x.example/?a=${KEY}`,
    ]) {
      told += 1;
      const error = { source: "page:options", name: "Error", message: `was ${text}.`, stack: `at ${text}` };
      await callWorker(browser.options, "log.report", { ...error, during: `Testing ${told}` });
    }
    const page = await openLog();
    await page.getByText("5 entries").waitFor();
    await page.getByRole("button", { name: "Make a report" }).click();
    const report = page.getByRole("region", { name: "Text of the report" });
    await report.waitFor();
    const shown = await page.evaluate(() => document.body.innerText);
    expect(shown).toContain("[hidden]");
    const stored = await browser.options.evaluate(async () => {
      const opening = indexedDB.open("moggy");
      const db = await new Promise<IDBDatabase>((done) => {
        opening.onsuccess = () => done(opening.result);
      });
      const all = db.transaction("log").objectStore("log").getAll();
      const rows = await new Promise<unknown[]>((done) => {
        all.onsuccess = () => done(all.result);
      });
      db.close();
      return JSON.stringify(rows);
    });
    for (const text of [shown, stored, (await report.textContent()) ?? ""]) {
      for (const piece of [KEY, KEY.slice(0, 12), KEY.slice(-12), btoa(KEY).slice(0, 16)])
        expect(text).not.toContain(piece);
    }
    await page.close();
  });

  it("hears of what nothing in a page catches while it is looked at, and is cleared and brought back", async () => {
    const page = await openLog();
    await page.getByText("Nothing went wrong").waitFor();
    await page.evaluate(() => {
      setTimeout(() => {
        throw new RangeError("from a timer");
      });
      void Promise.reject(new TypeError("from a promise"));
    });
    await page.getByText("from a timer").waitFor();
    await page.getByText("from a promise").waitFor();

    expect(await browser.killWorker()).toBe(true);
    await page.getByText("from a timer").waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByText("Nothing went wrong").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("from a promise").waitFor();
    await page.close();
  });

  it("hears of what nothing in the offscreen document catches", async () => {
    const place = { area: "workspace", path: "" };
    await callWorker(browser.options, "files.list", { place });
    await evaluateOffscreen(browser, `setTimeout(() => { throw new RangeError("from the background") })`);
    const page = await openLog();
    await page.getByText("from the background").waitFor();
    await page.getByText("Offscreen document").waitFor();
    await page.close();
  });

  it("shows what fails at a start of the worker, with nobody there to be told", async () => {
    const code = userscript({ name: "Any", match: `${pages.a}/*`, grant: "none" }, "");
    await browser.eval("eval:installScript", { code });
    // What is stored is damaged, and registrations are not known to be right.
    await changeScripts({ put: { uuid: "damaged", identity: "?", position: -1, enabled: true } });
    await browser.options.evaluate(() => chrome.storage.session.remove("registrations"));
    expect(await browser.killWorker()).toBe(true);
    await callWorker(browser.options, "settings.get");
    await expect.poll(badgeText, SOON).toBe("!");
    await changeScripts({ remove: "damaged" });
    expect(await browser.killWorker()).toBe(true);
    const page = await openLog();
    await page.getByText("Registering the scripts · Background process").first().waitFor();
    await page.close();
  });
});

describe("a question that nobody answers", () => {
  it("is on the button at once, and a notification says so after a while; both outlive the worker", async () => {
    await browser.eval("eval:setSettings", { patch: { consentWaitSeconds: 30 } });
    const header = {
      name: "Asker",
      match: `${pages.a}/*`,
      grant: ["GM_xmlhttpRequest", "GM.xmlHttpRequest"],
    };
    const code = `GM.xmlHttpRequest({ url: "http://elsewhere.example/json" }).catch(() => undefined);`;
    await browser.eval("eval:installScript", { code: userscript(header, code) });
    const page = await browser.newPage(`${pages.a}/plain`);
    await expect.poll(badgeText, SOON).toBe("?");
    await expect
      .poll(async () => Object.keys(await notifications()), { timeout: 60_000 })
      .toEqual(["moggy:questions"]);
    expect(await browser.killWorker()).toBe(true);
    expect(await badgeText()).toBe("?");
    expect(Object.keys(await notifications())).toEqual(["moggy:questions"]);
    await page.close();
  });
});
