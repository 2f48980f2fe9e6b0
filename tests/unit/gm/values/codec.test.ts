import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, encode, MAX_TEXT } from "@/gm/values/codec";

const roundTrip = (value: unknown) => decode(encode(value, "the value"));

/** Everything that the codec promises to keep, nested in every way. */
const kept = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constantFrom(undefined, null, true, false, 0, -0, Number.NaN, Infinity, -Infinity),
    fc.double(),
    fc.integer(),
    fc.bigInt(),
    fc.string({ unit: "binary" }),
    fc.date({ noInvalidDate: false }),
    fc.uint8Array(),
    fc.float64Array(),
    fc.bigInt64Array(),
    fc.constantFrom(/a/g, /[<"\\]\/\u2028/u),
    fc.array(tie("value")),
    fc.array(fc.tuple(tie("value"), tie("value"))).map((pairs) => new Map(pairs)),
    fc.array(tie("value")).map((items) => new Set(items)),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("~", "v", "__proto__", "toJSON", "")), tie("value"), {
      noNullPrototype: true,
    }),
  ),
}));

describe("codec of stored values", () => {
  it("gives back what it was given", () => {
    fc.assert(
      fc.property(kept.value, (value) => {
        expect(roundTrip(value)).toStrictEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  it("reads nothing out of damaged text but an error", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        try {
          decode(text);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
    for (const bad of ['{"~":1}', '{"~":"Nope"}', '[{"~":"Float8Array","v":"AA=="}]', "", "{"]) {
      expect(() => decode(bad), bad).toThrow();
    }
  });

  it("is plain JSON for plain data, so that tools can read it", () => {
    const plain = { a: [1, "<b>", null, true], "": { c: -1.5 } };
    expect(encode(plain, "it")).toBe(JSON.stringify(plain));
  });

  it("stores what occurs twice twice, holes as undefined, and does not ask toJSON", () => {
    const part = { n: 1 };
    const copy = roundTrip([part, part]) as object[];
    expect(copy).toStrictEqual([{ n: 1 }, { n: 1 }]);
    expect(copy[0]).not.toBe(copy[1]);
    // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested.
    expect(roundTrip([1, , 3])).toStrictEqual([1, undefined, 3]);
    expect(roundTrip(Object.assign(Object.create(null), { a: 1 }))).toStrictEqual({ a: 1 });
    expect(roundTrip({ at: new Date(Number.NaN) })).toStrictEqual({ at: new Date(Number.NaN) });
  });

  it("stores of a view only what it shows", () => {
    const view = new Uint8Array(new ArrayBuffer(1_000_000), 10, 4);
    view.set([1, 2, 3, 4]);
    expect(encode(view, "v").length).toBeLessThan(100);
    expect(roundTrip(view)).toStrictEqual(Uint8Array.of(1, 2, 3, 4));
  });

  it("C055 refuses what cannot be kept, with the way to it, and never hangs", () => {
    class Money {
      amount = 1;
    }
    class Named extends Map {}
    const refused: Array<[unknown, RegExp]> = [
      [() => 1, /the value "k": it is of type Function/],
      [{ a: { b: { tick: () => 1 } } }, /: "tick" in it is of type Function/],
      [{ toJSON: () => 1 }, /"toJSON" in it is of type Function/],
      [Symbol("s"), /it is of type Symbol/],
      [{ a: { [Symbol("s")]: 1 } }, /"a" in it is of type Object/],
      [new Money(), /type Object \(Money\)/],
      [new Named(), /type Map \(Named\)/],
      [class {}, /type Function/],
      [new Error("e"), /type Error/],
      [new WeakMap(), /WeakMap/],
      [Promise.resolve(), /Promise/],
      [Object("boxed"), /type String/],
      [new SharedArrayBuffer(1), /SharedArrayBuffer/],
      [new Uint8Array(new SharedArrayBuffer(1)), /Uint8Array/],
      [new DataView(new ArrayBuffer(1)), /DataView/],
      [new Map([[{}, new Set([() => 1])]]), /type Function/],
    ];
    for (const [value, words] of refused) {
      expect(() => encode(value, 'the value "k"'), String(words)).toThrow(words);
      expect(() => encode(value, 'the value "k"'), String(words)).toThrow(TypeError);
    }
    const circular: Record<string, unknown> = {};
    circular.self = { circular };
    circular.too = { circular };
    const holder = new Map();
    holder.set("self", holder);
    let deep: unknown = 0;
    for (let i = 0; i < 100_000; i += 1) deep = [deep];
    const far: unknown[] = [];
    far[4_000_000_000] = 1;
    for (const value of [circular, holder, deep, far]) {
      expect(() => encode(value, 'the value "k"')).toThrow(/Cannot store the value "k": /);
      expect(() => encode(value, 'the value "k"')).toThrow(TypeError);
    }
    let allowed: unknown = 0;
    for (let i = 0; i < 1000; i += 1) allowed = { allowed };
    expect(roundTrip(allowed)).toStrictEqual(allowed);
  });

  it("refuses a value that no message could carry, by size", () => {
    expect(() => encode("x".repeat(MAX_TEXT), "it")).toThrow(RangeError);
  });
});
