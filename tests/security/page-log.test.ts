import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser, type TestBrowser, userscript } from "../e2e/harness/browser";
import { type PageServer, startPageServer } from "../servers/pages";
import { install, listed } from "./support/reports";

let browser: TestBrowser;
let pages: PageServer;

beforeAll(async () => {
  [browser, pages] = await Promise.all([launchBrowser(), startPageServer()]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close()]);
});
beforeEach(async () => {
  await browser.eval("eval:clear");
});

describe("the log of scripts in the page's own world", () => {
  /** Dispatches what such a script and the relay say to each other, as a page would who has read how they do it. */
  const FORGE = `{
    const say = (name, detail) => {
      for (const target of [document, window]) target.dispatchEvent(new CustomEvent(name, { detail: JSON.stringify(detail) }));
    };
    say("moggy:hello", { channel: "forged-channel", uuid: document.documentElement.dataset.uuid });
    say("forged-channel", { message: "forged line", stack: "forged stack" });
  }`;

  async function installLogged(): Promise<string> {
    return install(
      browser,
      userscript(
        { name: "Logged", match: [`${pages.a}/*`], grant: "none", "run-at": "document-start" },
        `document.documentElement.dataset.uuid = GM_info.uuid;
addEventListener("throw-now", () => { throw new Error("a true line"); });`,
      ),
    );
  }

  const attribute = FORGE.replace(/\n/g, " ").replaceAll('"', "&quot;");
  it.each([
    ["its first script", `<script>${FORGE}</script>`],
    [
      "a later script",
      `<p>text</p><script>addEventListener("load", () => setTimeout(() => ${FORGE}))</script>`,
    ],
    [
      "handlers of a page without a script element",
      `<body onload="${attribute}"><img src="data:," onerror="${attribute}"><svg onload="${attribute}"></svg><p>text</p>`,
    ],
  ])("takes no line from %s", async (_name, body) => {
    const uuid = await installLogged();
    pages.serve("/forge", { body: `<!doctype html><title>forge</title>${body}` });
    const page = await browser.newPage(`${pages.a}/forge`);
    await page.evaluate("setTimeout(() => window.dispatchEvent(new Event('throw-now')))");
    await expect
      .poll(async () => (await listed(browser, uuid)).errors.map((error) => error.message))
      .toContain("a true line");
    expect((await listed(browser, uuid)).errors.map((error) => error.message)).toEqual(["a true line"]);
    await page.close();
  });

  it("takes no line from the page around a frame", async () => {
    const uuid = await installLogged();
    pages.serve("/inner", { body: "<!doctype html><title>inner</title><p>no script here</p>" });
    const page = await browser.newPage(`${pages.a}/plain`);
    await page.evaluate(async () => {
      const frame = document.createElement("iframe");
      frame.src = "/inner";
      const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
      document.body.append(frame);
      await loaded;
    });
    await page.evaluate((forge) => {
      const inner = window.frames[0] as Window & typeof globalThis;
      new Function("window", "document", "CustomEvent", forge)(inner, inner.document, inner.CustomEvent);
      inner.setTimeout(() => inner.dispatchEvent(new Event("throw-now")));
    }, FORGE);
    await expect
      .poll(async () => (await listed(browser, uuid)).errors.map((error) => error.message))
      .toContain("a true line");
    expect((await listed(browser, uuid)).errors.map((error) => error.message)).toEqual(["a true line"]);
    await page.close();
  });
});
