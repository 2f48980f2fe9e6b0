import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser, userscript } from "./harness/browser";
import { crashOffscreen } from "./harness/offscreen";
import { callWorker } from "./harness/rpc";
import { crashSandbox, ms, runCode, sandboxFrames } from "./harness/sandbox";

let browser: TestBrowser;
let pages: PageServer;

beforeAll(async () => {
  [browser, pages] = await Promise.all([launchBrowser(), startPageServer()]);
});
afterAll(() => Promise.all([browser?.close(), pages?.close()]));
beforeEach(async () => {
  await browser.eval("eval:clear");
  pages.reset();
});

interface Listed {
  uuid: string;
  enabled: boolean;
  errors: Array<{ message: string; stack?: string }>;
}

const background = (name: string, grant: string[], code: string, more: Record<string, string> = {}) =>
  userscript({ name, background: "", grant, ...more }, code);

async function install(code: string): Promise<string> {
  return (await browser.eval<{ uuid: string }>("eval:installScript", { code })).uuid;
}

const values = (uuid: string) => browser.eval<Record<string, unknown>>("eval:values", { uuid });

async function errorsOf(uuid: string): Promise<Listed["errors"]> {
  return (await browser.eval<Listed[]>("eval:scripts")).find((script) => script.uuid === uuid)?.errors ?? [];
}

/** Counts on in its values, a few times a second. */
const COUNTER = `let n = GM_getValue("n", 0);
  GM_setValue("starts", GM_getValue("starts", 0) + 1);
  setInterval(() => GM_setValue("n", ++n), 100);`;
const COUNTS = ["GM_setValue", "GM_getValue"];

async function counts(uuid: string, timeout = 30_000): Promise<void> {
  const before = Number((await values(uuid)).n ?? 0);
  await expect.poll(async () => Number((await values(uuid)).n ?? 0), { timeout }).toBeGreaterThan(before + 2);
}

const consoleOf = (uuid: string) =>
  callWorker<Array<{ level: string; text: string }>>(browser.options, "background.console", { uuid });

describe("a background script", () => {
  it("runs without a page, with a document, its granted functions and no others", async () => {
    const uuid = await install(
      background(
        "Names",
        ["GM_setValue", "GM.getValue"],
        `document.body.append("here");
         GM_setValue("seen", {
           text: document.body.textContent,
           names: ["GM_getValue", "GM_addStyle", "GM_registerMenuCommand", "CAT", "unsafeWindow"].filter((name) => {
             try { return eval("typeof " + name) !== "undefined"; } catch { return false; }
           }),
           gm: Object.keys(GM).sort(),
           info: [GM_info.script.name, GM_info.uuid],
         });`,
      ),
    );
    await expect
      .poll(() => values(uuid))
      .toEqual({
        seen: { text: "here", names: [], gm: ["getValue", "info"], info: ["Names", uuid] },
      });
  });

  it("hears of changes of its values, and logs errors with its own lines and console lines", async () => {
    const uuid = await install(
      background(
        "Listener",
        ["GM_setValue", "GM_addValueChangeListener"],
        `console.log("up");
GM_addValueChangeListener("a", (key, before, after, remote) => GM_setValue("heard", [key, before, after, remote]));
GM_setValue("a", 5);
setTimeout(() => { missing(); });
Promise.reject(new TypeError("nobody awaits"));`,
      ),
    );
    await expect.poll(() => values(uuid)).toEqual({ a: 5, heard: ["a", undefined, 5, false] });
    await expect.poll(async () => (await errorsOf(uuid)).length).toBe(2);
    const errors = await errorsOf(uuid);
    const thrown = errors.find(({ message }) => message.includes("missing is not defined"));
    expect(thrown?.stack).toMatch(/Listener\.user\.js:\d+:\d+/);
    expect(errors.some(({ message }) => message.includes("TypeError: nobody awaits"))).toBe(true);
    const lines = await consoleOf(uuid);
    expect(lines.map(({ level, text }) => `${level} ${text}`)).toEqual(["log up"]);
  });

  it("requests what its @connect lines allow, by GM_xmlhttpRequest and by fetch, and nothing else", async () => {
    pages.serve("/text", { body: "some text" });
    const uuid = await install(
      background(
        "Requests",
        ["GM_setValue", "GM.xmlHttpRequest"],
        `(async () => {
           const { responseText } = await GM.xmlHttpRequest({ url: "${pages.a}/text" });
           const response = await fetch("${pages.a}/text", { headers: { "x-test": "1" } });
           const refused = await fetch("chrome-extension://nothing/").catch((error) => error.name);
           GM_setValue("got", [responseText, await response.text(), response.status, response.url, refused]);
         })();`,
        { connect: "127.0.0.1" },
      ),
    );
    await expect.poll(() => values(uuid), { timeout: 20_000 }).toHaveProperty("got");
    const text = "some text";
    expect((await values(uuid)).got).toEqual([text, text, 200, `${pages.a}/text`, "PermissionDeniedError"]);
  });

  it("has the files of the workspace, by its grant", async () => {
    const uuid = await install(
      background(
        "Files",
        ["GM_setValue", "CAT.agent.opfs"],
        `(async () => {
           await CAT.agent.opfs.write("from-background.txt", "kept");
           const file = await CAT.agent.opfs.read("from-background.txt");
           GM_setValue("read", [Object.keys(CAT.agent), JSON.stringify(file).includes("kept")]);
         })().catch((error) => GM_setValue("read", String(error)));`,
      ),
    );
    await expect.poll(() => values(uuid), { timeout: 20_000 }).toEqual({ read: [["opfs"], true] });
  });

  it("goes on through deaths of the worker, and of the document that holds it", async () => {
    const uuid = await install(background("Counter", COUNTS, COUNTER));
    await counts(uuid);
    await browser.killWorker();
    await counts(uuid);
    expect((await values(uuid)).starts).toBe(1);
    await crashOffscreen(browser);
    await counts(uuid);
    expect((await values(uuid)).starts).toBe(2);
  });

  it("ends when it is disabled or removed, and begins anew when it is enabled or updated", async () => {
    const uuid = await install(background("Counter", COUNTS, COUNTER));
    await counts(uuid);
    await callWorker(browser.options, "scripts.setEnabled", { uuid, enabled: false });
    await expect.poll(() => sandboxFrames(browser)).toBe(0);
    await callWorker(browser.options, "scripts.setEnabled", { uuid, enabled: true });
    await counts(uuid);
    expect((await values(uuid)).starts).toBe(2);
    await install(background("Counter", COUNTS, `GM_setValue("version", 2); ${COUNTER}`, { version: "2.0" }));
    await expect.poll(() => values(uuid)).toMatchObject({ version: 2, starts: 3 });
    expect(await sandboxFrames(browser)).toBe(1);
    await browser.eval("eval:setSettings", { patch: { paused: true } });
    await expect.poll(() => sandboxFrames(browser)).toBe(0);
    await browser.eval("eval:setSettings", { patch: { paused: false } });
    await counts(uuid);
    await browser.eval("eval:removeScript", { uuid });
    await expect.poll(() => sandboxFrames(browser)).toBe(0);
  });

  it("in a loop is ended and told so; the others and one-shot code go on", async () => {
    const counter = await install(background("Counter", COUNTS, COUNTER));
    await counts(counter);
    const looper = await install(
      background(
        "Looper",
        ["GM_setValue"],
        `console.log("last words"); setTimeout(() => { while (true); }, 500);`,
      ),
    );
    const noticed = await ms(() =>
      expect.poll(async () => (await errorsOf(looper)).length, { timeout: 60_000 }).toBeGreaterThan(0),
    );
    const [error] = await errorsOf(looper);
    expect(error?.message).toMatch(/^HungError: .*started again in 1 s/);
    await counts(counter);
    expect((await values(counter)).starts).toBe(2);
    expect(await errorsOf(counter)).toEqual([]);
    expect((await runCode(browser, "return 1")).result).toBe(1);
    console.log(`A looping background script was noticed ${noticed} ms after it was installed.`);
    await browser.eval("eval:removeScript", { uuid: looper });
  });

  it("whose process ends beside one-shot code is started again without a fault; the run fails by that name", async () => {
    const counter = await install(background("Counter", COUNTS, COUNTER));
    await counts(counter);
    const run = runCode(browser, "return new Promise(() => undefined)", { timeoutMs: 60_000 });
    const failed = run.catch((error: Error) => error.name);
    await expect.poll(() => sandboxFrames(browser)).toBe(2);
    await crashSandbox(browser);
    const noticed = await ms(async () => expect(await failed).toBe("SandboxCrashError"));
    const back = await ms(() => counts(counter, 40_000));
    console.log(
      `The end of the process was noticed after ${noticed} ms; ${back} ms later the script counted on.`,
    );
    expect((await values(counter)).starts).toBe(2);
    expect(await errorsOf(counter)).toEqual([]);
  });

  it("may have very many tasks", async () => {
    const uuid = await install(
      background(
        "Busy",
        ["GM_setValue"],
        `let n = 0;
         const until = Date.now() + 3000;
         const go = () => { n += 1; if (Date.now() < until) setTimeout(go); else GM_setValue("n", n); };
         for (let at = 0; at < 20; at += 1) go();`,
      ),
    );
    await expect.poll(() => values(uuid), { timeout: 20_000 }).toHaveProperty("n");
    expect((await values(uuid)).n).toBeGreaterThan(3_000);
    expect(await errorsOf(uuid)).toEqual([]);
  });

  it.each([
    ["GM_addStyle", "unsupported.background-grant GM_addStyle"],
    ["GM_registerMenuCommand", "unsupported.background-grant GM_registerMenuCommand"],
  ])("that asks for %s is refused, since it has no page", async (grant, words) => {
    await expect(install(background("Refused", [grant], ""))).rejects.toThrow(words);
  });

  it("of the examples finds new releases, once each, and goes on after a failure", async () => {
    const path = join(import.meta.dirname, "../../example-scripts/release-watch.user.js");
    const code = (await readFile(path, "utf8"))
      .replaceAll("https://api.github.com", pages.a)
      .replace("@connect      api.github.com", "@connect      127.0.0.1")
      .replace("60 * 60 * 1000", "300");
    const json = { "content-type": "application/json" };
    const release = (tag: string) => JSON.stringify({ tag_name: tag, html_url: `https://github.com/${tag}` });
    pages.serve("/repos/nodejs/node/releases/latest", { body: release("v1"), headers: json });
    pages.serve("/repos/microsoft/TypeScript/releases/latest", { status: 503, body: "" });
    const uuid = await install(code);
    const found = async () => (await values(uuid)).releases as Record<string, { tag: string }> | undefined;
    await expect.poll(async () => (await found())?.["nodejs/node"]?.tag, { timeout: 20_000 }).toBe("v1");
    pages.serve("/repos/nodejs/node/releases/latest", { body: release("v2"), headers: json });
    pages.serve("/repos/microsoft/TypeScript/releases/latest", { body: release("t1"), headers: json });
    await expect.poll(found, { timeout: 20_000 }).toMatchObject({
      "nodejs/node": { tag: "v2" },
      "microsoft/TypeScript": { tag: "t1" },
    });
    expect(await errorsOf(uuid)).toEqual([]);
    const lines = await consoleOf(uuid);
    const said = lines.map(({ level, text }) => `${level} ${text}`);
    expect(said.filter((line) => line.includes("has v1"))).toEqual([
      "log nodejs/node has v1: https://github.com/v1",
    ]);
    expect(said.some((line) => line.startsWith("warn microsoft/TypeScript: the server answered 503."))).toBe(
      true,
    );
  });

  it("starts with the browser", async () => {
    const first = await launchBrowser();
    const { uuid } = await first.eval<{ uuid: string }>("eval:installScript", {
      code: background("Counter", COUNTS, COUNTER),
    });
    const starts = async (of: TestBrowser) =>
      (await of.eval<{ starts?: number }>("eval:values", { uuid })).starts;
    await expect.poll(() => starts(first), { timeout: 20_000 }).toBe(1);
    await first.close({ keepProfile: true });
    const second = await launchBrowser({ profile: first.profile });
    try {
      await expect.poll(() => starts(second), { timeout: 20_000 }).toBe(2);
    } finally {
      await second.close();
    }
  });
});
