import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { launchWithExtension } from "../../scripts/lib/extension";
import {
  EXTENSION_ID,
  extensionUrl,
  launchBrowser,
  type TestBrowser,
  userscript,
} from "../e2e/harness/browser";
import { type PageServer, startPageServer } from "../servers/pages";
import { callAsPage } from "./support/own-page-rpc";
import { everyMethod, RAW_PORT } from "./support/raw-port";
import { install, listed, REPORT, reportOf } from "./support/reports";

const BUILDS = join(import.meta.dirname, "../..");
const EVAL_MESSAGES = [
  "ready",
  "policy",
  "installScript",
  "removeScript",
  "scripts",
  "values",
  "setModel",
  "setSettings",
  "chat",
  "runs",
  "events",
  "tick",
  "clear",
];

let pages: PageServer;

beforeAll(async () => {
  pages = await startPageServer();
});
afterAll(async () => {
  await pages?.close();
});

/** What an extension tried, and what came of it. */
interface Attempts {
  answers: string[];
  ports: string[];
  files: string[];
}

/** Code for any context of an extension: messages, ports and files of ours. */
const ATTACK = (methods: unknown) => `async () => {
  const target = "${EXTENSION_ID}";
  const methods = ${JSON.stringify(methods)};
  const messages = [
    ...${JSON.stringify(EVAL_MESSAGES)}.map((name) => ({ type: "eval:" + name, uuid: "x", code: "" })),
    { c: 1, hello: "x" }, { t: "call", id: 1, m: "scripts.list", a: {} }, "hello", null,
  ];
  const answers = [];
  for (const message of messages) {
    answers.push(await chrome.runtime.sendMessage(target, message).then((answer) => "answer " + JSON.stringify(answer), (error) => error.message));
  }
  const ports = [];
  for (const name of ["page", "script", "", "moggy"]) {
    ports.push(await new Promise((resolve) => {
      const heard = [];
      const port = chrome.runtime.connect(target, { name });
      port.onMessage.addListener((message) => heard.push(message));
      port.onDisconnect.addListener(() => resolve("cut off, heard " + JSON.stringify(heard) + ", " + chrome.runtime.lastError?.message));
      try {
        for (const { name: m, input: a } of methods) {
          port.postMessage({ t: "call", id: 1, m, a });
          port.postMessage({ c: 1, f: { t: "call", id: 1, m, a } });
        }
      } catch (error) {
        heard.push(...(/disconnected port/.test(error.message) ? [] : [error.message]));
      }
    }));
  }
  const files = [];
  for (const path of ["manifest.json", "options.html", "core.js", "runtime.js", "icons/16.png"]) {
    await fetch("chrome-extension://" + target + "/" + path).then(() => files.push(path), () => "refused, as it should be");
  }
  return { answers, ports, files };
}`;

/** A second extension with every power that one can ask for without being asked. */
async function makeExtension(folder: string, attack: string): Promise<void> {
  const manifest = {
    manifest_version: 3,
    name: "The other one",
    version: "1.0",
    permissions: ["tabs", "scripting", "storage", "webNavigation"],
    host_permissions: ["<all_urls>"],
    background: { service_worker: "worker.js" },
    content_scripts: [{ matches: ["<all_urls>"], js: ["content.js"], run_at: "document_start" }],
  };
  const content = `(${attack})().then((done) => { document.documentElement.dataset.other = JSON.stringify(done); });`;
  await Promise.all([
    writeFile(join(folder, "manifest.json"), JSON.stringify(manifest)),
    writeFile(join(folder, "worker.js"), `globalThis.attack = ${attack};`),
    writeFile(join(folder, "page.html"), "<!doctype html><title>other</title><script src=page.js></script>"),
    writeFile(join(folder, "page.js"), `globalThis.attack = ${attack};`),
    writeFile(join(folder, "content.js"), content),
  ]);
}

function expectNothing({ answers, ports, files }: Attempts): void {
  expect(answers).toHaveLength(EVAL_MESSAGES.length + 4);
  for (const answer of answers)
    expect(answer).toMatch(/Receiving end does not exist|Could not establish connection/);
  expect(ports).toHaveLength(4);
  for (const port of ports)
    expect(port).toMatch(
      /^cut off, heard \[\], .*(Receiving end does not exist|Could not establish connection)/,
    );
  expect(files).toEqual([]);
}

describe("another extension", () => {
  let folder: string;
  let browser: TestBrowser;
  let uuid: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "moggy-other-"));
    await makeExtension(folder, ATTACK(everyMethod({ uuid: "x", url: `${pages.a}/bait` })));
    browser = await launchBrowser({ extension: `${join(BUILDS, "dist-eval")},${folder}` });
    uuid = await install(
      browser,
      userscript(
        { name: "Beside it", match: `${pages.a}/*`, grant: ["GM_setValue", "GM.getValue"] },
        `${REPORT}GM_setValue("kept", "a value"); GM.getValue("kept").then((value) => report("worked", value));`,
      ),
    );
  });
  afterAll(async () => {
    await browser?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  async function workerOfOther() {
    const isOther = (url: string) => !url.startsWith(extensionUrl(""));
    const found = browser.context.serviceWorkers().find((worker) => isOther(worker.url()));
    return found ?? browser.context.waitForEvent("serviceworker", (worker) => isOther(worker.url()));
  }

  async function expectUnchanged(): Promise<void> {
    expect(await browser.eval("eval:values", { uuid })).toEqual({ kept: "a value" });
    expect(await browser.eval("eval:scripts")).toHaveLength(1);
    expect((await listed(browser, uuid)).errors).toEqual([]);
    expect(pages.requests.filter(({ path }) => path === "/bait")).toEqual([]);
  }

  it("cannot connect, message or read a file: from its content script, beside a script at work", async () => {
    const page = await browser.newPage(`${pages.a}/plain`);
    expect(await reportOf(page, "worked")).toBe("a value");
    expectNothing(await reportOf<Attempts>(page, "other"));
    await expectUnchanged();
    await page.close();
  });

  it("nor from its worker, nor from a page of its own", async () => {
    const worker = await workerOfOther();
    expectNothing(await worker.evaluate<Attempts>("globalThis.attack()"));
    const page = await browser.newPage(new URL("page.html", worker.url()).href);
    expectNothing(await page.evaluate<Attempts>("globalThis.attack()"));
    await page.close();
    await expectUnchanged();
  });

  it("cannot run code in our pages, frame them, or see into them", async () => {
    const worker = await workerOfOther();
    const options = extensionUrl("options.html");
    const refused = await worker.evaluate(async (url) => {
      const tab = (await chrome.tabs.query({})).find((candidate) => candidate.url === url);
      if (tab?.id === undefined) return "the tab was not found";
      const target = { tabId: tab.id };
      return chrome.scripting.executeScript({ target, func: () => document.title }).then(
        (results) => `ran: ${JSON.stringify(results)}`,
        (error: Error) => error.message,
      );
    }, browser.options.url());
    expect(refused).toMatch(/Cannot access|cannot be scripted/);
    const page = await browser.newPage(new URL("page.html", worker.url()).href);
    const framed = await page.evaluate(
      (url) =>
        new Promise<string>((resolve) => {
          const frame = document.createElement("iframe");
          frame.src = url;
          frame.addEventListener("load", () => resolve("loaded"));
          document.body.append(frame);
        }),
      options,
    );
    expect(framed).toBe("loaded");
    // What loaded is the browser's page that says no.
    const inside = page.frames().map((frame) => frame.url());
    expect(inside).not.toContain(options);
    await page.close();
  });

  it("and the manifest says that nobody may connect", async () => {
    const manifest = await browser.options.evaluate(() => chrome.runtime.getManifest());
    expect(manifest.externally_connectable).toEqual({ ids: [], matches: [] });
  });
});

describe("the build that people install", () => {
  let profile: string;
  let context: BrowserContext;
  let options: Page;

  beforeAll(async () => {
    profile = await mkdtemp(join(tmpdir(), "moggy-production-"));
    const extension = join(BUILDS, "dist");
    context = await launchWithExtension({
      executablePath: inject("chromium"),
      extension,
      profile,
      headless: true,
    });
    options = await context.newPage();
    await options.goto(extensionUrl("options.html"));
  });
  afterAll(async () => {
    await context?.close();
    if (profile) await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });

  it("answers no eval message of a script", async () => {
    const code = userscript(
      { name: "Asking", match: `${pages.a}/*`, grant: "GM_info" },
      `${REPORT}${RAW_PORT}
Promise.all(${JSON.stringify(EVAL_MESSAGES)}.map((name) =>
  rawRuntime().sendMessage({ type: "eval:" + name }).then((answer) => answer ?? "nothing", () => "nobody"),
)).then((answers) => report("answers", answers));`,
    );
    expect((await callAsPage(options, "scripts.install", { code })).t).toBe("ok");
    const page = await context.newPage();
    await page.goto(`${pages.a}/plain`);
    const answers = await reportOf<string[]>(page, "answers");
    expect(answers.filter((answer) => answer !== "nobody" && answer !== "nothing")).toEqual([]);
    await page.close();
  });
});
