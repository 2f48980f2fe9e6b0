import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser, userscript } from "./harness/browser";
import { callWorker } from "./harness/rpc";

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

async function install(name: string, code: string): Promise<string> {
  const header = { name, match: "*://*/*", grant: "GM_info" };
  return (await browser.eval<{ uuid: string }>("eval:installScript", { code: userscript(header, code) }))
    .uuid;
}

const messages = async (uuid: string) =>
  (await callWorker<Array<{ message: string }>>(browser.options, "scripts.errors", { uuid }))
    .map(({ message }) => message)
    .sort();

it("of code that a script made with eval or Function, and of promises in it, are in that script's log", async () => {
  const quiet = await install("Quiet", "");
  const uuid = await install(
    "Maker",
    `setTimeout(eval("() => { throw new Error('of eval') }"));
    setTimeout(new Function("throw new TypeError('of Function')"));
    eval("Promise.reject(new Error('of a promise'))");
    setTimeout(eval("() => { throw 'no error' }"));`,
  );
  const page = await browser.newPage(`${pages.a}/plain`);
  await expect
    .poll(() => messages(uuid))
    .toEqual([
      "Error: of eval",
      "TypeError: of Function",
      "Unhandled rejection: Error: of a promise",
      "no error",
    ]);
  expect(await messages(quiet)).toEqual([]);
  await page.close();
});

it("of the page are no script's", async () => {
  pages.serve("/throws", {
    body: `<!doctype html><script>
      addEventListener("load", () => { setTimeout(() => { throw new Error("the page's"); }); Promise.reject(new Error("the page's promise")); });
      throw new Error("the page's first");
    </script>`,
  });
  const uuid = await install(
    "Beside it",
    `addEventListener("load", () => setTimeout(() => { throw new Error("mine"); }, 100));`,
  );
  const page = await browser.newPage(`${pages.a}/throws`);
  await expect.poll(() => messages(uuid)).toEqual(["Error: mine"]);
  await page.close();
});
