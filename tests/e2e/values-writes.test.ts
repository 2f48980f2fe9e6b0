import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser } from "./harness/browser";
import { installProbe, probe, probeReady, tellProbe } from "./harness/probe";
import { reloadWhenRegistered } from "./harness/registered";

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

const GRANT = ["getValue", "setValue", "deleteValue", "listValues", "getValues", "setValues", "deleteValues"]
  .flatMap((name) => [`GM_${name}`, `GM.${name}`])
  .concat("GM_addValueChangeListener");

const open = () => browser.newPage(`${pages.a}/plain`);
const stored = (uuid: string) => browser.eval<Record<string, unknown>>("eval:values", { uuid });

describe("writing", () => {
  it("C059 writes after a deletion of all keys stay", async () => {
    const uuid = await installProbe(browser, "p", { grant: GRANT });
    const page = await open();
    await probe(
      page,
      "p",
      `GM_setValues({ a: 1, b: 2, c: 3 });
      for (const key of GM_listValues()) GM_deleteValue(key);
      for (let i = 0; i < 50; i++) GM_setValue("k" + i, i);
      GM_deleteValues(GM_listValues());
      for (let i = 0; i < 50; i++) GM_setValue("k" + i, i * 2);
      await GM.setValue("a", "back");`,
    );
    await reloadWhenRegistered(browser, page, uuid);
    const right = Object.fromEntries([...Array(50).keys()].map((i) => [`k${i}`, i * 2]));
    expect(await probe(page, "p", "return GM_getValues()")).toEqual({ a: "back", ...right });
    expect(await stored(uuid)).toEqual({ a: "back", ...right });
    await page.close();
  });

  it("a value written right before its tab closes, or as the page is left, is there", async () => {
    const uuid = await installProbe(
      browser,
      "p",
      { grant: GRANT },
      `if (location.hash.startsWith("#leave")) addEventListener("pagehide", () => GM_setValue(location.hash.slice(1), "left"));`,
    );
    const opener = await browser.newPage(`${pages.b}/plain`);
    for (let i = 0; i < 5; i++) {
      const [closing] = await Promise.all([
        browser.context.waitForEvent("page"),
        opener.evaluate((url) => void window.open(url), `${pages.a}/plain`),
      ]);
      await probeReady(closing, "p");
      const closed = closing.waitForEvent("close");
      // In one turn: nothing waits for the write.
      await Promise.all([
        tellProbe(closing, "p", `GM_setValue("close${i}", "closed"); window.close();`),
        closed,
      ]);
      const leaving = await browser.newPage(`${pages.a}/plain#leave${i}`);
      await probeReady(leaving, "p");
      await leaving.goto(`${pages.a}/page/next`);
      await leaving.close();
    }
    const right = Object.fromEntries(
      [...Array(5).keys()].flatMap((i) => [
        [`close${i}`, "closed"],
        [`leave${i}`, "left"],
      ]),
    );
    await expect.poll(() => stored(uuid)).toEqual(right);
    await opener.close();
  });

  // On this machine's own server, and on one that answers as late as servers elsewhere do.
  it.each(["/plain", "/slow?ms=100"])(
    "%s reloaded in the turn of a write shows the write, at the latest from its first contact with the worker",
    async (path) => {
      const uuid = await installProbe(
        browser,
        "p",
        { grant: GRANT },
        `const atStart = GM_getValue("k", -1);
        const told = [];
        GM_addValueChangeListener("k", (_name, before, after) => told.push([before, after]));`,
      );
      const page = await browser.newPage(`${pages.a}${path}`);
      let early = 0;
      for (let i = 0; i < 10; i++) {
        await probeReady(page, "p");
        await Promise.all([
          page.waitForEvent("load"),
          tellProbe(page, "p", `GM_setValue("k", ${i}); location.reload();`),
        ]);
        await expect.poll(() => probe(page, "p", `return GM_getValue("k")`)).toBe(i);
        // What the document did not know at its start it hears as a change, and only that.
        const [atStart, told] = await probe<[number, unknown[]]>(page, "p", "return [atStart, told]");
        expect(told).toEqual(atStart === i ? [] : [[atStart === -1 ? null : atStart, i]]);
        if (atStart === i) early += 1;
      }
      console.log(`${path}: ${early} of 10 documents had the write of the turn before at document-start`);
      expect(await stored(uuid)).toEqual({ k: 9 });
      await page.close();
    },
  );

  it("1,000 writes in a row are durable, in their order, though the worker dies after them", async () => {
    const uuid = await installProbe(browser, "p", { grant: GRANT });
    const page = await open();
    await probe(page, "p", `await GM.setValue("warm", 1)`);
    const took = await probe<number>(
      page,
      "p",
      `const start = performance.now();
      for (let i = 0; i < 999; i++) GM_setValue("k" + (i % 500), i);
      await GM.setValue("k499", "last");
      return performance.now() - start;`,
    );
    console.log(`1,000 GM_setValue in a row: ${took.toFixed(0)} ms until durable`);
    await browser.killWorker();
    const values = await stored(uuid);
    expect(Object.keys(values)).toHaveLength(501);
    expect([values.k0, values.k498, values.k499]).toEqual([500, 998, "last"]);
    expect(took).toBeLessThan(5_000);
    await page.close();
  });

  it("writes that the worker's death interrupts are stored once and in order", async () => {
    const uuid = await installProbe(browser, "p", { grant: GRANT });
    const page = await open();
    const writing = probe<string>(
      page,
      "p",
      `for (let i = 0; i < 300; i++) {
        GM_setValue("count", i);
        if (i % 10 === 0) await GM.setValue("step", i);
      }
      return "done " + (await GM.getValue("count"));`,
    );
    await expect.poll(async () => (await stored(uuid)).step ?? -1).toBeGreaterThan(-1);
    await browser.killWorker();
    expect(await writing).toBe("done 299");
    expect(await stored(uuid)).toEqual({ count: 299, step: 290 });
    await page.close();
  });
});
