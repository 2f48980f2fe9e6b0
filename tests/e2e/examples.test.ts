import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type DemoPage, startDemoPage } from "../../scripts/start/demo-page";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser } from "./harness/browser";
import { type ClosedShadow, closedShadow } from "./harness/closed-shadow";
import { type DemoLlm, startDemoLlm } from "./harness/demo-llm";
import { chooseMenuCommand } from "./harness/popup";

let browser: TestBrowser;
let pages: PageServer;
let demo: DemoPage;
let llm: DemoLlm;
let page: Page;

beforeAll(async () => {
  [browser, pages, demo, llm] = await Promise.all([
    launchBrowser(),
    startPageServer(),
    startDemoPage(0),
    startDemoLlm(),
  ]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close(), demo?.close(), llm?.server.close()]);
});
beforeEach(async () => {
  await browser.eval("eval:clear");
  await llm.reset(browser);
});
afterEach(async () => {
  const scripts = await browser.eval<Array<{ errors: unknown[] }>>("eval:scripts");
  await page?.close();
  expect(scripts.flatMap(({ errors }) => errors)).toEqual([]);
});

async function install(name: string): Promise<void> {
  const code = await readFile(join(import.meta.dirname, "../../example-scripts", `${name}.user.js`), "utf8");
  const { warnings } = await browser.eval<{ warnings: string[] }>("eval:installScript", { code });
  // What anybody should know of it, and no remark about how it is written.
  expect(warnings.filter((warning) => !warning.startsWith("warning."))).toEqual([]);
}

/** A page of an article, of a form and of nothing else, at a path of its own. */
function servePage(body: string, headers: Record<string, string> = {}): string {
  const html = `<!doctype html><title>Garden notes</title>${body}`;
  pages.serve("/notes", { body: html, headers: { "content-type": "text/html; charset=utf-8", ...headers } });
  return `${pages.a}/notes`;
}

const SENTENCES = [
  "Tomatoes want warm soil, and warm soil comes late in this valley.",
  "Whoever plants tomatoes before the last frost plants them twice.",
  "Beans are planted when the elder is in bloom, as they always were.",
  "Water in the morning, at the root, and never on the leaves.",
];
const ARTICLE = `<article><h1>Planting</h1>${SENTENCES.map((s) => `<p>${s} ${s.replace(/\w+ /, "Again, ")}</p>`).join("")}</article>`;
const STRICT = "default-src 'none'; style-src 'none'; script-src 'none'; require-trusted-types-for 'script'";

describe("hello-agent", () => {
  const entries = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("[data-moggy-entry]")]
        .filter((entry) => !entry.hidden)
        .map((entry) => [entry.dataset.moggyEntry, entry.lastElementChild?.textContent]),
    );
  const ended = () =>
    page.waitForFunction(() => document.documentElement.dataset.moggyDemo !== undefined, undefined);

  it("holds its conversation in the place that the demo page keeps for it", async () => {
    await install("hello-agent");
    page = await browser.newPage(demo.url);
    await ended();
    expect(await page.evaluate(() => document.documentElement.dataset.moggyDemo)).toBe("done");
    expect(await entries()).toEqual([
      ["You", expect.stringContaining("What is the page about")],
      ["Model", expect.stringContaining("get_page_heading")],
      ["Tool", expect.stringContaining('"heading":"Why cats knead"')],
      ["Model", expect.stringContaining("Why cats knead")],
    ]);
    expect(await page.locator("#moggy-demo [data-moggy-entry]").count()).toBe(4);
  });

  it("floats in the corner of any other page", async () => {
    await install("hello-agent");
    page = await browser.newPage(servePage(ARTICLE));
    await ended();
    expect((await entries()).at(-1)).toEqual(["Model", expect.stringContaining("Planting")]);
    const box = await page.locator("body > section").boundingBox();
    expect(box && box.x + box.width).toBeGreaterThan(1200);
  });

  it("says what to do when no model is set up", async () => {
    await browser.eval("eval:clear");
    await install("hello-agent");
    page = await browser.newPage(demo.url);
    await ended();
    expect((await entries()).at(-1)).toEqual(["Error", expect.stringMatching(/No model is set up.*options/)]);
  });
});

describe("reading-notes", () => {
  const panel = () => page.locator("[data-reading-notes]");
  const command = (title: string) => chooseMenuCommand(browser, page, title);

  it("keeps what is selected, and shows it again on every page of the site", async () => {
    await install("reading-notes");
    page = await browser.newPage(servePage(ARTICLE));
    await command("Show notes of this site");
    await expect.poll(() => panel().textContent()).toBe("There are no notes of this site yet.");
    await command("Keep the selected text");
    await expect.poll(() => panel().textContent()).toBe("Select some text first.");
    await page.locator("article p").first().selectText();
    await command("Keep the selected text");
    await expect
      .poll(() => panel().textContent())
      .toMatch(/^Kept in reading-notes\/127\.0\.0\.1\/\S+ Garden notes\.md \(\d+ bytes\)\.$/);
    await page.goto(`${pages.a}/plain`);
    await command("Show notes of this site");
    await expect.poll(() => panel().textContent()).toContain(`> ${SENTENCES[0]}`);
    await panel().click();
    expect(await panel().count()).toBe(0);
  });

  it("finds a name for any title", async () => {
    await install("reading-notes");
    page = await browser.newPage(servePage(ARTICLE));
    for (const title of ['../../"C:\\x"? a|b <c>', "con\u0000fig.", "..", "長い".repeat(80)]) {
      await page.evaluate((text) => {
        document.title = text;
      }, title);
      await page.locator("article p").first().selectText();
      await command("Keep the selected text");
      await expect.poll(() => panel().textContent()).toMatch(/^Kept in reading-notes\/127\.0\.0\.1\//);
      await panel().click();
    }
  });
});

describe("page-summary", () => {
  let summary: ClosedShadow;
  const state = () => summary.texts(".state").then(([text]) => text);
  const items = () => summary.texts("li");

  async function visit(url: string): Promise<void> {
    page = await browser.newPage(url);
    summary = await closedShadow(page, "moggy-summary");
  }
  const hasButton = () => expect.poll(() => summary.text()).toContain("Summarise");

  it("sends nothing before it is asked, then writes a summary of the demo page while it streams", async () => {
    await install("page-summary");
    await visit(demo.url);
    await hasButton();
    expect(llm.server.counters.requests).toBe(0);

    const gate = llm.server.gate("middle");
    llm.change(() => ({ gate: { gate, afterDeltas: 20 } }));
    await summary.click("Summarise");
    await gate.reached;
    await expect.poll(state).toBe("Writing …");
    await expect.poll(() => summary.text()).toContain("Demo model");
    expect(await summary.text()).not.toContain("Copy");
    gate.release();

    await expect.poll(state).toMatch(/^Done · \d+ tokens$/);
    const article = (await page.locator("main").innerText()).replace(/\s+/g, " ");
    const found = await items();
    expect(found).toHaveLength(3);
    for (const item of found) expect(article).toContain(item.replace(/\s+/g, " "));
    expect(JSON.stringify(llm.server.requests.at(-1)?.body)).not.toContain("hello-agent.user.js");
  });

  it("copies the summary, and makes it anew", async () => {
    await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await install("page-summary");
    await visit(demo.url);
    await hasButton();
    await summary.click("Summarise");
    await expect.poll(state).toMatch(/^Done/);
    await summary.click("Copy");
    await expect.poll(state).toBe("Copied");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    for (const item of await items()) expect(copied).toContain(`- ${item}`);
    await summary.click("Again");
    await expect.poll(() => llm.server.counters.complete).toBe(2);
    await expect.poll(state).toMatch(/^Done/);
    expect(await items()).toHaveLength(3);
  });

  it("stops when told to, keeps what it has, and ends the request", async () => {
    await install("page-summary");
    await visit(demo.url);
    await hasButton();
    llm.change(() => ({ fault: { hangAfterDeltas: 12 } }));
    await summary.click("Summarise");
    await expect.poll(state).toBe("Writing …");
    await summary.click("Stop");
    await expect.poll(state).toBe("Stopped");
    await expect.poll(() => summary.text()).toContain("Demo model");
    await expect.poll(() => llm.server.counters.aborted).toBe(1);
  });

  it("works from the menu, styled, on a page that forbids styles, scripts and markup from strings", async () => {
    await install("page-summary");
    await visit(servePage(ARTICLE, { "content-security-policy": STRICT }));
    await chooseMenuCommand(browser, page, "Summarise this page");
    await expect.poll(state).toMatch(/^Done/);
    expect((await items()).join(" ")).toContain("Tomatoes");
    expect(await summary.style(".card", "width")).toBe("380px");
    expect(await summary.style(".card", "border-top-left-radius")).toBe("8px");
  });

  it("says what went wrong, and works once that is put right", async () => {
    await browser.eval("eval:clear");
    await install("page-summary");
    await visit(demo.url);
    await hasButton();
    await summary.click("Summarise");
    await expect.poll(state).toBe("It did not work");
    await expect.poll(() => summary.text()).toMatch(/No model is set up\. Add one/);
    await llm.reset(browser);
    await summary.click("Again");
    await expect.poll(state).toMatch(/^Done/);
    await expect.poll(() => summary.text()).not.toContain("No model");
  });

  it("says nothing twice when the worker is killed in the middle", async () => {
    await install("page-summary");
    await visit(demo.url);
    await hasButton();
    const gate = llm.server.gate("kill");
    llm.change(({ attempt }) => (attempt === 0 ? { gate: { gate, afterDeltas: 20 } } : {}));
    await summary.click("Summarise");
    await gate.reached;
    await expect.poll(state).toBe("Writing …");
    await browser.killWorker();
    gate.release();
    await expect.poll(state, { timeout: 20_000 }).toMatch(/^Done/);
    expect((await summary.text()).match(/Demo model/g)).toHaveLength(1);
    expect(await items()).toHaveLength(3);
  });

  it("remembers that its button was hidden; its command brings it back", async () => {
    await install("page-summary");
    await visit(demo.url);
    await hasButton();
    await summary.click("Hide the summary button");
    await expect.poll(() => summary.text()).not.toContain("Summarise");
    await page.close();
    await visit(demo.url);
    await chooseMenuCommand(browser, page, "Show the button on pages");
    await hasButton();
  });

  it("offers no button on a page with little text", async () => {
    await install("page-summary");
    await visit(servePage("<p>Nothing much.</p>"));
    // The command is there, so the script has run.
    await chooseMenuCommand(browser, page, "Summarise this page");
    await expect.poll(state).toMatch(/^Done/);
    await summary.click("Close the summary");
    await expect.poll(() => summary.text()).toBe("");
  });
});

describe("tool-calling", () => {
  let ask: ClosedShadow;
  const tools = () => ask.texts(".tool");
  const hasFocus = () => page.waitForFunction(() => document.activeElement?.localName === "moggy-ask");
  const lastAnswer = async () => (await ask.texts(".model p")).at(-1) ?? "";

  async function open(url: string): Promise<void> {
    await install("tool-calling");
    page = await browser.newPage(url);
    ask = await closedShadow(page, "moggy-ask");
    await chooseMenuCommand(browser, page, "Ask about this page");
    await hasFocus();
  }

  async function say(question: string): Promise<void> {
    const before = (await ask.texts(".tool, .model p")).length;
    await page.keyboard.type(question);
    await page.keyboard.press("Enter");
    await expect.poll(() => ask.texts("form button:not([hidden])")).toContain("Ask");
    expect((await ask.texts(".tool, .model p")).length).toBeGreaterThan(before);
  }

  it("shows each call with its arguments, and the page shows what a tool did", async () => {
    await open(demo.url);
    await say('Please highlight the phrase "kneads" on the page.');
    expect(await tools()).toEqual([
      expect.stringMatching(/^highlight_text\s+idempotent\s+phrase: "kneads"\s+→ {"highlighted":1}$/),
    ]);
    expect(await lastAnswer()).toContain("highlighted: 1");
    // In the page's own registry of highlights, which is what paints them.
    const marked = await page.evaluate(() => {
      const [range] = CSS.highlights.get("moggy-mark") ?? [];
      return range instanceof Range ? range.toString() : null;
    });
    expect(marked).toBe("kneads");
  });

  it("reads the page with tools that change nothing", async () => {
    await open(servePage(ARTICLE, { "content-security-policy": STRICT }));
    await say('Find the phrase "elder" in the text of the page.');
    expect(await tools()).toEqual([expect.stringMatching(/^find_text\s+read\s+phrase: "elder"\s+→ /)]);
    expect((await tools())[0]).toContain("Beans are planted when the elder is in bloom");
    expect(await ask.style(".card", "width")).toBe("380px");
  });

  const FORM = `<form><label>Name <input name="n"></label> <label for="c">City:</label><input id="c">
    <label>Password <input type="password"></label></form>`;

  it("fills in a field, as if it had been typed", async () => {
    await open(servePage(`${FORM}<output></output>`));
    await page.evaluate(() =>
      document.addEventListener("input", ({ target }) => {
        const output = document.querySelector("output");
        if (output && target instanceof HTMLInputElement) output.value = `typed ${target.value}`;
      }),
    );
    await say("Use fill_field with label: City and value: Oslo");
    expect((await tools())[0]).toMatch(/fill_field\s+write\s+label: "City"\s+value: "Oslo"/);
    expect(await page.inputValue("#c")).toBe("Oslo");
    expect(await page.textContent("output")).toBe("typed Oslo");
  });

  it("tells the model what a call could not find, and never offers a password field", async () => {
    await open(servePage(FORM));
    await say("Use fill_field with label: Password and value: secret");
    expect((await tools())[0]).toContain('No text field is labelled "Password". There are: Name, City.');
    expect(await lastAnswer()).toContain("reported an error");
    expect(await page.inputValue("[type=password]")).toBe("");
  });

  it("finds the conversation of the page again after a reload, and forgets it when told to", async () => {
    await open(demo.url);
    await say("Which headings does the page have? Use list_headings.");
    expect((await tools())[0]).toContain("h1: Why cats knead");
    await page.reload();
    await chooseMenuCommand(browser, page, "Ask about this page");
    await expect.poll(lastAnswer).toContain("Making a bed");
    expect(await tools()).toHaveLength(1);
    expect(llm.server.counters.chats).toBe(2);
    await ask.click("Clear");
    await expect.poll(() => ask.texts(".tool, .entry")).toEqual([]);
    await page.reload();
    await chooseMenuCommand(browser, page, "Ask about this page");
    await hasFocus();
    await say("Hello");
    expect(await ask.texts(".you p")).toEqual(["Hello"]);
  });

  it("stops in the middle of an answer", async () => {
    await open(demo.url);
    llm.change(() => ({ fault: { hangAfterDeltas: 3 } }));
    await page.keyboard.type("Hello");
    await page.keyboard.press("Enter");
    await expect.poll(lastAnswer).not.toBe("");
    await ask.click("Stop");
    await expect.poll(() => ask.texts(".note p")).toEqual(["Stopped."]);
    await expect.poll(() => llm.server.counters.aborted).toBe(1);
  });
});

it("all of them share a page, as npm start installs them, and each has its commands in the menu", async () => {
  for (const name of ["hello-agent", "page-summary", "tool-calling"]) await install(name);
  page = await browser.newPage(demo.url);
  await page.waitForFunction(() => document.documentElement.dataset.moggyDemo === "done");
  await chooseMenuCommand(browser, page, "Summarise this page");
  await chooseMenuCommand(browser, page, "Ask about this page");
  const summary = await closedShadow(page, "moggy-summary");
  const ask = await closedShadow(page, "moggy-ask");
  await expect.poll(() => summary.text()).toContain("Done");
  expect(await ask.text()).toContain("Ask about this page");
});
