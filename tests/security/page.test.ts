import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { KNOWN_GRANTS } from "@/userscripts/grants";
import { composeRuntime } from "@/userscripts/runtime-parts";
import {
  EXTENSION_ID,
  extensionUrl,
  launchBrowser,
  type TestBrowser,
  userscript,
} from "../e2e/harness/browser";
import { type LlmServer, startLlmServer } from "../servers/llm";
import { type PageServer, startPageServer } from "../servers/pages";
import { install, listed, reportOf } from "./support/reports";
import { tokensOf } from "./support/stored";
import { ALL_WORKED, KEY, SECRETS, workingScript } from "./support/working-script";

const BUILD = join(import.meta.dirname, "../../dist-eval");
const client = (name: string) =>
  readFileSync(new URL(`../servers/pages/client/${name}.js`, import.meta.url), "utf8");
const HOSTILE = `${client("loot")}\n${client("hostile")}`;

let browser: TestBrowser;
let pages: PageServer;
let llm: LlmServer;

beforeAll(async () => {
  [browser, pages, llm] = await Promise.all([launchBrowser(), startPageServer(), startLlmServer()]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close(), llm?.close()]);
});
beforeEach(async () => {
  await browser.eval("eval:clear");
  pages.reset();
  llm.reset();
});

async function setUpModel(): Promise<void> {
  pages.serve("/secret", { body: SECRETS.received });
  llm.scriptByState((request) =>
    request.messages.some((message) => message.role === "tool")
      ? { text: [SECRETS.answered, " and more"] }
      : { text: "One moment.", toolCalls: [{ name: "note", args: {} }] },
  );
  await browser.eval("eval:setModel", {
    provider: "openai",
    apiBaseUrl: llm.openaiBaseUrl,
    apiKey: KEY,
    model: "fake",
  });
}

/** Everything that the hostile page has kept, as one text. */
async function lootOf(page: Page): Promise<string> {
  return page.evaluate("String(JSON.stringify(window.__loot))");
}

/** The shape of a script's token. */
const TOKEN = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{32}(?![A-Za-z0-9+/=])/g;

/** The attack stores, asks and logs nothing: only what the script itself does after it comes. */
async function expectUntouched(page: Page, uuid: string, attack: () => Promise<unknown>): Promise<void> {
  const values = await browser.eval("eval:values", { uuid });
  const [requests, asked] = [llm.requests.length, pages.requests.length];
  await attack();
  // An error that is the script's own goes the way that one of the attack's would have gone, after it.
  await page.evaluate("document.dispatchEvent(new CustomEvent('fail-now'))");
  const logged = async () => (await listed(browser, uuid)).errors.map(({ message }) => message);
  await expect.poll(logged).toContain("Error: a true error");
  expect(await logged()).toEqual(["Error: a true error"]);
  expect(await browser.eval("eval:values", { uuid })).toEqual(values);
  expect(llm.requests).toHaveLength(requests);
  expect(pages.requests).toHaveLength(asked);
}

/** None of the secrets, no token and no key, whole or in its shape, is in what a page has kept. */
async function expectNoSecret(loot: string, uuid: string): Promise<void> {
  // The attack was one: it saw plenty.
  expect(loot.length).toBeGreaterThan(1_000);
  const { all } = await tokensOf(browser.options);
  expect(all.length).toBeGreaterThan(0);
  for (const secret of [...Object.values(SECRETS), ...all, uuid, KEY]) {
    expect(loot.includes(secret), `${secret} in the page's loot`).toBe(false);
  }
  expect(loot.match(TOKEN) ?? []).toEqual([]);
}

describe.each([
  ["hooks set in its head", "/hostile"],
  ["hooks set after load", "/hostile-late"],
  ["a child frame spoilt before it loads", "/hostile?child"],
  ["spoilt descriptors", "/hostile?descriptors"],
])("a hostile page with %s", (_name, path) => {
  it("sees nothing of the scripts beside it and makes no call, while they do their work", async () => {
    await setUpModel();
    const isolated = await install(browser, workingScript(pages));
    const inPage = await install(
      browser,
      userscript(
        { name: "In page", match: `${pages.a}/*`, grant: "none" },
        "document.documentElement.setAttribute('data-inpage', JSON.stringify(GM_info.script.name));",
      ),
    );
    const page = await browser.newPage(`${pages.a}${path}`);
    expect(await reportOf(page, "worked")).toEqual(ALL_WORKED);
    await page.locator(":root[data-inpage]").waitFor({ state: "attached" });

    await expectUntouched(page, isolated, () => page.evaluate("window.__replay()"));
    await expectNoSecret(await lootOf(page), isolated);
    expect((await listed(browser, inPage)).errors).toEqual([]);
    await page.close();
  });
});

/** As text, since the test runner rewrites `import()`: tries all ways to load a file, and tells which of them did. */
const WAYS_IN = `async (urls) => {
  const loads = (tag, attributes) =>
    new Promise((resolve, reject) => {
      const element = Object.assign(document.createElement(tag), attributes);
      element.addEventListener("load", resolve);
      element.addEventListener("error", reject);
      document.body.append(element);
    });
  const ways = {
    fetch: (url) => fetch(url),
    "fetch, no cors": (url) => fetch(url, { mode: "no-cors" }),
    import: (url) => import(url),
    image: (src) => loads("img", { src }),
    script: (src) => loads("script", { src }),
    style: (href) => loads("link", { rel: "stylesheet", href }),
    worker: (url) => new Promise((resolve, reject) => {
      const worker = new Worker(url);
      worker.onerror = reject;
      worker.onmessage = resolve;
    }),
  };
  const opened = [];
  for (const url of urls) {
    for (const [way, open] of Object.entries(ways)) {
      await open(url).then(() => opened.push(way + " " + url), () => "refused, as it should be");
    }
  }
  return { runtime: typeof window.chrome?.runtime, opened };
}`;

describe("a hostile page", () => {
  it("gains nothing by spoiling a window that it opens", async () => {
    await setUpModel();
    const isolated = await install(browser, workingScript(pages, "/framed"));
    const opener = await browser.newPage(`${pages.a}/plain`);
    const [opened] = await Promise.all([
      browser.context.waitForEvent("page"),
      opener.evaluate((source) => {
        const opened = window.open("/framed") as Window & typeof globalThis;
        opened.eval(`${source}; window.__installHostile({})`);
      }, HOSTILE),
    ]);
    expect(await reportOf(opened, "worked")).toEqual(ALL_WORKED);
    await expectUntouched(opened, isolated, () => opened.evaluate("window.__replay()"));
    await expectNoSecret(await lootOf(opened), isolated);
    await opened.close();
    await opener.close();
  });

  it("breaks no script by elements that take the place of the document's own properties", async () => {
    await setUpModel();
    const isolated = await install(browser, workingScript(pages, "/clobbered", "document-end"));
    const inDocument = [
      ..."addEventListener removeEventListener dispatchEvent createElement createElementNS querySelector head body".split(
        " ",
      ),
      ..."readyState visibilityState hidden documentElement defaultView implementation getElementsByTagNameNS".split(
        " ",
      ),
      ..."append appendChild childNodes firstChild ownerDocument nodeType cookie URL currentScript activeElement".split(
        " ",
      ),
    ];
    const inWindow = ["moggy:boot", "chrome", "browser", "GM", "GM_info", "CAT", "rpc", "moggyEngine"];
    const body = [
      ...inDocument.map((name) => `<img name="${name}"><form name="${name}"></form>`),
      ...inWindow.map((name) => `<a id="${name}" name="${name}"></a><iframe name="${name}"></iframe>`),
    ].join("");
    pages.serve("/clobbered", { body: `<!doctype html><title>clobbered</title><body>${body}` });
    const page = await browser.newPage(`${pages.a}/clobbered`);
    // The page's own code meets them.
    expect(await page.evaluate("typeof document.addEventListener")).not.toBe("function");
    expect(await reportOf(page, "worked")).toEqual(ALL_WORKED);
    expect((await listed(browser, isolated)).errors).toEqual([]);
    await page.close();
  });

  it("makes no call by messages and events of the shapes that ours have", async () => {
    await setUpModel();
    const isolated = await install(browser, workingScript(pages));
    const page = await browser.newPage(`${pages.a}/plain`);
    expect(await reportOf(page, "worked")).toEqual(ALL_WORKED);
    await expectUntouched(page, isolated, () =>
      page.evaluate((uuid) => {
        const write = { t: "call", id: 1, m: "gm.values.write", a: { writes: [["forged", '"x"']] } };
        const turn = { conversationId: "c", turnId: "t", content: "forged" };
        const shapes: unknown[] = [
          write,
          { c: 1, f: write },
          { c: 1, hello: uuid },
          { c: 1, hello: "undefined" },
          { type: "eval:removeScript", uuid },
          { t: "open", id: 2, m: "agent.conversation.turn", a: turn, w: 128 },
          { uuid, method: "GM_setValue", args: ["forged", "x"] },
        ];
        const names = ["message", "moggy:boot", "moggy:hello", "moggy", "script", uuid];
        for (const shape of shapes) {
          window.postMessage(shape, "*");
          const { port1, port2 } = new MessageChannel();
          window.postMessage(shape, "*", [port2]);
          port1.postMessage(shape);
          for (const name of names) {
            for (const detail of [shape, JSON.stringify(shape)])
              for (const target of [window, document, document.documentElement])
                target.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
            new BroadcastChannel(name).postMessage(shape);
          }
        }
        // As the browser tells a world of an error in it, from the very address that the script's code has.
        const filename = `moggy-script:///${uuid}/Isolated.user.js`;
        for (const message of ["forged", "SyntaxError: forged"]) {
          const error = Object.assign(new Error(message), { stack: `Error: forged\n at ${filename}:1:1` });
          dispatchEvent(new ErrorEvent("error", { message, filename, error }));
          const promise = Promise.resolve();
          dispatchEvent(new PromiseRejectionEvent("unhandledrejection", { promise, reason: error }));
        }
        // Everything posted has been delivered when this has.
        return new Promise((resolve) => {
          addEventListener("message", (event) => event.data === "last" && resolve(null));
          window.postMessage("last", "*");
        });
      }, isolated),
    );
    await page.close();
  });

  it("finds no way to the extension: no chrome.runtime, no port, none of its files", async () => {
    await install(browser, workingScript(pages));
    const page = await browser.newPage(`${pages.a}/plain`);
    const files = ["options.html", "popup.html", "core.js", "runtime.js", "manifest.json", "icons/16.png"];
    const found = await page.evaluate(`(${WAYS_IN})(${JSON.stringify(files.map(extensionUrl))})`);
    expect(found).toEqual({ runtime: "undefined", opened: [] });
    const connected = await page.evaluate((id) => {
      const { chrome } = window as { chrome?: Record<string, unknown> };
      return [typeof chrome?.connect, typeof chrome?.extension, typeof chrome?.[id]];
    }, EXTENSION_ID);
    expect(connected).toEqual(["undefined", "undefined", "undefined"]);

    // Neither in a frame nor by a navigation.
    const frame = await page.evaluateHandle((url) => {
      const element = document.createElement("iframe");
      element.src = url;
      document.body.append(element);
      return new Promise<HTMLIFrameElement>((resolve) =>
        element.addEventListener("load", () => resolve(element)),
      );
    }, extensionUrl("options.html"));
    const inside = await frame.asElement()?.contentFrame();
    expect(inside?.url()).not.toContain("options.html");
    await page.evaluate((url) => location.assign(url), extensionUrl("options.html"));
    await page.waitForLoadState();
    expect(page.url()).not.toContain("options.html");
    await page.close();
  });

  it("hears nothing of isolated worlds, which have no word for events, messages or storage of the page", async () => {
    const files = (await readdir(BUILD)).filter((name) => /^runtime.*\.js$/.test(name));
    expect(files.length).toBeGreaterThan(0);
    const words =
      /dispatchEvent|CustomEvent|BroadcastChannel|localStorage|sessionStorage|\.cookie|window\.name|\beval\b/;
    const texts: Record<string, string> = {};
    for (const file of files) {
      const code = await readFile(join(BUILD, file), "utf8");
      expect([file, words.exec(code)?.[0]]).toEqual([file, undefined]);
      texts[file] = code;
    }
    // Strict, or its functions would show their callers and arguments: the parts become one function's body when they are joined.
    const whole = composeRuntime(texts, KNOWN_GRANTS);
    expect(whole).toMatch(/^\(function\(\)\{"use strict";/);
    for (const code of Object.values(texts)) expect(whole).toContain(code);
  });

  it("web-accessible resources: the build has none", async () => {
    const manifest = await browser.options.evaluate(() => chrome.runtime.getManifest());
    expect(manifest.web_accessible_resources ?? []).toEqual([]);
  });
});
