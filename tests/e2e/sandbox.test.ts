import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser, userscript } from "./harness/browser";
import { closeOffscreen, crashOffscreen } from "./harness/offscreen";

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

interface Answer<T> {
  result: T;
  console: string[];
}

function run<T = unknown>(code: string, args: Record<string, unknown> = {}, callId?: string) {
  return browser.eval<Answer<T>>("eval:tool", { name: "execute_script", args: { code, ...args }, callId });
}

/** Name and message of what a run failed with. */
async function failure(code: string, args: Record<string, unknown> = {}) {
  const error = await run(code, args).then(
    () => null,
    (thrown: Error) => thrown,
  );
  return error && { name: error.name, message: error.message };
}

async function ms(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return Math.round(performance.now() - started);
}

describe("one-shot code", () => {
  it("gets its arguments, returns what can be copied, and its console is kept", async () => {
    const { result, console } = await run(
      `console.log("adding", { to: arguments[0].list });
       console.warn("done");
       return { sum: arguments[0].list.reduce((a, b) => a + b, 0) };`,
      { args: { list: [1, 2, 3] } },
    );
    expect(result).toEqual({ sum: 6 });
    expect(console).toEqual(['log: adding {"to":[1,2,3]}', "warn: done"]);
  });

  it("is sloppy, has CAT_CONFIG and no name that it was not granted", async () => {
    const code = `CAT_CONFIG.x = 1;
      return [this === globalThis, Object.isFrozen(CAT_CONFIG), CAT_CONFIG.x, typeof GM, typeof GM_info, typeof CAT, typeof GM_setValue];`;
    expect((await run(code)).result).toEqual([
      true,
      true,
      undefined,
      "undefined",
      "undefined",
      "undefined",
      "undefined",
    ]);
  });

  it.each([
    ["does not parse", "let a = 1;\nlet b = ;", "SyntaxError", "line 2"],
    ["throws", "let a = 1;\nfunction f() { return null.x; }\nf();", "TypeError", "line 2"],
    ["throws what is no error", "throw 'a word'", "Error", "a word"],
    ["returns what cannot be copied", "return () => 1", "DataCloneError", "plain data"],
    ["returns too much", "return 'x'.repeat(20_000_000)", "ResultTooLargeError", "16 MB"],
    ["leaves the function around it", "}}), (function () { return 1", "SyntaxError", ""],
    ["asks for the network", "return fetch('http://127.0.0.1/')", "PermissionDeniedError", "not granted"],
  ])("that %s fails by name, with its line", async (_what, code, name, words) => {
    const failed = await failure(code);
    expect(failed?.name).toBe(name);
    expect(failed?.message).toContain(words);
  });

  it("that never ends is ended at its limit, and holds up nobody", async () => {
    await run("return 1");
    const looping = failure("while (true);", { timeoutMs: 4_000 });
    const beside = await ms(() => run("return 2"));
    expect((await looping)?.name).toBe("TimeoutError");
    const after = await ms(() => run("return 3"));
    console.log(`A run beside a loop took ${beside} ms, the next after its end ${after} ms.`);
    // Far less than the loop's limit: it waited for nothing.
    expect(Math.max(beside, after)).toBeLessThan(3_000);
  });

  it.each([
    ["a chain of microtasks", "return (async function spin() { for (;;) await null; })()"],
    ["its own end", "close(); return new Promise(() => undefined)"],
    ["a promise that nobody settles", "return new Promise(() => undefined)"],
  ])("that waits for %s is ended at its limit", async (_what, code) => {
    expect((await failure(code, { timeoutMs: 1_000 }))?.name).toBe("TimeoutError");
  });

  it("runs fifty at once", async () => {
    const took = await ms(async () => {
      const all = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          run("await new Promise((done) => setTimeout(done, 200)); return arguments[0] * 2", { args: n }),
        ),
      );
      expect(all.map(({ result }) => result)).toEqual(Array.from({ length: 50 }, (_, n) => n * 2));
    });
    console.log(`Fifty runs at once took ${took} ms.`);
  });

  it("goes on when the worker dies; asked for again it is joined, and its outcome is the same each time", async () => {
    const code = `console.log("began"); await new Promise((done) => setTimeout(done, 2000)); return performance.timeOrigin;`;
    const lost = run(code, {}, "call-1").catch((error: Error) => error.message);
    await expect.poll(() => sandboxFrames()).toBe(1);
    const killedAt = Date.now();
    expect(await browser.killWorker()).toBe(true);
    expect(await lost).toMatch(/no answer|closed before a response/);
    const again = await run<number>(code, {}, "call-1");
    expect(again.result).toBeLessThan(killedAt);
    expect(again.console).toEqual(["log: began"]);
    expect(await run(code, {}, "call-1")).toEqual(again);
  });

  it.each([
    ["closed", closeOffscreen],
    ["crashed", crashOffscreen],
  ])("runs again when its document is %s, as it had no effect yet", async (_how, end) => {
    const running = run<string>("await new Promise((done) => setTimeout(done, 1000)); return 'whole'");
    await expect.poll(() => sandboxFrames()).toBe(1);
    await end(browser);
    expect((await running).result).toBe("whole");
  });
});

/** Frames that are open now. */
async function sandboxFrames(): Promise<number> {
  const cdp = await browser.context.newCDPSession(browser.options);
  const { targetInfos } = await cdp.send("Target.getTargets", { filter: [{}] });
  await cdp.detach();
  return targetInfos.filter(({ type, url }) => type === "iframe" && url.endsWith("/sandbox.html")).length;
}

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

/** Calls a method for pages as one of our pages does. */
function asPage(method: string, input: unknown): Promise<unknown> {
  return browser.options.evaluate(
    ([m, a]) =>
      new Promise((resolve) => {
        const port = chrome.runtime.connect(undefined, { name: "page" });
        port.onMessage.addListener((answer: { v?: unknown }) => {
          resolve(answer.v);
          port.disconnect();
        });
        port.postMessage({ t: "call", id: 1, m, a });
      }),
    [method, input] as const,
  );
}

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
    const lines = (await asPage("background.console", { uuid })) as Array<{ level: string; text: string }>;
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
    await asPage("scripts.setEnabled", { uuid, enabled: false });
    await expect.poll(() => sandboxFrames()).toBe(0);
    await asPage("scripts.setEnabled", { uuid, enabled: true });
    await counts(uuid);
    expect((await values(uuid)).starts).toBe(2);
    await install(background("Counter", COUNTS, `GM_setValue("version", 2); ${COUNTER}`, { version: "2.0" }));
    await expect.poll(() => values(uuid)).toMatchObject({ version: 2, starts: 3 });
    expect(await sandboxFrames()).toBe(1);
    await browser.eval("eval:setSettings", { patch: { paused: true } });
    await expect.poll(() => sandboxFrames()).toBe(0);
    await browser.eval("eval:setSettings", { patch: { paused: false } });
    await counts(uuid);
    await browser.eval("eval:removeScript", { uuid });
    await expect.poll(() => sandboxFrames()).toBe(0);
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
    expect((await run("return 1")).result).toBe(1);
    console.log(`A looping background script was noticed ${noticed} ms after it was installed.`);
    await browser.eval("eval:removeScript", { uuid: looper });
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
    const lines = (await asPage("background.console", { uuid })) as Array<{ level: string; text: string }>;
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
