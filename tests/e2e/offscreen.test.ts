import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser } from "./harness/browser";
import { callOffscreen, closeOffscreen, crashOffscreen, offscreenDocuments } from "./harness/offscreen";

let browser: TestBrowser;
let pages: PageServer;

beforeAll(async () => {
  [browser, pages] = await Promise.all([launchBrowser(), startPageServer()]);
  await browser.eval("eval:policy", { confirm: "allow" });
});
afterAll(() => Promise.all([browser?.close(), pages?.close()]));
beforeEach(() => closeOffscreen(browser));

/** An image of one point. */
const PIXEL =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><rect width="1" height="1" fill="red"/></svg>';

interface Fetched {
  url: string;
  status: number;
  title?: string;
  text: string;
  mode?: string;
}

const read = (path: string, args: Record<string, unknown> = {}) =>
  browser.eval<Fetched>("eval:tool", { name: "web_fetch", args: { url: `${pages.a}${path}`, ...args } });

describe("the offscreen document", () => {
  it("is made by the first call, once for many", async () => {
    expect(await offscreenDocuments(browser)).toEqual([]);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => read(`/page/${n}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await offscreenDocuments(browser)).toHaveLength(1);
  });

  it("outlives the worker, whose successor finds it", async () => {
    await read("/plain");
    const before = await offscreenDocuments(browser);
    expect(await browser.killWorker()).toBe(true);
    expect((await read("/plain")).status).toBe(200);
    expect(await offscreenDocuments(browser)).toEqual(before);
  });

  it.each([
    ["closed", closeOffscreen],
    ["crashed", crashOffscreen],
  ])("when it is %s in the middle of reading a page, the page is read again", async (_how, end) => {
    const path = `/slow?ms=700&${_how}`;
    const before = asked(path);
    const reading = read(path);
    await expect.poll(() => asked(path)).toBe(before + 1);
    await end(browser);
    expect((await reading).status).toBe(200);
    expect(asked(path)).toBe(before + 2);
  });

  it("closed ten times at random instants of a reading, each reading ends", async () => {
    for (let n = 0; n < 10; n += 1) {
      const reading = read(`/page/kill-${n}`);
      await new Promise((resolve) => setTimeout(resolve, n * 9));
      await closeOffscreen(browser);
      expect((await reading).status).toBe(200);
    }
  });

  it("reads pages as Markdown, with the page's own encoding", async () => {
    pages.serve("/article", {
      body: `<!doctype html><title>News</title><nav><a href="/x">menu</a></nav><article><h1>News</h1>${"<p>A sentence with words, and more of them, so that this is an article.</p>".repeat(20)}<table><tr><th>a</th></tr><tr><td>b</td></tr></table></article>`,
      headers: { "content-type": "text/html" },
    });
    const article = await read("/article");
    expect(article).toMatchObject({ title: "News", mode: "article" });
    expect(article.text).toContain("A sentence with words");
    expect(article.text).toContain("| --- |");
    expect(article.text).not.toContain("menu");
    expect((await read("/gbk")).text).toContain("中文");
  });

  it("reads a page that is made to be slow, and others after it, in the same document", async () => {
    pages.serve("/deep", {
      body: `${"<div>".repeat(100_000)}bottom`,
      headers: { "content-type": "text/html" },
    });
    // As much of it as can be read in a few seconds; without that limit the browser itself would parse for minutes.
    await read("/plain");
    const before = await offscreenDocuments(browser);
    expect((await read("/deep")).status).toBe(200);
    expect((await read("/plain")).status).toBe(200);
    expect(await offscreenDocuments(browser)).toEqual(before);
  });

  it("runs nothing of what it reads, and loads nothing", async () => {
    pages.serve("/hostile-page", {
      body: `<img src="/effect/img"><script>fetch("/effect/script")</script><link rel=stylesheet href="/effect/css">
        <iframe src="/effect/frame"></iframe><img src=x onerror="fetch('/effect/onerror')"><meta http-equiv=refresh content="0;url=/effect/refresh">
        <svg onload="fetch('/effect/svg')"></svg><p>words</p>`,
      headers: { "content-type": "text/html" },
    });
    expect((await read("/hostile-page")).text).toContain("words");
    // Another reading later, whatever would have been loaded was asked for.
    await read("/plain");
    expect(pages.requests.filter(({ path }) => path.startsWith("/effect/"))).toEqual([]);
  });

  it("sends no cookies and names no extension", async () => {
    const page = await browser.newPage(`${pages.a}/cookie/set?name=secret&value=1`);
    expect((await read("/cookie/echo")).text).not.toContain("secret");
    const last = pages.requests.findLast(({ path }) => path.startsWith("/cookie/echo"));
    expect(JSON.stringify(last)).not.toMatch(/chrome-extension|nfdmkf/);
    await page.close();
  });

  it("names what is no text, and what cannot be reached", async () => {
    await expect(read("/bytes?n=5")).rejects.toMatchObject({ name: "NotTextError" });
    await expect(
      browser.eval("eval:tool", { name: "web_fetch", args: { url: "http://127.0.0.1:1/" } }),
    ).rejects.toMatchObject({ name: expect.stringMatching(/NetworkError|TypeError/) });
    await expect(
      browser.eval("eval:tool", { name: "web_fetch", args: { url: "file:///etc/passwd" } }),
    ).rejects.toMatchObject({ name: "PermissionDeniedError" });
  });

  it("makes blob: addresses that hold until they are revoked", async () => {
    const { url } = await callOffscreen<{ url: string }>(browser, "offscreen.blobs.create", { blob: PIXEL });
    expect(url).toMatch(/^blob:chrome-extension:/);
    const shown = () =>
      browser.options.evaluate(
        (address) =>
          new Promise<string>((resolve) => {
            const image = new Image();
            image.onload = () => resolve("loaded");
            image.onerror = () => resolve("failed");
            image.src = address;
          }),
        url,
      );
    expect(await shown()).toBe("loaded");
    await callOffscreen(browser, "offscreen.blobs.revoke", { url });
    expect(await shown()).toBe("failed");
  });

  it("fills the clipboard without a focused page", async () => {
    await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await callOffscreen(browser, "offscreen.clipboard.write", { text: "copied ✓", html: "<b>copied</b>" });
    await browser.options.bringToFront();
    const held = await browser.options.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      return Promise.all(
        ["text/plain", "text/html"].map(async (type) => (await item?.getType(type))?.text()),
      );
    });
    expect(held[0]).toBe("copied ✓");
    expect(held[1]).toContain("<b>copied</b>");
  });

  it("shown in a tab, the same file is nobody: its ports are cut", async () => {
    const page = await browser.newPage();
    await page.goto(browser.options.url().replace("options.html", "offscreen.html"));
    const ended = await page.evaluate(() =>
      Promise.all(
        ["offscreen", "offscreen-calls", "sandbox"].map(
          (name) =>
            new Promise<string>((resolve) => {
              const port = chrome.runtime.connect(undefined, { name });
              port.onDisconnect.addListener(() => resolve("cut"));
              port.onMessage.addListener(() => resolve("answered"));
              port.postMessage({ t: "call", id: 1, m: "offscreen.net.request", a: {} });
            }),
        ),
      ),
    );
    expect(ended).toEqual(["cut", "cut", "cut"]);
    await page.close();
  });
});

function asked(path: string): number {
  return pages.requests.filter((visit) => `${visit.path}${visit.query}` === path).length;
}
