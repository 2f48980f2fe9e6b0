import { afterAll, beforeAll, expect, it } from "vitest";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser, userscript } from "./harness/browser";

let browser: TestBrowser;
let pages: PageServer;

beforeAll(async () => {
  [browser, pages] = await Promise.all([launchBrowser(), startPageServer()]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close()]);
});

it("scripts, their values and their order outlive the browser; also in the tab that it opens with", async () => {
  for (const letter of ["A", "B"]) {
    await browser.eval("eval:installScript", {
      code: userscript(
        { name: letter, match: "*://*/*", grant: ["GM.getValue", "GM.setValue"] },
        `(async () => {
          const n = (await GM.getValue("n", 0)) + 1;
          await GM.setValue("n", n);
          document.documentElement.dataset.seen = (document.documentElement.dataset.seen ?? "") + "${letter}" + n;
        })();`,
      ),
    });
  }
  const page = await browser.newPage(`${pages.a}/plain`);
  const seen = (p: typeof page) => p.evaluate(() => document.documentElement.dataset.seen ?? "");
  await expect.poll(() => seen(page)).toHaveLength(4);
  const { profile } = browser;
  await browser.close({ keepProfile: true });
  browser = await launchBrowser({ profile });

  // This tab's renderer may be older than the extension's start; its worlds need messaging all the same.
  const first = browser.context.pages()[0] ?? (await browser.newPage());
  await first.goto(`${pages.a}/plain`);
  await expect.poll(() => seen(first)).toHaveLength(4);
  expect([await seen(first)].map((s) => [...s].sort().join(""))).toEqual(["22AB"]);
});
