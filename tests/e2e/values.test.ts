import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser } from "./harness/browser";
import { installProbe, probe } from "./harness/probe";
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
    await reloadWhenRegistered(browser, page, uuid);
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
    await reloadWhenRegistered(browser, page, uuid);
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
    await reloadWhenRegistered(browser, page, uuid);
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
    await reloadWhenRegistered(browser, page, first);
    await reloadWhenRegistered(browser, page, second);
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
