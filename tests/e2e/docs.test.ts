import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { conversationOptions, turnInput } from "@/agent/contract/conversation";
import { models as words } from "@/locales/en/models";
import { PRESETS } from "@/pages/options/models/presets";
import { KNOWN_GRANTS } from "@/userscripts/grants";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser } from "./harness/browser";
import { type DemoLlm, startDemoLlm } from "./harness/demo-llm";
import { type Example, examplesOf, type Step } from "./harness/markdown-examples";
import { chooseMenuCommand } from "./harness/popup";

/*
 * The documentation says what is true: each example in it is installed as it stands there, run, and does what its text says; each link leads
 * somewhere. The examples are written for example.com; here that name stands for a page of the test server.
 */
const root = resolve(import.meta.dirname, "../..");
const DOCUMENTS = ["README.md", "docs/scripting-api.md"];
const EXAMPLE_SITE = "*://example.com/*";
const PAGE = `<!doctype html><html lang="en"><title>Example Domain</title>
<script>fetch("/plain");</script>
<h1>Example Domain</h1><p>This domain is for use in examples.</p><p><a href="#more">More information …</a></p>
<p>Three more <a href="#1">words</a>.</p></html>`;

const all = await Promise.all(
  DOCUMENTS.map(async (file) => ({
    file,
    examples: examplesOf(await readFile(join(root, file), "utf8"), file),
  })),
);

let browser: TestBrowser;
let pages: PageServer;
let llm: DemoLlm;

beforeAll(async () => {
  [browser, pages, llm] = await Promise.all([launchBrowser(), startPageServer(), startDemoLlm()]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close(), llm?.server.close()]);
});
beforeEach(async () => {
  await browser.eval("eval:clear");
  // The examples say what happens when the person says no.
  await browser.eval("eval:policy", { confirm: "deny" });
  await llm.reset(browser);
  pages.reset();
  pages.serve("/", { body: PAGE });
});

async function run({ code, steps }: Example): Promise<void> {
  expect(code).toContain(EXAMPLE_SITE);
  const { warnings } = await browser.eval<{ warnings: string[] }>("eval:installScript", {
    code: code.replaceAll(EXAMPLE_SITE, "http://127.0.0.1/*"),
  });
  // A reader who copies it is not to be told that it is badly written. (A version is left out on purpose.)
  expect(warnings.filter((text) => !/^(warning\.agent|version\.missing)/.test(text))).toEqual([]);
  for (const step of steps) if (step.do === "model") llm.change(() => step.turn);
  const page = await browser.newPage();
  try {
    const consoleTexts: string[] = [];
    page.on("console", (message) => consoleTexts.push(message.text()));
    await page.goto(`${pages.a}/`);
    for (const step of steps) await take(step, page, consoleTexts);
    const scripts = await browser.eval<Array<{ errors: unknown[] }>>("eval:scripts");
    expect(scripts.map(({ errors }) => errors)).toEqual([[]]);
  } finally {
    await page.close();
  }
}

async function take(step: Step, page: Page, consoleTexts: string[]): Promise<void> {
  const shown = async () => (await page.evaluate(() => document.body.innerText)).replace(/\s+/g, " ");
  switch (step.do) {
    case "page":
      await expect.poll(shown, { timeout: 20_000 }).toContain(step.text);
      break;
    case "once":
      expect((await shown()).split(step.text)).toHaveLength(2);
      break;
    case "console":
      await expect.poll(() => consoleTexts.join("\n")).toContain(step.text);
      break;
    case "menu":
      await chooseMenuCommand(browser, page, step.title);
      break;
    case "reload":
      await page.reload();
      break;
    case "reload until":
      await expect
        .poll(
          async () => {
            await page.reload({ waitUntil: "load" });
            return shown();
          },
          { interval: 200, timeout: 20_000 },
        )
        .toContain(step.text);
      break;
    case "kill":
      await llm.server.gate(step.gate).reached;
      expect(await browser.killWorker()).toBe(true);
      llm.server.gate(step.gate).release();
      break;
    case "model":
      break;
  }
}

describe.each(all)("$file", ({ file, examples }) => {
  it.each(examples.map((example) => [example.title, example] as const))("%s", (_title, example) =>
    run(example),
  );

  it("has an expectation for every example", () => {
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.filter(({ steps }) => steps.length === 0).map(({ title }) => title)).toEqual([]);
    expect(new Set(examples.map(({ title }) => title)).size, `names of scripts in ${file}`).toBe(
      examples.length,
    );
  });
});

it("the scripting guide has an example of everything that can be granted", async () => {
  const text = await readFile(join(root, "docs/scripting-api.md"), "utf8");
  const granted = new Set(examplesOf(text, "").flatMap(({ grants }) => grants));
  // The two forms are one function; GM_info needs no grant, and none is the absence of all.
  const nameOf = (grant: string) => grant.replace(/^GM[_.]/, "").toLowerCase();
  const shown = new Set([...granted].map(nameOf));
  const wanted = [...KNOWN_GRANTS].filter((grant) => !["none", "GM_info", "GM.info"].includes(grant));
  expect(wanted.filter((grant) => !shown.has(nameOf(grant)))).toEqual([]);
  expect(
    wanted.filter((grant) => !text.includes(grant.replace(/^GM\./, "GM_")) && !text.includes(grant)),
  ).toEqual([]);
});

it("the scripting guide names every option of a conversation and of a turn", async () => {
  const text = await readFile(join(root, "docs/scripting-api.md"), "utf8");
  // Those of a turn that a script does not pass itself.
  const own = ["conversationId", "turnId", "content", "cursor"];
  const options = [...Object.keys(conversationOptions.shape), ...Object.keys(turnInput.shape)];
  expect(options.filter((name) => !own.includes(name) && !text.includes(`\`${name}\``))).toEqual([]);
});

it("the models page has every preset, and every diagnosis in the words of the test", async () => {
  const text = await readFile(join(root, "docs/models.md"), "utf8");
  const titles = Object.entries(words).filter(([key]) => /^models\.diagnosis\.[^.]+$/.test(key));
  expect(titles.length).toBeGreaterThan(5);
  expect(titles.filter(([, title]) => !text.includes(`| ${title} |`))).toEqual([]);
  expect(
    PRESETS.filter(({ apiBaseUrl, name }) => !text.includes(apiBaseUrl) || !text.includes(name)),
  ).toEqual([]);
});

it("links in the documentation lead somewhere", async () => {
  const documents = ["README.md", ...(await readdir(join(root, "docs"))).map((name) => `docs/${name}`)];
  const broken: string[] = [];
  for (const file of documents.filter((name) => name.endsWith(".md"))) {
    const text = await readFile(join(root, file), "utf8");
    const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)].map(
      (found) => found[1] ?? found[2] ?? "",
    );
    for (const link of links.filter((each) => !/^https?:/.test(each))) {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? join(root, file) : join(root, dirname(file), path);
      if (!existsSync(target)) broken.push(`${file}: ${link}`);
      else if (anchor && !anchorsOf(await readFile(target, "utf8")).has(anchor))
        broken.push(`${file}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});

/** The anchors that GitHub makes of headings. */
function anchorsOf(markdown: string): Set<string> {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) => text);
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}
