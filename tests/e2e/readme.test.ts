import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { extensionUrl, launchWithExtension } from "../../scripts/lib/extension";
import { type DemoModel, startDemoModel } from "../servers/demo-model";
import { examplesOf } from "./harness/markdown-examples";

/*
 * The way from a new browser to a first script that talks to a model, as the README tells it: the build that people load, nothing but clicks.
 */
const root = resolve(import.meta.dirname, "../..");
const EXAMPLE_PAGE =
  "<!doctype html><title>Example Domain</title><h1>Example Domain</h1><p>This domain is for use in examples.</p>";

let context: BrowserContext;
let model: DemoModel;
let profile: string;

beforeAll(async () => {
  profile = await mkdtemp(join(tmpdir(), "moggy-readme-"));
  model = await startDemoModel({ delayMs: 1 });
  context = await launchWithExtension({
    executablePath: inject("chromium"),
    extension: join(root, "dist"),
    profile,
    headless: true,
  });
  // Nothing of this test leaves the machine: example.com is played.
  await context.route("https://example.com/", (route) =>
    route.fulfill({ contentType: "text/html", body: EXAMPLE_PAGE }),
  );
});
afterAll(async () => {
  await context?.close();
  await model?.close();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
});

/** Opens the page that a button of Moggy's menu leads to. */
async function fromMenu(button: string): Promise<Page> {
  const popup = await context.newPage();
  // A freshly loaded extension has its pages only a moment later.
  await expect
    .poll(() =>
      popup.goto(extensionUrl("popup.html")).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  const [opened] = await Promise.all([
    context.waitForEvent("page"),
    popup
      .getByRole("button", { name: button })
      .or(popup.getByRole("link", { name: button }))
      .click(),
  ]);
  return opened;
}

it("the README's way works: a model, a script, a page", async () => {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const [example] = examplesOf(readme, "README.md");
  const said = (words: string) => {
    expect(readme).toContain(`**${words}**`);
    return words;
  };

  const options = await fromMenu(said("Models"));
  await options.getByText(said("Add a model")).first().click();
  await options.getByLabel("Base address").fill(model.openaiBaseUrl);
  await options
    .getByRole("combobox", { name: /^Model/ })
    .or(options.getByLabel("Model", { exact: true }))
    .fill(model.model);
  await options.getByRole("button", { name: "Test", exact: true }).click();
  await options.getByText("The model answers").waitFor();
  await options.getByRole("button", { name: "Save" }).click();
  await options.getByText("was saved").first().waitFor();

  const install = await fromMenu(said("New script"));
  await install.getByRole("tab", { name: said("Paste") }).click();
  await install.getByLabel("Code of the script").fill(example?.code ?? "");
  await install.getByRole("button", { name: said("Review") }).click();
  await install.getByText("Hold conversations with your models").first().waitFor();
  await install.getByRole("button", { name: said("Install the script") }).click();
  await install.getByText("is installed").first().waitFor();

  const page = await context.newPage();
  await page.goto("https://example.com/");
  await expect
    .poll(() => page.innerText("body"), { timeout: 20_000 })
    .toMatch(/Demo model[\s\S]*This domain is for use in examples/);
});
