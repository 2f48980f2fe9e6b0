import { probe } from "../../tests/e2e/harness/probe";
import { COMMANDS, KEEPER } from "./keeper";
import type { Area } from "./stage";

/** A value of every kind that can be kept, as code. */
const VALUES = `{
  nothing: null, missing: undefined, yes: true, no: false, zero: 0, minusZero: -0, pi: 3.141592653589793, largest: Number.MAX_VALUE,
  notANumber: NaN, endless: -Infinity, big: 12345678901234567890123n, empty: "", text: "Grüße, 世界 🐱\\n\\u0000\\u2028", half: "\\ud83d",
  list: [1, "two", [3, [null, undefined]], , { five: 5 }], plain: { a: 1, "b c": { "": [] }, __proto__x: 1 },
  tilde: { "~": "Date", v: 1 }, date: new Date(1700000000123), noDate: new Date(NaN), pattern: /a\\/[b"]+ü/giu,
  map: new Map([["k", new Set([1, "1", 1n])], [{ o: 1 }, new Map()]]), set: new Set([[], {}, undefined]),
  buffer: new Uint8Array([0, 1, 127, 128, 255]).buffer, int8: new Int8Array([-128, 127]), uint8: new Uint8Array([0, 255]),
  clamped: new Uint8ClampedArray([0, 255]), int16: new Int16Array([-32768, 32767]), uint16: new Uint16Array([65535]),
  int32: new Int32Array([-2147483648]), uint32: new Uint32Array([4294967295]), float32: new Float32Array([0.5, NaN]),
  float64: new Float64Array([-0, 1e308]), bigInt64: new BigInt64Array([-1n]), bigUint64: new BigUint64Array([2n ** 64n - 1n]),
  "key with \\u{1F431} and \\u0000": "odd key", large: "Moggy ".repeat(20000),
}`;

/** Texts of the stored values, read as scripts read them. Long ones are told by length and ends. */
export const READ_VALUES = `const told = {};
for (const key of (await GM.listValues()).sort()) {
  const text = show(await GM.getValue(key));
  told[key] = text.length > 200 ? text.length + " characters: " + text.slice(0, 20) + "…" + text.slice(-20) : text;
}
return told;`;

/** Values of one script, and the commands that it puts into the menu. */
export const valuesArea: Area = {
  name: "values",
  session: "first",
  async fill(stage) {
    const page = await stage.openKeeper();
    await probe(page, KEEPER, `await GM.setValues(${VALUES})`);
    const values = await probe<Record<string, string>>(page, KEEPER, READ_VALUES);
    await page.close();
    return { values, commands: COMMANDS };
  },
};
