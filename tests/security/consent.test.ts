import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { extensionUrl, launchBrowser, type TestBrowser, userscript } from "../e2e/harness/browser";
import {
  answerAbout,
  decisions,
  openQuestions,
  promptPage,
  promptPages,
  questionAbout,
} from "../e2e/harness/consent";
import { type PageServer, startPageServer } from "../servers/pages";
import { RAW_PORT } from "./support/raw-port";
import { install, REPORT, reportOf } from "./support/reports";
import { tokensOf } from "./support/stored";

let browser: TestBrowser;
let pages: PageServer;
let port: string;

beforeAll(async () => {
  [browser, pages] = await Promise.all([launchBrowser(), startPageServer()]);
  port = new URL(pages.localhostA).port;
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close()]);
});
beforeEach(async () => {
  await browser.eval("eval:clear");
  pages.reset();
  pages.serve("/bait", { body: "the bait" });
  return async () => {
    await Promise.all(promptPages(browser).map((window) => window.close()));
  };
});

/** A script that requests what its page's `ask` event says, and tells what came of the last. */
const asker = (name: string) =>
  userscript(
    { name, match: "*://*/page/*", grant: "GM.xmlHttpRequest" },
    `${REPORT}
document.addEventListener("ask", ({ detail }) => {
  for (const url of JSON.parse(detail))
    GM.xmlHttpRequest({ url }).then(({ responseText }) => report("got", responseText), ({ name }) => report("got", name));
});
report("ready", true);`,
  );

async function openAndAsk(urls: string[]): Promise<Page> {
  const page = await browser.newPage(`${pages.a}/page/x`);
  await reportOf(page, "ready");
  await ask(page, urls);
  return page;
}

async function ask(page: Page, urls: string[]): Promise<void> {
  await page.evaluate((detail) => {
    document.documentElement.removeAttribute("data-got");
    document.dispatchEvent(new CustomEvent("ask", { detail }));
  }, JSON.stringify(urls));
}

const bait = () => `${pages.localhostA}/bait`;
const baited = () => pages.requests.filter((visit) => visit.path === "/bait");

/** Still asked, answered by nobody. */
async function expectUnanswered(): Promise<void> {
  expect((await questionAbout(browser.options, "localhost")).state).toBe("asking");
  expect(await decisions(browser.options)).toEqual([]);
  expect(baited()).toEqual([]);
}

describe("a web page", () => {
  it("cannot frame, open or fetch the window that asks", async () => {
    await install(browser, asker("Asker"));
    const page = await openAndAsk([bait()]);
    await promptPage(browser);
    const before = browser.context.pages().length;
    const reached = await page.evaluate(async (url) => {
      const frame = document.createElement("iframe");
      const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
      frame.src = url;
      document.body.append(frame);
      await loaded;
      const fetched = await fetch(url).then(
        () => "fetched",
        () => "not fetched",
      );
      const opened = window.open(url);
      return { fetched, opened: opened !== null };
    }, extensionUrl("consent.html"));
    expect(reached.fetched).toBe("not fetched");
    const frames = page.frames().map((frame) => frame.url());
    expect(frames.filter((url) => url.startsWith(extensionUrl("")))).toEqual([]);
    if (reached.opened) await expect.poll(() => browser.context.pages().length).toBe(before + 1);
    // The one that was there, and none that the page has a hand on.
    expect(promptPages(browser)).toHaveLength(1);
    await expectUnanswered();
    await page.close();
  });

  it("cannot answer by messages, events, ports or names that it makes up", async () => {
    await install(browser, asker("Asker"));
    const page = await openAndAsk([bait()]);
    const { id } = await questionAbout(browser.options, "localhost");
    const ways = await page.evaluate(
      ([question, extension]) => {
        const answer = { t: "call", id: 1, m: "consent.answer", a: { id: question, answer: "always" } };
        const tried: string[] = [];
        for (const message of [answer, { type: "eval:policy", confirm: "allow" }, { c: 1, f: answer }]) {
          window.postMessage(message, "*");
          document.dispatchEvent(new CustomEvent("consent.answer", { detail: message }));
          window.dispatchEvent(new MessageEvent("message", { data: message }));
        }
        const runtime = (globalThis as { chrome?: { runtime?: Record<string, unknown> } }).chrome?.runtime;
        for (const method of ["sendMessage", "connect"]) {
          const call = runtime?.[method];
          if (typeof call !== "function") continue;
          try {
            call(extension, answer);
            tried.push(method);
          } catch {
            // Refused at once, as it should be.
          }
        }
        return tried;
      },
      [id, new URL(extensionUrl("")).host] as const,
    );
    expect(ways).toEqual([]);
    await expectUnanswered();
    await page.close();
  });
});

describe("a script", () => {
  it("neither sees nor answers questions, its own or another's, past the runtime and with its own token", async () => {
    const uuid = await install(
      browser,
      userscript(
        { name: "Attacker", match: "*://*/page/*", grant: "GM.xmlHttpRequest" },
        `${REPORT}${RAW_PORT}
document.addEventListener("attack", async ({ detail }) => {
  const { token, calls } = JSON.parse(detail);
  const port = new RawPort();
  const refusals = [];
  for (const hello of [token, "guess"]) {
    const c = port.hello(hello);
    let id = 0;
    for (const [t, m, a] of calls) refusals.push((await port.call(c, ++id, m, a, t)).e?.name);
  }
  const { sendMessage } = rawRuntime();
  const told = await Promise.race([
    Promise.resolve(sendMessage({ type: "eval:policy", confirm: "allow" })).then(() => "answered", () => "refused"),
    new Promise((resolve) => setTimeout(resolve, 1000, "no answer")),
  ]);
  report("attacked", { refusals, told });
});
report("armed", true);`,
      ),
    );
    await install(browser, asker("Asker"));
    const page = await openAndAsk([bait()]);
    const { id, subject } = await questionAbout(browser.options, "localhost");
    const own = JSON.stringify([`script:${uuid}`, "connect-private", "localhost"]);
    const calls = [
      ["open", "consent.prompts", {}],
      ["open", "consent.decisions", {}],
      ["call", "consent.answer", { id, answer: "always" }],
      ["call", "consent.answer", { id: own, answer: "always" }],
      ["call", "consent.denyAll", { subject }],
      ["call", "consent.restore", { entries: [{ id: own, decision: "always" }] }],
      ["call", "consent.revoke", { ids: [id] }],
      ["call", "consent.dismiss", { id }],
    ];
    await reportOf(page, "armed");
    const { scripts } = await tokensOf(browser.options);
    await page.evaluate(
      (detail) => document.dispatchEvent(new CustomEvent("attack", { detail })),
      JSON.stringify({ token: scripts[uuid], calls }),
    );
    const { refusals, told } = await reportOf<{ refusals: string[]; told: string }>(page, "attacked");
    expect(refusals).toEqual(Array(calls.length * 2).fill("PermissionDeniedError"));
    expect(told).not.toBe("answered");
    await expectUnanswered();
    await page.close();
  });

  it("is asked for as who it is and for what it really asks, whatever its message claims", async () => {
    const uuid = await install(
      browser,
      userscript(
        { name: "Claiming", match: "*://*/page/*", grant: "GM.xmlHttpRequest" },
        `${REPORT}${RAW_PORT}
document.addEventListener("claim", ({ detail }) => {
  const { token, request } = JSON.parse(detail);
  const port = new RawPort();
  port.call(port.hello(token), 1, "gm.xmlhttp.request", request, "open");
});
report("ready", true);`,
      ),
    );
    const page = await browser.newPage(`${pages.a}/page/x`);
    await reportOf(page, "ready");
    const { scripts } = await tokensOf(browser.options);
    const claims = {
      subject: "script:another",
      subjectName: "Another",
      effect: "connect",
      host: "trusted.example",
      detail: "nothing",
      runId: "another",
      pageUrl: "https://bank.example/",
      consent: "allowed",
    };
    const request = {
      url: bait(),
      method: "GET",
      headers: [],
      body: null,
      anonymous: false,
      cache: "default",
    };
    await page.evaluate(
      (detail) => document.dispatchEvent(new CustomEvent("claim", { detail })),
      JSON.stringify({ token: scripts[uuid], request: { ...request, ...claims, caller: claims } }),
    );
    const prompt = await questionAbout(browser.options, "localhost");
    expect(prompt).toMatchObject({
      subject: `script:${uuid}`,
      subjectName: "Claiming",
      effect: "connect-private",
      host: "localhost",
      detail: `GET ${bait()}`,
      // Of the empty frame in which a port of its own has to be opened.
      pageUrl: "about:blank",
    });
    expect(prompt.runId).not.toBe("another");
    await expectUnanswered();
    await page.close();
  });

  it.each([
    ["http://LOCALHOST:PORT/bait", "localhost", "connect-private"],
    ["http://localhost.:PORT/bait", "localhost", "connect-private"],
    ["http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/bait", "localhost", "connect-private"],
    ["http://local\u00adhost:PORT/bait", "localhost", "connect-private"],
    ["http://trusted.example@localhost:PORT/bait", "localhost", "connect-private"],
    ["http://trusted.example%2Fx:y@localhost:PORT/bait", "localhost", "connect-private"],
    ["http://localhost:PORT\\@trusted.example/bait", "localhost", "connect-private"],
    ["http://localhost:PORT?@trusted.example/bait", "localhost", "connect-private"],
    ["http://0x7f.1.example/", "0x7f.1.example", "connect"],
    ["http://bаnk.example/", "xn--bnk-6cd.example", "connect"],
    ["http://trusted.example.evil.example/", "trusted.example.evil.example", "connect"],
    ["http://[::ffff:10.0.0.1]/", "[::ffff:a00:1]", "connect-private"],
    ["http://①⓪.0.0.1/", "10.0.0.1", "connect-private"],
  ])("that asks for %s is asked about %s as %s", async (url, host, effect) => {
    await install(browser, asker("Asker"));
    const page = await openAndAsk([url.replace("PORT", port)]);
    const prompt = await questionAbout(browser.options, host);
    expect(prompt).toMatchObject({ effect, host });
    // What is shown begins with the very host that will be asked, in the one spelling that hosts have.
    const shown = new URL(prompt.detail?.replace(/^GET /, "") ?? "");
    expect([shown.hostname.replace(/\.$/, ""), shown.username, shown.password]).toEqual([host, "", ""]);
    expect(prompt.detail?.startsWith(`GET http://${shown.host}/`)).toBe(true);
    expect(await openQuestions(browser.options)).toHaveLength(1);
    expect(baited()).toEqual([]);
    await page.close();
  });

  it("an answer counts for that host in every spelling, and for no other", async () => {
    await install(browser, asker("Asker"));
    const page = await openAndAsk([`http://localhost.:${port}/bait`]);
    await answerAbout(browser.options, "localhost", "always");
    expect(await reportOf(page, "got")).toBe("the bait");
    await ask(page, [`http://x@LOCALHOST:${port}/bait`]);
    expect(await reportOf(page, "got")).toBe("the bait");
    await ask(page, [`http://x.localhost:${port}/bait`]);
    await questionAbout(browser.options, "x.localhost");
    expect(baited()).toHaveLength(2);
    await page.close();
  });

  it("another script's answer is none of its own", async () => {
    await install(browser, asker("First"));
    const page = await openAndAsk([bait()]);
    await answerAbout(browser.options, "localhost", "always");
    expect(await reportOf(page, "got")).toBe("the bait");
    await page.close();
    const other = await install(browser, asker("Second").replace("/page/*", "/page/y"));
    const next = await browser.newPage(`${pages.a}/page/y`);
    await reportOf(next, "ready");
    await ask(next, [bait()]);
    expect((await questionAbout(browser.options, "localhost")).subject).toBe(`script:${other}`);
    await next.close();
  });

  it("cannot pass for something else by its name", async () => {
    const name = `Moggy\u202eteg-yrev\u2066\u200b\u0007 wants: Always allow [OK]   ${"x".repeat(10_000)}`;
    await install(browser, asker(name));
    const page = await openAndAsk([bait()]);
    const { subjectName } = await questionAbout(browser.options, "localhost");
    expect(subjectName).toMatch(/^Moggyteg-yrev wants: Always allow \[OK\] x+…$/);
    expect(subjectName.length).toBeLessThanOrEqual(80);
    const window = await promptPage(browser);
    await window.getByText("localhost", { exact: true }).first().waitFor();
    const text = await window.locator("body").innerText();
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b-\u200f]|x{200}/);
    // The host and all answers are in sight, whatever the name.
    for (const answer of ["Allow once", "Always allow", "Not now", "Never"]) {
      const box = await window.getByRole("button", { name: answer, exact: true }).boundingBox();
      const height = await window.evaluate(() => innerHeight);
      expect(box && box.y + box.height <= height, answer).toBe(true);
    }
    await page.close();
  });

  it("that asks for many hosts shows three at a time, and is stopped at twenty", async () => {
    await install(browser, asker("Flood"));
    const page = await openAndAsk(Array.from({ length: 40 }, (_, i) => `http://h${i}.example/`));
    expect(await reportOf(page, "got")).toBe("TooManyQuestionsError");
    expect(await openQuestions(browser.options)).toHaveLength(3);
    expect(promptPages(browser).length).toBeLessThanOrEqual(1);
    await page.close();
    await expect.poll(() => openQuestions(browser.options), { timeout: 5_000 }).toEqual([]);
  });
});
