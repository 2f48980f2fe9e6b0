import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser } from "./harness/browser";
import { installProbe, probe, probeReady, tellProbe } from "./harness/probe";
import { registeredRevision, storedRevision } from "./harness/registered";

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

const ALL = [
  "getValue",
  "setValue",
  "deleteValue",
  "listValues",
  "getValues",
  "setValues",
  "deleteValues",
  "addValueChangeListener",
  "removeValueChangeListener",
].flatMap((name) => [`GM_${name}`, `GM.${name}`]);

const open = () => browser.newPage(`${pages.a}/plain`);
/** Reloads once what is stored is registered too, so that a synchronous read at document-start has to show it. */
async function reloadWhenRegistered(page: Page, uuid: string): Promise<void> {
  await expect.poll(() => registeredRevision(browser, uuid)).toBe(await storedRevision(browser, uuid));
  await page.reload();
}
const stored = (uuid: string) => browser.eval<Record<string, unknown>>("eval:values", { uuid });

describe("what can be kept", () => {
  it("C053 falsy values are values: the default is only for keys that are not there", async () => {
    const uuid = await installProbe(browser, "p", { grant: ALL });
    const page = await open();
    await probe(
      page,
      "p",
      `await GM.setValues({ no: false, zero: 0, empty: "", nothing: null, undef: undefined })`,
    );
    const read = `[
      show(GM_getValues({ no: 1, zero: 1, empty: 1, nothing: 1, undef: 1, absent: "default" })),
      show(["no", "zero", "empty", "nothing", "undef", "absent"].map((key) => GM_getValue(key, "default"))),
      show([await GM.getValue("no", "default"), await GM.getValue("nothing", "default"), await GM.getValue("absent", "default"), await GM.getValue("absent")]),
      show((await GM.listValues()).sort()),
    ]`;
    const right = [
      'Object{no:false,zero:0,empty:"",nothing:null,undef:undefined,absent:"default"}',
      '[false,0,"",null,undefined,"default"]',
      '[false,null,"default",undefined]',
      '["empty","no","nothing","undef","zero"]',
    ];
    expect(await probe(page, "p", `return ${read}`)).toEqual(right);
    await reloadWhenRegistered(page, uuid);
    expect(await probe(page, "p", `return ${read}`)).toEqual(right);
    await page.close();
  });

  it("C055 what JSON has no form for survives, also the synchronous read at document-start after a reload", async () => {
    const uuid = await installProbe(
      browser,
      "p",
      { grant: ALL },
      `const atStart = show(GM_getValue("all", "nothing"));`,
    );
    const page = await open();
    const shown = await probe<string>(
      page,
      "p",
      `const all = {
        date: new Date(1234567890123), broken: new Date(NaN), re: /a[\\/]b/giu, nan: NaN, inf: -Infinity, zero: -0, big: 2n ** 70n,
        undef: undefined, inList: [undefined, NaN, , new Date(5)], map: new Map([["k", new Set([1, NaN])], [{ a: 1 }, null]]),
        bytes: new Uint8Array([1, 2, 255]), part: new Uint8Array([9, 8, 7, 6]).subarray(1, 3), floats: new Float64Array([1.5, -0]),
        buffer: new Uint16Array([258]).buffer, "~": "a key of the encoding itself", deep: { "~": { "~": new Map() } }, text: "\\ud800 \\u2028 🐱",
      };
      await GM.setValue("all", all);
      return show(all);`,
    );
    const right = shown.replace("[undefined,NaN,,", "[undefined,NaN,undefined,");
    expect(right).toContain("Date(1234567890123)");
    expect(await probe(page, "p", `return show(await GM.getValue("all"))`)).toBe(right);
    expect(await probe(page, "p", `return show(GM_getValue("all"))`)).toBe(right);
    await reloadWhenRegistered(page, uuid);
    expect(await probe(page, "p", `return atStart`)).toBe(right);
    await page.close();
  });

  it("C055 what cannot be kept is refused, by name and place, and nothing of it is stored", async () => {
    const uuid = await installProbe(browser, "p", { grant: ALL });
    const page = await open();
    await probe(page, "p", `await GM.setValue("k", "before")`);
    const refused = await probe<string[]>(
      page,
      "p",
      `const circle = { name: "circle" }; circle.self = circle;
      const circularMap = new Map(); circularMap.set("me", circularMap);
      const bad = [
        () => {}, { inner: { run() {} } }, circle, circularMap, document.body, window, Symbol("s"), [Symbol("s")],
        new WeakMap(), Promise.resolve(1), new Error("e"), new (class Point { x = 1 })(), new Blob(["b"]), new Proxy(() => {}, {}),
      ];
      const told = [];
      for (const value of bad) {
        for (const set of [() => GM_setValue("k", value), () => GM.setValue("k", value), () => GM_setValues({ other: 1, k: value })]) {
          try { told.push("kept: " + show(await set())); } catch (error) { told.push(error.name + ": " + error.message); }
        }
      }
      return told;`,
    );
    expect(refused).toHaveLength(14 * 3);
    for (const told of refused) expect(told).toMatch(/^TypeError: Cannot store the value "k": .+\./s);
    expect(refused[3]).toContain('"run" in it');
    expect(refused[6]).toMatch(/contains itself|circular/);
    expect(refused.join("\n")).toMatch(/HTMLBodyElement/);
    expect(refused.join("\n")).toMatch(/Point/);
    expect(
      await probe(page, "p", `return [GM_getValue("k"), GM_getValue("other"), await GM.getValue("k")]`),
    ).toEqual(["before", null, "before"]);
    expect(await stored(uuid)).toEqual({ k: "before" });
    await page.close();
  });

  it("keys are keys, whatever they spell", async () => {
    const uuid = await installProbe(browser, "p", { grant: ALL });
    const page = await open();
    const keys = ["__proto__", "constructor", "toString", "", "~", "键 🐱", "a\u0000b"];
    await probe(
      page,
      "p",
      `for (const key of ${JSON.stringify(keys)}) GM_setValue(key, { key }); await GM.setValue("last", 1)`,
    );
    await reloadWhenRegistered(page, uuid);
    const read = await probe<unknown[]>(
      page,
      "p",
      `const keys = ${JSON.stringify(keys)};
      return [GM_listValues().sort(), keys.map((key) => GM_getValue(key).key), ({}).key ?? "clean", GM_getValue("hasOwnProperty", "none")]`,
    );
    expect(read).toEqual([[...keys, "last"].sort(), keys, "clean", "none"]);
    await page.close();
  });
});

/** Remembers in `heard` what a listener on the key "k" is told. */
const LISTEN = `const heard = [];
const listener = GM_addValueChangeListener("k", (name, before, after, remote) => {
  heard.push([name, show(before), show(after), remote]);
  if (globalThis.resets && remote) GM_setValue("k", "idle");
});
GM_getValue("k");`;

const heardBy = (page: Page) => probe<unknown[]>(page, "p", "return heard");

describe("across tabs", () => {
  it("C056 every change is heard with its remote flag, also when the listener resets the value, also from tabs that close", async () => {
    await installProbe(browser, "p", { grant: ALL }, LISTEN);
    const listening = await open();
    await probe(listening, "p", `globalThis.resets = true; await GM.setValue("k", "idle")`);
    for (const word of ["first", "second"]) {
      const other = await open();
      await probe(other, "p", `await GM.setValue("k", ${JSON.stringify(word)})`);
      await other.close();
      await expect.poll(() => heardBy(listening)).toContainEqual(["k", `"${word}"`, '"idle"', false]);
    }
    expect(await heardBy(listening)).toEqual([
      ["k", "undefined", '"idle"', false],
      ["k", '"idle"', '"first"', true],
      ["k", '"first"', '"idle"', false],
      ["k", '"idle"', '"second"', true],
      ["k", '"second"', '"idle"', false],
    ]);
    await listening.close();
  });

  it("C056 a listener is woken when the worker died since, and one that was removed is not told", async () => {
    await installProbe(browser, "p", { grant: ALL }, LISTEN);
    const listening = await open();
    const deaf = await open();
    await probe(listening, "p", `await GM.setValue("k", 1)`);
    await expect.poll(() => heardBy(deaf)).toHaveLength(1);
    await probe(deaf, "p", `GM_removeValueChangeListener(listener)`);
    for (const value of [2, 3]) {
      expect(await browser.killWorker()).toBe(true);
      const other = await open();
      await probe(other, "p", `await GM.setValue("k", ${value})`);
      await other.close();
      await expect.poll(() => heardBy(listening)).toContainEqual(["k", `${value - 1}`, `${value}`, true]);
    }
    expect(await heardBy(listening)).toHaveLength(3);
    expect(await heardBy(deaf)).toHaveLength(1);
    await Promise.all([listening.close(), deaf.close()]);
  });

  it("C058 a synchronous read in an open page shows what another tab wrote or deleted", async () => {
    await installProbe(browser, "p", { grant: ALL });
    const reading = await open();
    const read = () => probe(reading, "p", `return [GM_getValue("k", "none"), GM_listValues()]`);
    expect(await read()).toEqual(["none", []]);
    const other = await open();
    await probe(other, "p", `await GM.setValue("k", "new")`);
    await expect.poll(read).toEqual(["new", ["k"]]);
    await probe(other, "p", `await GM.setValues({ k: "newer", l: 1 })`);
    await expect.poll(read).toEqual(["newer", ["k", "l"]]);
    await probe(other, "p", `await GM.deleteValue("k")`);
    await expect.poll(read).toEqual(["none", ["l"]]);
    // The promise form asks the worker, so it needs no wait.
    await probe(other, "p", `await GM.setValue("k", "last")`);
    expect(await probe(reading, "p", `return GM.getValue("k")`)).toBe("last");
    await Promise.all([reading.close(), other.close()]);
  });

  it("C058 also after the worker died, and when the tab lay in the background", async () => {
    await installProbe(browser, "p", { grant: ALL });
    const reading = await open();
    expect(await probe(reading, "p", `return GM_getValue("k", "none")`)).toBe("none");
    await browser.killWorker();
    const other = await open();
    await other.bringToFront();
    await probe(other, "p", `await GM.setValue("k", "new")`);
    await expect.poll(() => probe(reading, "p", `return GM_getValue("k")`)).toBe("new");
    await Promise.all([reading.close(), other.close()]);
  });

  it("two scripts never see each other's values, though they use the same keys", async () => {
    const first = await installProbe(browser, "p", { grant: ALL }, LISTEN);
    const second = await installProbe(browser, "q", { grant: ALL }, LISTEN);
    const page = await open();
    await probe(page, "p", `await GM.setValue("k", "p's")`);
    await probe(page, "q", `await GM.setValues({ k: "q's", own: 1 })`);
    await reloadWhenRegistered(page, first);
    await reloadWhenRegistered(page, second);
    for (const name of ["p", "q"]) {
      expect(await probe(page, name, `return [GM_getValue("k"), await GM.getValue("k")]`)).toEqual([
        `${name}'s`,
        `${name}'s`,
      ]);
    }
    await probe(page, "q", `await GM.deleteValues(await GM.listValues())`);
    expect(await stored(first)).toEqual({ k: "p's" });
    expect(await stored(second)).toEqual({});
    expect(await heardBy(page)).toEqual([]);
    await page.close();
  });
});

describe("writing", () => {
  it("C059 writes after a deletion of all keys stay", async () => {
    const uuid = await installProbe(browser, "p", { grant: ALL });
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
    await reloadWhenRegistered(page, uuid);
    const right = Object.fromEntries([...Array(50).keys()].map((i) => [`k${i}`, i * 2]));
    expect(await probe(page, "p", "return GM_getValues()")).toEqual({ a: "back", ...right });
    expect(await stored(uuid)).toEqual({ a: "back", ...right });
    await page.close();
  });

  it("a value written right before its tab closes, or as the page is left, is there", async () => {
    const uuid = await installProbe(
      browser,
      "p",
      { grant: ALL },
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

  it("a page reloaded in the turn of a write shows the write, at the latest from its first contact with the worker", async () => {
    const uuid = await installProbe(
      browser,
      "p",
      { grant: ALL },
      `const atStart = GM_getValue("k", -1);
      const told = [];
      GM_addValueChangeListener("k", (_name, before, after) => told.push([before, after]));`,
    );
    const page = await open();
    let early = 0;
    for (let i = 0; i < 10; i++) {
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
    console.log(`written and reloaded in one turn: ${early} of 10 documents had the write at document-start`);
    expect(await stored(uuid)).toEqual({ k: 9 });
    await page.close();
  });

  it("1,000 writes in a row are durable, in their order, though the worker dies after them", async () => {
    const uuid = await installProbe(browser, "p", { grant: ALL });
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
    const uuid = await installProbe(browser, "p", { grant: ALL });
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
