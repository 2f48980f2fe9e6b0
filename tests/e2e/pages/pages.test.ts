import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { extensionUrl, launchBrowser, type TestBrowser, userscript } from "../harness/browser";
import { chooseMenuCommand, tabOf } from "../harness/popup";

/** A page to run scripts on, which also serves a script to be fetched. */
let server: Server;
let origin: string;
let browser: TestBrowser;
/** What any of our pages complained about: nothing may be blocked by their own policy, or thrown. */
const complaints: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === "/served.user.js") {
      response.setHeader("content-type", "text/javascript");
      response.end(
        userscript({ name: "Served", match: `${origin}/*`, grant: "none" }, "window.served = true;"),
      );
    } else {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><title>page</title><h1>A page</h1>");
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

async function open(path: string): Promise<Page> {
  const page = await browser.newPage();
  page.on("pageerror", (error) => complaints.push(`${path} threw: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${path}: ${message.text()}`);
  });
  await page.goto(extensionUrl(path));
  return page;
}

describe("pages of the extension", () => {
  it("install a pasted script, which then runs, and whose error leads to its line", async () => {
    const page = await open("options.html");
    await page.getByRole("link", { name: "Paste code" }).click();
    const code = userscript(
      { name: "Pasted", match: `${origin}/*`, grant: ["GM_registerMenuCommand", "GM_addStyle"] },
      [
        'GM_registerMenuCommand("Mark the page", () => { document.title = "marked"; });',
        "function fail() {",
        '  throw new TypeError("no good");',
        "}",
        "fail();",
      ].join("\n"),
    );
    await page.getByLabel("Code of the script").fill(code);
    await page.getByRole("button", { name: "Review" }).click();
    await page.getByText("Add commands to Moggy’s popup").waitFor();
    await page.getByRole("button", { name: "Install the script" }).click();
    await page.getByRole("link", { name: "Open its page" }).click();

    const visited = await browser.newPage(origin);
    await page.bringToFront();
    // The log is read while it is watched: the error arrives by itself.
    await page.getByRole("tab", { name: /Log/ }).click();
    await page.getByText("TypeError: no good").first().waitFor();
    const line = code.split("\n").findIndex((text) => text.includes("no good")) + 1;
    await page.getByRole("link", { name: `Show line ${line}` }).click();
    await page.waitForURL(`**/code/${line}`);
    await page.getByText('throw new TypeError("no good");').waitFor();
    await visited.close();
    await page.close();
  });

  it("fetch a script from an address, compare it with the installed one, and update", async () => {
    const page = await open(`install.html#url=${encodeURIComponent(`${origin}/served.user.js`)}`);
    await page.getByText(`From ${new URL(origin).host}`).waitFor();
    await page.getByRole("button", { name: "Install the script" }).click();
    await page.getByText("“Served” is installed").waitFor();

    const again = await open("install.html#paste");
    const header = { name: "Served", match: `${origin}/*`, grant: "none", version: "1.1" };
    await again.getByLabel("Code of the script").fill(userscript(header, "window.served = 2;"));
    await again.getByRole("button", { name: "Review" }).click();
    await again.getByText("Version 1.0 is installed; this is 1.1").waitFor();
    await again.getByText("2 lines added, 2 removed").waitFor();
    await again.getByRole("button", { name: "Update the script" }).click();
    await again.getByText("“Served” is updated").waitFor();
    await page.close();
    await again.close();
  });

  it("read a script from a file", async () => {
    const page = await open("install.html#file");
    const path = join(browser.profile, "from-file.user.js");
    await writeFile(path, userscript({ name: "From file", match: `${origin}/*`, grant: "none" }, ""));
    await page.locator("input[type=file]").setInputFiles(path);
    await page.getByText("From the file from-file.user.js").waitFor();
    await page.close();
  });

  it("follow changes across a death of the worker, and undo a removal", async () => {
    const page = await open("options.html#/scripts");
    const served = page.getByRole("link", { name: "Served", exact: true });
    await served.waitFor();
    expect(await browser.killWorker()).toBe(true);
    const code = userscript({ name: "Late", match: `${origin}/*`, grant: "none" }, "");
    await browser.eval("eval:installScript", { code });
    await page.getByRole("link", { name: "Late", exact: true }).waitFor();

    await page.getByRole("button", { name: "More actions for Served" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await served.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await served.waitFor();
    await page.close();
  });

  it("show in the popup what runs on the page, run its command, and switch it off", async () => {
    const visited = await browser.newPage(origin);
    await chooseMenuCommand(browser, visited, "Mark the page");
    await visited.waitForFunction(() => document.title === "marked");

    const tab = await tabOf(browser, visited);
    const popup = await browser.newPage();
    await popup.addInitScript((found) => {
      Object.defineProperty(chrome.tabs, "query", { value: async () => [found] });
    }, tab);
    await popup.goto(extensionUrl("popup.html"));
    await popup.getByRole("heading", { name: new URL(origin).host }).waitFor();
    await popup.getByRole("switch", { name: "Switch Pasted off" }).click();
    await popup.getByText("Reload the page to see the change.").waitFor();
    const scripts = await browser.eval<Array<{ name: string; enabled: boolean }>>("eval:scripts");
    expect(scripts.find(({ name }) => name === "Pasted")?.enabled).toBe(false);
    await popup.close();
    await visited.close();
  });

  it("keep an API key out of every page", async () => {
    const page = await open("options.html#/models/new");
    await page.getByLabel("Base address").fill(`${origin}/v1`);
    await page.getByLabel("API key").fill("sk-very-secret-key-9876");
    await page.getByLabel("Model", { exact: true }).fill("none");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Key ends in 9876").waitFor();
    await page.getByRole("link", { name: "none", exact: true }).click();
    await page.getByText("A key that ends in 9876 is stored.").waitFor();
    // The page holds a website, no model server; the diagnosis says so, and still no key.
    await page.getByRole("button", { name: "Test" }).click();
    await page.getByText("There is a website at this address, not a model server").waitFor();
    const all = await page.evaluate(
      () => document.documentElement.outerHTML + JSON.stringify({ ...localStorage }),
    );
    expect(all).not.toContain("very-secret");
    await page.close();
  });

  it("speak Chinese and turn dark for good", async () => {
    const page = await open("options.html#/about");
    await page.getByRole("combobox", { name: "Language" }).selectOption("zh-CN");
    await page.getByRole("heading", { name: "关于" }).waitFor();
    await page.getByRole("combobox", { name: "主题" }).selectOption("dark");
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    await page.close();
    const next = await open("install.html");
    await next.getByRole("heading", { name: "安装脚本" }).waitFor();
    expect(await next.evaluate(() => document.documentElement.lang)).toBe("zh-CN");
    const ground = await next.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(ground).toBe("rgb(23, 22, 20)");
    await browser.eval("eval:setSettings", { patch: { language: "en", theme: "system" } });
    await next.close();
  });

  it("say on every surface that the browser's switch is off", async () => {
    const settings = await browser.newPage("chrome://extensions");
    const allow = (userScriptsAccess: boolean) =>
      settings.evaluate(
        `chrome.developerPrivate.updateExtensionConfiguration({ extensionId: "${new URL(extensionUrl("")).host}", userScriptsAccess: ${userScriptsAccess} })`,
      );
    await allow(false);
    try {
      for (const path of ["options.html#/scripts", "options.html#/models", "install.html", "popup.html"]) {
        const page = await open(path);
        await page.getByText("User scripts are switched off in the browser").waitFor();
        await page.getByRole("button", { name: "Open extension settings" }).waitFor();
        await page.close();
      }
    } finally {
      await allow(true);
      await settings.close();
    }
  });

  it("are blocked in nothing by their own policy, and throw nothing", () => {
    expect(complaints).toEqual([]);
  });
});
