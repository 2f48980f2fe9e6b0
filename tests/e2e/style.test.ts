import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser } from "./harness/browser";
import { installProbe, probe, probeReady } from "./harness/probe";

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

const TIMES = ["start", "body", "end", "idle"];
const COLOR = "rgb(1, 2, 3)";

const computed = (page: Page, selector: string, property: string) =>
  page.evaluate(
    ([found, name]) => {
      const element = document.querySelector(found);
      return element ? getComputedStyle(element).getPropertyValue(name) : "no such element";
    },
    [selector, property] as const,
  );

describe("GM_addStyle", () => {
  it.each([
    ["a plain page", "/plain", "h1"],
    ["a page with a strict CSP", "/csp", "h1"],
    ["a page that enforces Trusted Types", "/trusted-types", "h1"],
    ["an SVG document", "/svg", "circle"],
    ["an XML document", "/xml", "item"],
  ])("in %s, at document-start and later, in both forms", async (_name, path, selector) => {
    for (const when of TIMES) {
      await installProbe(
        browser,
        when,
        { grant: ["GM_addStyle", "GM.addStyle"], "run-at": `document-${when}` },
        `const headAtStart = document.head !== null;
        const style = GM_addStyle(${JSON.stringify(`${selector} { --${when}: yes; color: ${COLOR} }`)});
        const promised = GM.addStyle(${JSON.stringify(`${selector} { --promised-${when}: yes }`)});`,
      );
    }
    const page = await browser.newPage(`${pages.a}${path}`);
    for (const when of TIMES) {
      await probeReady(page, when);
      expect(
        await probe(page, when, "return [style.localName, (await promised).localName, style.isConnected]"),
      ).toEqual(["style", "style", true]);
      expect(await computed(page, selector, `--${when}`), when).toBe("yes");
      expect(await computed(page, selector, `--promised-${when}`), when).toBe("yes");
    }
    // C061: there is no head to speak of at document-start.
    expect(await probe(page, "start", "return headAtStart")).toBe(false);
    expect(await computed(page, selector, "color")).toBe(COLOR);
    for (const when of TIMES) await probe(page, when, "style.remove()");
    expect(await computed(page, selector, "color")).not.toBe(COLOR);
    await page.close();
  });

  it("C061 at document-start it is there before the page's first script and first paint, and stays when the page makes its head", async () => {
    await installProbe(
      browser,
      "p",
      { grant: "GM_addStyle" },
      `GM_addStyle("h1 { color: ${COLOR} } html { --early: yes }");`,
    );
    pages.serve("/early", {
      body: `<!doctype html><html><head><script>
        window.early = getComputedStyle(document.documentElement).getPropertyValue("--early").trim();
        </script><title>t</title></head><body><h1>x</h1></body></html>`,
    });
    const page = await browser.newPage(`${pages.a}/early`);
    expect(await page.evaluate("early")).toBe("yes");
    expect(await computed(page, "h1", "color")).toBe(COLOR);
    // The parser makes one head and one body, whatever stood there before.
    expect(
      await page.evaluate(() => [
        document.querySelectorAll("head, body").length,
        document.head.children.length > 1,
      ]),
    ).toEqual([2, true]);
    await page.close();
  });

  it("takes any text as it is: quotes, tags and what is no string", async () => {
    await installProbe(browser, "p", { grant: "GM_addStyle" });
    const page = await browser.newPage(`${pages.a}/plain`);
    const texts = [`h1::before { content: "</style><script>window.hurt = 1</script>" }`, "not css {{{", ""];
    expect(
      await probe(
        page,
        "p",
        `return [...${JSON.stringify(texts)}, 5, null, undefined].map((css) => GM_addStyle(css).textContent)`,
      ),
    ).toEqual([...texts, "5", "null", "undefined"]);
    expect(await page.evaluate("typeof hurt")).toBe("undefined");
    await page.close();
  });

  it("works in every frame, also of another origin", async () => {
    await installProbe(browser, "p", { grant: "GM_addStyle" }, `GM_addStyle("h1 { color: ${COLOR} }");`);
    const page = await browser.newPage(`${pages.a}/frame-host`);
    for (const frame of page.frames()) {
      await frame.locator("h1").waitFor();
      expect(await frame.locator("h1").evaluate((h1) => getComputedStyle(h1).color)).toBe(COLOR);
    }
    expect(page.frames()).toHaveLength(2);
    await page.close();
  });
});
