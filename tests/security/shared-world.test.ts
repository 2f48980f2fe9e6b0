import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser, type TestBrowser, userscript } from "../e2e/harness/browser";
import { type PageServer, startPageServer } from "../servers/pages";
import { type NeighbourReport, neighbourScript } from "./support/neighbour";
import { install, listed, REPORT, reportOf } from "./support/reports";
import { tokensOf } from "./support/stored";

/** Worlds that a document has for scripts alone; who comes after shares the default one. */
const WORLDS = 9;

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

/** Scripts that take the worlds there are. */
async function fillWorlds(grant = "GM_info"): Promise<void> {
  for (let n = 1; n <= WORLDS; n += 1) {
    await install(browser, userscript({ name: `Filler ${n}`, match: `${pages.a}/*`, grant }, ""));
  }
}

async function askNeighbour(page: Page, needles: string[]): Promise<NeighbourReport> {
  await page.evaluate(
    (detail) => document.dispatchEvent(new CustomEvent("neighbour:report", { detail })),
    JSON.stringify({ needles }),
  );
  return reportOf<NeighbourReport>(page, "neighbour");
}

describe("a hostile neighbour in a shared world", () => {
  const SECRET = "what-the-victim-keeps-9f2c";
  const VICTIM = [
    "GM_setValue",
    "GM_getValue",
    "GM.setValue",
    "GM.getValue",
    "GM.listValues",
    "GM_addValueChangeListener",
    "GM_registerMenuCommand",
    "GM_addStyle",
    "GM_log",
  ];

  it("gets neither token, nor channel, nor session, nor frame of the scripts after it", async () => {
    await fillWorlds();
    await install(browser, neighbourScript(`${pages.a}/*`));
    const victim = await install(
      browser,
      userscript(
        { name: "Victim", match: `${pages.a}/*`, grant: VICTIM, "run-at": "document-start" },
        `${REPORT}
GM_addValueChangeListener("kept", () => {});
GM_registerMenuCommand("A command", () => {});
GM_addStyle("h1 { color: teal }");
GM_setValue("kept", "${SECRET}");
const read = GM_getValue("kept");
(async () => {
  await GM.setValue("second", 2);
  report("victim", { read, later: await GM.getValue("kept"), keys: (await GM.listValues()).length });
  undefined.anErrorOfTheVictim;
})();`,
      ),
    );
    const page = await browser.newPage(`${pages.a}/plain`);
    expect(await reportOf(page, "victim")).toEqual({ read: SECRET, later: SECRET, keys: 2 });
    await expect
      .poll(async () => (await listed(browser, victim)).errors[0]?.message)
      .toMatch(/anErrorOfTheVictim/);

    const { all } = await tokensOf(browser.options);
    const report = await askNeighbour(page, [
      ...all,
      "gm.values.write",
      "gm.events.subscribe",
      "gm.menu.set",
    ]);
    // The attack was one: it saw the victim's own use of natives.
    expect(report.seen).toBeGreaterThan(50);
    expect(report.hits).toEqual([]);
    expect(report.attempts).toMatchObject({ rpc: 0, transports: 0, channels: 0 });
    // Whatever it did try went before this read: both go through the one worker.
    expect(await browser.eval("eval:values", { uuid: victim })).toEqual({ kept: SECRET, second: 2 });
    await page.close();
  });

  it("cannot redefine, replace or remove the runtime", async () => {
    await fillWorlds();
    await install(browser, neighbourScript(`${pages.a}/*`));
    const page = await browser.newPage(`${pages.a}/plain`);
    expect(await reportOf(page, "boot")).toEqual({
      assigned: false,
      redefined: false,
      madeAccessor: false,
      deleted: false,
      methodReplaced: false,
      methodAdded: false,
      prototypeSet: false,
      prototype: null,
      arguments: "TypeError",
      caller: "TypeError",
      same: true,
    });
    await page.close();
  });
});
