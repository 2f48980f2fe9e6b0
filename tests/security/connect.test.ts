import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { extensionUrl, launchBrowser, type TestBrowser, userscript } from "../e2e/harness/browser";
import { type LlmServer, startLlmServer } from "../servers/llm";
import { type PageServer, startPageServer } from "../servers/pages";
import { RAW_PORT } from "./support/raw-port";
import { install, REPORT, reportOf } from "./support/reports";
import { tokensOf } from "./support/stored";

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
  pages.serve("/bait", { body: "the bait" });
  // What nobody answers, nothing is allowed: who asks, and what becomes of an answer, is in consent.test.ts.
  await browser.eval("eval:policy", { confirm: "deny" });
});

interface Asked {
  url: string;
  method?: string;
  data?: string;
  headers?: Record<string, string>;
}

const DENIED = "PermissionDeniedError";

/** A script that requests what it is told to, and tells of each the text it got or the name of its error. */
async function installFetcher(connects: string[]): Promise<string> {
  return install(
    browser,
    userscript(
      { name: "Fetcher", match: "*://*/page/*", grant: "GM_xmlhttpRequest", connect: connects },
      `${REPORT}
document.addEventListener("ask", async ({ detail }) => {
  const results = [];
  for (const asked of JSON.parse(detail)) {
    results.push(await new Promise((resolve) => {
      const failed = ({ error }) => resolve(error.includes(" may not request ") ? "PermissionDeniedError" : "NetworkError");
      try {
        GM_xmlhttpRequest({ ...asked, timeout: 15000, onload: ({ responseText }) => resolve(responseText),
          onerror: failed, ontimeout: () => resolve("timeout"), onabort: () => resolve("abort") });
      } catch (error) {
        resolve(error.name);
      }
    }));
  }
  report("results", results);
});
report("ready", true);`,
    ),
  );
}

async function ask(page: Page, requests: Asked[]): Promise<string[]> {
  await reportOf(page, "ready");
  await page.evaluate((detail) => {
    delete document.documentElement.dataset.results;
    document.dispatchEvent(new CustomEvent("ask", { detail }));
  }, JSON.stringify(requests));
  return reportOf<string[]>(page, "results", 60_000);
}

/** Opens a page, asks from there, closes it. */
async function askFrom(url: string, urls: string[]): Promise<string[]> {
  const page = await browser.newPage(url);
  const results = await ask(
    page,
    urls.map((asked) => ({ url: asked })),
  );
  await page.close();
  return results;
}

const baited = () => pages.requests.filter((visit) => visit.path === "/bait");

describe("@connect, in the worker", () => {
  it("without a line: the page's own host, whatever its port, and nothing else of this computer", async () => {
    await installFetcher([]);
    expect(
      await askFrom(`${pages.a}/page/x`, [`${pages.a}/bait`, `${pages.b}/bait`, `${pages.localhostB}/bait`]),
    ).toEqual(["the bait", "the bait", DENIED]);
    expect(
      await askFrom(`${pages.localhostA}/page/x`, [`${pages.localhostB}/bait`, `${pages.b}/bait`]),
    ).toEqual(["the bait", DENIED]);
    expect(baited()).toHaveLength(3);
  });

  it("this computer and its network only by name: a star does not count, nor does another spelling help", async () => {
    await installFetcher(["*", "public.test"]);
    const { port } = new URL(pages.b);
    const spellings = [
      [
        "127.0.0.1",
        "127.1",
        "0x7f000001",
        "2130706433",
        "0177.0.0.1",
        "127.0.0.1.",
        "127.255.255.254",
        "0",
        "0.0.0.0",
      ],
      [
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[0:0:0:0:0:ffff:7f00:0001]",
        "[::127.0.0.1]",
      ],
      ["①②⑦.⓪.⓪.①", "%31%32%37.0.0.1", "127。0。0。1", "[64:ff9b::7f00:1]", "[2002:7f00:1::]"],
      [
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "198.18.0.1",
      ],
      ["[fe80::1]", "[fc00::1]", "[fd12:3456::1]", "[::ffff:10.0.0.1]", "224.0.0.1", "255.255.255.255"],
      [
        "x.localhost",
        "router",
        "printer.local",
        "db.internal",
        "nas.lan",
        "wiki.corp",
        "tv.home",
        "a.home.arpa",
      ],
    ].flat();
    const results = await askFrom(
      `${pages.localhostA}/page/x`,
      spellings.map((host) => `http://${host}:${port}/bait`),
    );
    expect(spellings.filter((_host, i) => results[i] !== DENIED)).toEqual([]);
    expect(baited()).toEqual([]);
  });

  it("a line names a host and what is below it, not what only looks like it", async () => {
    await installFetcher(["localhost", "https://named.test:8080/path", "self"]);
    const results = await askFrom(`${pages.a}/page/x`, [
      `${pages.localhostB}/bait`,
      `${pages.a}/bait`,
      "http://named.test/",
      "http://below.named.test/",
      "http://notnamed.test/",
      "http://named.test.other.test/",
      "http://localhost.other.test/",
      "http://test/",
      "http://[::1]/",
    ]);
    // Those that it may ask do not exist: the refusal is another one.
    expect(results).toEqual([
      "the bait",
      "the bait",
      "NetworkError",
      "NetworkError",
      DENIED,
      DENIED,
      DENIED,
      DENIED,
      DENIED,
    ]);
  });

  it("a line for a local ending opens none of the hosts below it", async () => {
    await installFetcher(["local", "internal", "lan", "home.arpa", "corp", "home"]);
    const { port } = new URL(pages.b);
    const hosts = ["printer.local", "db.internal", "nas.lan", "a.home.arpa", "wiki.corp", "tv.home"];
    const results = await askFrom(
      `${pages.a}/page/x`,
      hosts.map((host) => `http://${host}:${port}/bait`),
    );
    expect(results).toEqual(hosts.map(() => DENIED));
    expect(baited()).toEqual([]);
  });

  it("only http and https: no file, no extension, nothing made up on the way", async () => {
    await installFetcher(["*", "localhost", "127.0.0.1"]);
    const results = await askFrom(`${pages.a}/page/x`, [
      "file:///etc/passwd",
      extensionUrl("options.html"),
      extensionUrl("core.js"),
      "chrome://version",
      "about:blank",
      "data:text/plain,x",
      "javascript:1",
      "ftp://127.0.0.1/",
      "filesystem:http://127.0.0.1/temporary/x",
      "view-source:http://127.0.0.1/",
    ]);
    for (const result of results) expect([DENIED, "TypeError", "NotSupportedError"]).toContain(result);
  });

  it("a redirect that leaves the allowed hosts is not followed, and its target is asked nothing", async () => {
    await installFetcher([]);
    const to = (target: string, status = 302) =>
      `${pages.a}/redirect?status=${status}&to=${encodeURIComponent(target)}`;
    const outside = `${pages.localhostB}/bait`;
    const page = await browser.newPage(`${pages.a}/page/x`);
    const refused: Asked[] = [
      ...[301, 302, 303, 307, 308].map((status) => ({ url: to(outside, status) })),
      { url: to(outside, 307), method: "POST", data: "a secret body", headers: { "x-secret": "1" } },
      { url: to(to(to(outside))) },
      { url: to(`${pages.b}/redirect?to=${encodeURIComponent(outside)}`) },
      { url: to("http://192.168.0.1/bait") },
      { url: to("http://[::1]/bait") },
      { url: to("http://2130706433.other.test/bait") },
      { url: to("file:///etc/passwd") },
      { url: to(extensionUrl("options.html")) },
      { url: to("data:text/plain,made-up") },
      { url: to("javascript:1") },
    ];
    const results = await ask(page, refused);
    for (const [i, result] of results.entries()) {
      expect([refused[i]?.url, [DENIED, "NetworkError"].includes(result)]).toEqual([refused[i]?.url, true]);
    }
    expect(results.slice(0, 8)).toEqual(Array(8).fill(DENIED));
    expect(baited()).toEqual([]);
    // And one that stays within them is.
    expect(await ask(page, [{ url: to(`${pages.b}/bait`) }])).toEqual(["the bait"]);
    await page.close();
  });

  it("C052 lines that the script or its page claim to have are not asked for", async () => {
    const uuid = await install(
      browser,
      userscript(
        { name: "Claiming", match: "*://*/page/*", grant: "GM.xmlHttpRequest", connect: "named.test" },
        `${REPORT}${RAW_PORT}
document.addEventListener("token", async ({ detail: token }) => {
  GM_info.script.connects = ["*", "localhost"];
  const claims = { connects: ["*", "localhost"], connect: ["localhost"], pageOrigin: "${pages.localhostB}", origin: "${pages.localhostB}" };
  const request = { url: "${pages.localhostB}/bait", method: "GET", headers: [], body: null, anonymous: false, cache: "default" };
  const port = new RawPort();
  const { e } = await port.call(port.hello(token), 1, "gm.xmlhttp.request", { ...request, ...claims, caller: claims }, "open");
  const asked = await GM.xmlHttpRequest({ ...request, ...claims }).then(({ responseText }) => responseText, ({ error }) => String(error));
  report("claimed", [e?.name, asked.includes("@connect")]);
});
report("ready", true);`,
      ),
    );
    const page = await browser.newPage(`${pages.a}/page/x`);
    await reportOf(page, "ready");
    const { scripts } = await tokensOf(browser.options);
    await page.evaluate(
      (detail) => document.dispatchEvent(new CustomEvent("token", { detail })),
      scripts[uuid] ?? "",
    );
    expect(await reportOf(page, "claimed")).toEqual([DENIED, true]);
    expect(baited()).toEqual([]);
    await page.close();
  });
});

describe("what servers learn", () => {
  it("the extension is in no Origin, Referer or other header, right after the worker started too", async () => {
    await installFetcher(["localhost"]);
    const page = await browser.newPage(`${pages.a}/page/x`);
    await ask(page, [{ url: `${pages.a}/bait` }]);
    await browser.killWorker();
    const results = await ask(page, [
      { url: `${pages.a}/bait`, method: "POST", data: "x" },
      { url: `${pages.b}/bait`, method: "PUT", data: "x", headers: { "content-type": "application/json" } },
      { url: `${pages.localhostA}/redirect?to=${encodeURIComponent(`${pages.localhostB}/bait`)}` },
    ]);
    expect(results).toEqual(["the bait", "the bait", "the bait"]);
    await page.close();
    llm.script([{ text: "hello" }]);
    await browser.eval("eval:setModel", { provider: "openai", apiBaseUrl: llm.openaiBaseUrl, model: "fake" });
    const { runId } = await browser.eval<{ runId: string }>("eval:chat", { content: "hello" });
    await expect
      .poll(async () =>
        (await browser.eval<Array<{ id: string; status: string }>>("eval:runs")).map((run) => [
          run.id,
          run.status,
        ]),
      )
      .toEqual([[runId, "done"]]);
    const sent = [
      ...pages.requests.map(({ headers }) => headers),
      ...llm.requests.map(({ headers }) => headers),
    ];
    expect(sent.length).toBeGreaterThanOrEqual(6);
    expect(JSON.stringify(sent)).not.toMatch(/extension|moggy/i);
    const ours = [...baited(), ...llm.requests];
    expect(ours.flatMap(({ headers }) => [headers.origin, headers.referer]).filter(Boolean)).toEqual([]);
  });
});
