import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { extensionUrl, launchBrowser, type TestBrowser, userscript } from "../e2e/harness/browser";
import { type PageServer, startPageServer } from "../servers/pages";
import { install, listed } from "./support/reports";

const BUILD = join(import.meta.dirname, "../../dist-eval");

let browser: TestBrowser;
let pages: PageServer;

beforeAll(async () => {
  [browser, pages] = await Promise.all([launchBrowser(), startPageServer()]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close()]);
});

/** A policy as a map from directive to its sources. */
function readPolicy(text: string): Map<string, string[]> {
  return new Map(
    text.split(";").map((part): [string, string[]] => {
      const [name = "", ...sources] = part.trim().split(/\s+/);
      return [name, sources];
    }),
  );
}

describe("the policy of our own pages", () => {
  it("lets no page run code that is not in the package, load from elsewhere, or send anything", async () => {
    // The two without a face have policies of their own, and tests of their own.
    const faceless = ["offscreen.html", "sandbox.html"];
    const files = (await readdir(BUILD)).filter((name) => name.endsWith(".html") && !faceless.includes(name));
    expect(files.sort()).toEqual(["consent.html", "install.html", "options.html", "popup.html"]);
    for (const file of files) {
      const html = await readFile(join(BUILD, file), "utf8");
      const [, content = ""] = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(html) ?? [];
      const policy = readPolicy(content);
      expect([file, policy.get("default-src")]).toEqual([file, ["'none'"]]);
      expect([file, policy.get("script-src")]).toEqual([file, ["'self'"]]);
      expect([file, policy.get("connect-src")]).toEqual([file, ["'none'"]]);
      expect([file, policy.get("img-src")]).toEqual([file, ["'self'", "data:", "blob:"]]);
      for (const name of ["object-src", "base-uri", "form-action", "frame-src"])
        expect([file, name, policy.get(name)]).toEqual([file, name, ["'none'"]]);
      expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
      expect(html).not.toMatch(/\son\w+=/);
    }
    const manifest = await browser.options.evaluate(() => chrome.runtime.getManifest());
    const csp = (manifest.content_security_policy as { extension_pages: string }).extension_pages;
    expect(csp).not.toMatch(/unsafe-eval|wasm|https?:/);
    expect(readPolicy(csp).get("script-src")).toEqual(["'self'"]);
  });

  it("is in force: no eval, no request", async () => {
    const page = await browser.newPage(extensionUrl("options.html"));
    // By a timer of the page: what a debugger evaluates is not held to the policy.
    const outcome = await page.evaluate(
      (url) =>
        new Promise<string[]>((resolve) => {
          setTimeout(async () => {
            const tried: string[] = [];
            try {
              tried.push(String(new Function("return 1")()));
            } catch (error) {
              tried.push((error as Error).name);
            }
            tried.push(await fetch(url).then(String, (error: Error) => error.name));
            const image = new Image();
            image.addEventListener("error", () => resolve([...tried, "no image"]));
            image.addEventListener("load", () => resolve([...tried, "an image"]));
            image.src = url;
          });
        }),
      `${pages.a}/spy.png`,
    );
    expect(outcome).toEqual(["EvalError", "TypeError", "no image"]);
    expect(pages.requests.filter(({ path }) => path.startsWith("/spy"))).toEqual([]);
    await page.close();
  });
});

describe("what a script says of itself", () => {
  const MARKUP = `<img src=x onerror="window.hit=1"><script>window.hit=2</script><a href="javascript:window.hit=3">x</a>`;

  it("is shown as text: it runs nothing, loads nothing and links to no code", async () => {
    const spy = `${pages.a}/spy`;
    const code = userscript(
      {
        name: `Name ${MARKUP}`,
        description: `Description ${MARKUP} ![x](${spy}.md.png)`,
        author: MARKUP,
        icon: `${spy}.png`,
        homepage: "javascript:window.hit=4",
        supportURL: "data:text/html,<script>window.hit=5</script>",
        match: `${pages.a}/*`,
        include: `http://${MARKUP}/*`.replaceAll(" ", ""),
        connect: MARKUP,
        grant: ["GM_registerMenuCommand", "GM_log"],
      },
      `GM_registerMenuCommand(${JSON.stringify(MARKUP)}, () => {}, { title: ${JSON.stringify(MARKUP)} });
document.documentElement.dataset.ran = "yes";
throw Object.assign(new Error(${JSON.stringify(MARKUP)}), { name: ${JSON.stringify(MARKUP)} });`,
    );
    const uuid = await install(browser, code);
    const site = await browser.newPage(`${pages.a}/plain`);
    await site.locator(":root[data-ran]").waitFor({ state: "attached" });
    await expect.poll(async () => (await listed(browser, uuid)).errors.length).toBe(1);
    const requested: string[] = [];
    for (const path of [
      "options.html",
      `options.html#/scripts/${uuid}`,
      "popup.html",
      `install.html#script=${uuid}`,
    ]) {
      const page = await browser.newPage();
      page.on("request", (request) => requested.push(request.url()));
      await page.goto(extensionUrl(path));
      await page
        .getByText(path === "popup.html" ? /./ : /Name <img/)
        .first()
        .waitFor();
      await expectHarmless(page, path);
      for (const tab of await page.getByRole("tab").all()) {
        await tab.click();
        await expectHarmless(page, path);
      }
      await page.close();
    }
    expect(
      requested.filter((url) => !url.startsWith(extensionUrl("")) && !/^(data|blob):/.test(url)),
    ).toEqual([]);
    expect(pages.requests.filter(({ path }) => path.startsWith("/spy"))).toEqual([]);
    await site.close();
  });

  async function expectHarmless(page: Page, path: string): Promise<void> {
    const found = await page.evaluate(() => ({
      hit: (window as { hit?: number }).hit,
      injected: document.querySelectorAll("img[src=x], script:not([src]), [onerror]").length,
      links: [...document.querySelectorAll("a[href]")]
        .map((link) => (link as HTMLAnchorElement).href)
        .filter((href) => !/^(https?|chrome-extension|mailto):/.test(href)),
    }));
    expect([path, found]).toEqual([path, { hit: undefined, injected: 0, links: [] }]);
  }
});
