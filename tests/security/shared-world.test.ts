import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser, type TestBrowser, userscript } from "../e2e/harness/browser";
import { type PageServer, startPageServer } from "../servers/pages";
import { type NeighbourReport, neighbourScript } from "./support/neighbour";
import { callAsPage } from "./support/own-page-rpc";
import { install, listed, REPORT, reportOf } from "./support/reports";
import { tokensOf } from "./support/stored";

/** Worlds that a document has for scripts alone; who comes after shares the default one. */
const WORLDS = 9;
/** Ordinary scripts beside those with far-reaching powers. */
const ORDINARY = 4;

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
const read = GM_getValue("kept") === "${SECRET}";
(async () => {
  await GM.setValue("second", 2);
  report("victim", { read, later: (await GM.getValue("kept")) === "${SECRET}", keys: (await GM.listValues()).length });
  undefined.anErrorOfTheVictim;
})();`,
      ),
    );
    const page = await browser.newPage(`${pages.a}/plain`);
    expect(await reportOf(page, "victim")).toEqual({ read: true, later: true, keys: 2 });
    await expect
      .poll(async () => (await listed(browser, victim)).errors[0]?.message)
      .toMatch(/anErrorOfTheVictim/);

    const { all } = await tokensOf(browser.options);
    const report = await askNeighbour(page, [
      ...all,
      SECRET,
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

describe("scripts with far-reaching powers", () => {
  interface Seen {
    name: string;
    /** Scripts that ran before it in the same world. */
    before: string[];
  }
  const SIGN = `globalThis.guests ??= [];
document.documentElement.dataset[GM_info.script.name] = JSON.stringify({ name: GM_info.script.name, before: [...globalThis.guests] });
globalThis.guests.push(GM_info.script.name);`;

  it.each([WORLDS, WORLDS + 2])(
    "%i of them: each has its world to itself, or does not run and says so",
    async (count) => {
      const sensitive = [
        "GM_xmlhttpRequest",
        "CAT.agent.conversation",
        "GM.xmlHttpRequest",
        "CAT.agent.model",
      ];
      const installed: string[] = [];
      for (let n = 0; n < count; n += 1) {
        // The ordinary ones come first: they have worlds, and have to leave them.
        const plain = n < ORDINARY ? [["plain", "GM_getValue"]] : [];
        for (const [kind, grant] of [...plain, ["strong", sensitive[n % sensitive.length]]]) {
          const name = `${kind}${n}`;
          await install(browser, userscript({ name, match: `${pages.a}/*`, grant: grant ?? "" }, SIGN));
          installed.push(name);
        }
      }
      const answer = await callAsPage(browser.options, "scripts.list");
      const homeless = (answer.v as Array<{ name: string; notices: Array<{ code: string }> }>)
        .filter(({ notices }) => notices.some(({ code }) => code === "notice.homeless"))
        .map(({ name }) => name);
      const page = await browser.newPage(`${pages.a}/plain`);
      const seen = async () =>
        Object.values(await page.evaluate(() => ({ ...document.documentElement.dataset }))).map(
          (text) => JSON.parse(text ?? "null") as Seen,
        );
      // Nobody is left out without a word.
      await expect
        .poll(async () => [...(await seen()).map(({ name }) => name), ...homeless].sort())
        .toEqual([...installed].sort());
      const all = await seen();
      const isStrong = (name: string) => name.startsWith("strong");
      for (const { name, before } of all) {
        expect([name, isStrong(name) ? before : before.filter(isStrong)]).toEqual([name, []]);
      }
      expect(all.filter(({ name }) => isStrong(name)).length).toBeGreaterThanOrEqual(Math.min(count, WORLDS));
      await page.close();
    },
  );
});
