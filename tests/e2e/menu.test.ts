import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MenuCommand, TabScripts } from "../../src/userscripts/types";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser } from "./harness/browser";
import { chooseMenuCommand, tabOf } from "./harness/popup";
import { installProbe, probe, probeReady } from "./harness/probe";
import { callWorker } from "./harness/rpc";

let browser: TestBrowser;
let pages: PageServer;
let page: Page;
let tabId: number;

const GRANTS = [
  "GM_registerMenuCommand",
  "GM_unregisterMenuCommand",
  "GM.registerMenuCommand",
  "GM.unregisterMenuCommand",
];
/** Each choice of a command of this setup is noted. */
const SETUP = `const ran = [];
const register = (title, options) => GM_registerMenuCommand(title, (event) => ran.push(title + " " + event.constructor.name), options);`;

beforeAll(async () => {
  [browser, pages] = await Promise.all([launchBrowser(), startPageServer()]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close()]);
});
beforeEach(async () => {
  await page?.close();
  await browser.eval("eval:clear");
});

/** Opens a page in a tab of its own, which the other functions then mean. */
async function open(path = "/plain"): Promise<void> {
  page = await browser.newPage(`${pages.a}${path}`);
  tabId = (await tabOf(browser, page)).id;
}

const p = <T>(code: string) => probe<T>(page, "p", code);
const forTab = () => callWorker<TabScripts>(browser.options, "scripts.forTab", { tabId });
const commands = async () => (await forTab()).commands;
const titles = async () => (await commands()).map(({ title }) => title);
const run = (key: string) => callWorker(browser.options, "scripts.runCommand", { tabId, key });

async function keyOf(title: string): Promise<string> {
  const found = (await commands()).find((command) => command.title === title);
  if (!found) throw new Error(`no command "${title}"`);
  return found.key;
}

describe("menu commands", () => {
  it("are listed with all that was said about them, run in the page, and go when they are taken back", async () => {
    const uuid = await installProbe(browser, "p", { grant: GRANTS }, SETUP);
    await open();
    const ids = await p<unknown[]>(
      `return [register("First"), register("Second", "s"), register("Third", { id: "own", title: "a hint", accessKey: "t", autoClose: false }),
        await GM.registerMenuCommand("Fourth", () => ran.push("Fourth"))]`,
    );
    expect(new Set(ids).size).toBe(4);
    expect(ids[2]).toBe("own");
    await expect.poll(titles).toEqual(["First", "Second", "Third", "Fourth"]);
    const shown = await commands();
    expect(new Set(shown.map(({ key }) => key)).size).toBe(4);
    expect(shown[1]).toMatchObject({
      uuid,
      scriptName: "p",
      accessKey: "s",
      frameId: 0,
    } satisfies Partial<MenuCommand>);
    expect(shown[2]).toMatchObject({ accessKey: "t", hint: "a hint", autoClose: false });
    await run(await keyOf("Second"));
    await run(await keyOf("Fourth"));
    await expect.poll(() => p("return ran")).toEqual(["Second MouseEvent", "Fourth"]);

    await p(`GM_unregisterMenuCommand("own"); await GM.unregisterMenuCommand(${JSON.stringify(ids[0])});`);
    await expect.poll(titles).toEqual(["Second", "Fourth"]);
    await p(`register("Second again", { id: ${JSON.stringify(ids[1])} })`);
    await expect.poll(titles).toEqual(["Second again", "Fourth"]);
    await run(await keyOf("Second again"));
    await expect.poll(() => p("return ran.at(-1)")).toBe("Second again MouseEvent");
  });

  it("a person chooses one in the popup", async () => {
    await installProbe(browser, "p", { grant: GRANTS }, `${SETUP}\nregister("Do it");`);
    await open();
    await expect.poll(titles).toEqual(["Do it"]);
    await chooseMenuCommand(browser, page, "Do it");
    await expect.poll(() => p("return ran")).toEqual(["Do it MouseEvent"]);
  });

  it("are there and run after the worker died, once each time", async () => {
    await installProbe(browser, "p", { grant: GRANTS }, `${SETUP}\nregister("Do it");`);
    await open();
    await expect.poll(titles).toEqual(["Do it"]);
    for (let i = 1; i <= 3; i++) {
      expect(await browser.killWorker()).toBe(true);
      expect(await titles()).toEqual(["Do it"]);
      await run(await keyOf("Do it"));
      await expect.poll(() => p("return ran.length")).toBe(i);
    }
    // Registered after a death, it is there beside the others.
    await browser.killWorker();
    await p(`register("Later")`);
    await expect.poll(titles).toEqual(["Do it", "Later"]);
    expect(await p("return ran.length")).toBe(3);
  });

  it("are gone when their page is left, also when that happened while no worker ran; running one then says so", async () => {
    await installProbe(
      browser,
      "p",
      { match: "*://*/plain*", grant: GRANTS },
      `${SETUP}\nregister("Do it");`,
    );
    for (const killed of [false, true]) {
      await open();
      await expect.poll(titles).toEqual(["Do it"]);
      const key = await keyOf("Do it");
      if (killed) await browser.killWorker();
      await page.goto(`${pages.a}/page/next`);
      await expect.poll(titles).toEqual([]);
      await expect(run(key)).rejects.toMatchObject({
        name: "NotFoundError",
        message: expect.stringContaining("page was left"),
      });
      // A page that comes back from the browser's cache has its commands again; one that is loaded anew makes them.
      await page.goBack();
      await probeReady(page, "p");
      await expect.poll(titles).toEqual(["Do it"]);
      await run(await keyOf("Do it"));
      await expect.poll(() => p("return ran.length")).toBeGreaterThan(0);
      await page.close();
    }
    expect(
      await callWorker<TabScripts>(browser.options, "scripts.forTab", { tabId }).then(
        (t) => t.commands,
        (e: Error) => e.name,
      ),
    ).not.toHaveLength(1);
  });

  it("of a script that is switched off or removed are not shown", async () => {
    const uuid = await installProbe(browser, "p", { grant: GRANTS }, `${SETUP}\nregister("Do it");`);
    await open();
    await expect.poll(titles).toEqual(["Do it"]);
    await callWorker(browser.options, "scripts.setEnabled", { uuid, enabled: false });
    expect(await titles()).toEqual([]);
    await callWorker(browser.options, "scripts.setEnabled", { uuid, enabled: true });
    expect(await titles()).toEqual(["Do it"]);
    await callWorker(browser.options, "scripts.remove", { uuid });
    expect(await titles()).toEqual([]);
  });

  it("of frames are listed with their frame and run there", async () => {
    await installProbe(browser, "p", { grant: GRANTS }, `${SETUP}\nregister(location.pathname);`);
    await open("/frame-host");
    await expect.poll(async () => (await titles()).sort()).toEqual(["/frame-host", "/framed"]);
    const framed = (await commands()).find(({ title }) => title === "/framed");
    expect(framed?.frameId).toBeGreaterThan(0);
    await run(await keyOf("/framed"));
    const frame = page.frames().find((f) => f.url().endsWith("/framed"));
    if (!frame) throw new Error("the frame is not there");
    await expect
      .poll(() =>
        frame.evaluate(
          () =>
            new Promise((resolve) => {
              document.addEventListener("probe-p-1", (e) => resolve((e as CustomEvent).detail), {
                once: true,
              });
              document.dispatchEvent(
                new CustomEvent("probe-p", { detail: JSON.stringify({ id: "1", code: "return ran" }) }),
              );
            }),
        ),
      )
      .toBe(JSON.stringify({ value: ["/framed MouseEvent"] }));
  });

  it("C070 any access key, such as +, leaves the popup whole; what is no key is left out", async () => {
    await installProbe(
      browser,
      "p",
      { grant: GRANTS },
      `${SETUP}
      for (const accessKey of ["+", "'", "<", "🐱", "", "Enter", 7, null, {}]) register("key " + String(accessKey), { accessKey });
      register("<b>bold</b> & \\u202e 'quoted'"); register(""); register(undefined); register("x".repeat(1000));`,
    );
    await open();
    await expect.poll(async () => (await titles()).length).toBe(13);
    expect((await commands()).slice(0, 9).map(({ accessKey }) => accessKey ?? null)).toEqual([
      "+",
      "'",
      "<",
      "🐱",
      null,
      null,
      "7",
      null,
      null,
    ]);
    await chooseMenuCommand(browser, page, "key +");
    await expect.poll(() => p("return ran")).toEqual(["key + MouseEvent"]);
  });

  it("what cannot be a command is refused where it is registered, and one that throws is in the script's log", async () => {
    const uuid = await installProbe(browser, "p", { grant: GRANTS }, SETUP);
    await open();
    await expect(p(`GM_registerMenuCommand("Nothing to run")`)).rejects.toMatchObject({ name: "TypeError" });
    await expect(p(`return GM.registerMenuCommand("Nothing to run", 7)`)).rejects.toMatchObject({
      name: "TypeError",
    });
    await p(`GM_registerMenuCommand("Throws", () => { throw new Error("from the command"); });
      GM_registerMenuCommand("Rejects", async () => { throw new Error("from its promise"); });`);
    await expect.poll(titles).toEqual(["Throws", "Rejects"]);
    await run(await keyOf("Throws"));
    await run(await keyOf("Rejects"));
    const errors = () => callWorker<Array<{ message: string }>>(browser.options, "scripts.errors", { uuid });
    await expect
      .poll(async () => (await errors()).map(({ message }) => message).sort())
      .toEqual(["Error: from its promise", "Error: from the command"]);
  });

  it("two scripts and two tabs do not mix, though their ids are the same", async () => {
    for (const name of ["p", "q"]) {
      await installProbe(
        browser,
        name,
        { grant: GRANTS },
        `${SETUP}\nregister("of ${name}", { id: "same" });`,
      );
    }
    await open();
    const first = page;
    const firstTab = tabId;
    await expect.poll(titles).toEqual(["of p", "of q"]);
    await open("/page/second");
    await expect.poll(titles).toEqual(["of p", "of q"]);
    await run(await keyOf("of q"));
    await expect.poll(() => probe(page, "q", "return ran")).toEqual(["of q MouseEvent"]);
    expect(await probe(page, "p", "return ran")).toEqual([]);
    expect(await probe(first, "q", "return ran")).toEqual([]);
    // A key of one tab means nothing in another.
    await expect(
      callWorker(browser.options, "scripts.runCommand", { tabId: firstTab, key: await keyOf("of q") }),
    ).rejects.toMatchObject({
      name: "NotFoundError",
    });
    await first.close();
  });
});
