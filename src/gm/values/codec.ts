import {
  getPrototypeOf,
  isArray,
  isNotANumber,
  isView,
  keysOf,
  NativeArrayBuffer,
  NativeBigInt,
  NativeDate,
  NativeMap,
  NativeRegExp,
  NativeSet,
  NativeUint8Array,
  parseJson,
  tagOf,
  toJson,
} from "../natives";

/*
 * Stored values as text. The format is that of the `devalue` package (a JSON array in which composite values name the places of
 * their parts), so tools can read what is stored; the package itself would take half of the space that code beside
 * scripts may have. The tests hold both against each other.
 *
 * Kept: null, undefined, booleans, strings, all numbers, bigint, plain objects (also without prototype), arrays (holes too), Date,
 * RegExp, Map, Set, ArrayBuffer, typed arrays, DataView; shared parts and cycles. Anything else is refused with its path, since
 * JSON's way, to store `{}` in its place, loses data without a word.
 */

const UNDEFINED = -1;
const NAN = -3;
const POSITIVE_INFINITY = -4;
const NEGATIVE_INFINITY = -5;
const NEGATIVE_ZERO = -6;
const SPARSE = -7;
const HOLE = -2;

/** Levels of nesting that are kept; deeper values could be written but not always read back. */
const MAX_DEPTH = 1000;
/** Characters of one encoded value: old and new value together must fit in one message between contexts (64 MiB). */
export const MAX_TEXT = 15 * 1024 * 1024;

/**
 * Encodes a value as text.
 * @param label how the value is named in errors, such as `the value "k"`
 * @throws TypeError for what cannot be kept, naming label and path; RangeError for what is too large
 */
export function encode(value: unknown, label: string): string {
  const slots: string[] = [];
  const seen = new NativeMap<unknown, number>();
  const path: string[] = [];

  const refuse = (what: string): never => {
    const at = path.join("");
    throw new TypeError(
      `Cannot store ${label}: ${at ? `it has ${what} at "${at.replace(/^\./, "")}"` : `it is ${what}`}. Store plain data instead.`,
    );
  };

  const child = (key: string, part: unknown): number => {
    path[path.length] = key;
    if (path.length > MAX_DEPTH) {
      throw new TypeError(`Cannot store ${label}: it is nested deeper than ${MAX_DEPTH} levels.`);
    }
    const index = flatten(part);
    path.length -= 1;
    return index;
  };

  const flatten = (thing: unknown): number => {
    if (thing === undefined) return UNDEFINED;
    if (typeof thing === "number") {
      if (isNotANumber(thing)) return NAN;
      if (thing === Infinity) return POSITIVE_INFINITY;
      if (thing === -Infinity) return NEGATIVE_INFINITY;
      if (thing === 0 && 1 / thing < 0) return NEGATIVE_ZERO;
    }
    const known = seen.get(thing);
    if (known !== undefined) return known;
    const index = slots.length;
    seen.set(thing, index);
    slots[index] = "";
    slots[index] = describe(thing);
    return index;
  };

  const describe = (thing: unknown): string => {
    if (typeof thing === "function") return refuse("a function");
    if (typeof thing === "symbol") return refuse("a symbol");
    if (typeof thing === "bigint") return `["BigInt","${thing}"]`;
    if (typeof thing !== "object" || thing === null) return toJson(thing);
    if (isArray(thing)) return describeArray(thing);
    const tag = tagOf(thing);
    // Prototypes between the value and null: 1 for plain objects, 2 for a Map and the like, 3 for a typed array.
    let depth = 0;
    for (let p: unknown = getPrototypeOf(thing); p !== null; p = getPrototypeOf(p as object)) depth += 1;
    if (isView(thing) && depth === (tag === "DataView" ? 2 : 3)) return describeView(tag, thing);
    if (depth === 2) {
      if (tag === "Date") {
        return `["Date","${isNotANumber((thing as Date).getTime()) ? "" : (thing as Date).toISOString()}"]`;
      }
      if (tag === "RegExp") {
        const { source, flags } = thing as RegExp;
        return `["RegExp",${toJson(source)},"${flags}"]`;
      }
      if (tag === "Map") {
        let text = '["Map"';
        (thing as Map<unknown, unknown>).forEach((part, key) => {
          text += `,${child(".key", key)},${child(".value", part)}`;
        });
        return `${text}]`;
      }
      if (tag === "Set") {
        let text = '["Set"';
        (thing as Set<unknown>).forEach((part) => {
          text += `,${child(".value", part)}`;
        });
        return `${text}]`;
      }
      if (tag === "ArrayBuffer")
        return `["ArrayBuffer","${toBase64(new NativeUint8Array(thing as ArrayBuffer))}"]`;
    }
    if (depth > 1 || tag !== "Object")
      return refuse(`${/^[AEIOU]/.test(tag) ? "an" : "a"} ${className(thing, tag)}`);
    return describeObject(thing as Record<string, unknown>, depth === 0);
  };

  const describeArray = (array: unknown[]): string => {
    const keys = keysOf(array);
    const sparse = keys.length < array.length;
    let text = sparse ? `[${SPARSE},${array.length}` : "[";
    for (const key of keys) {
      // Named properties of an array, such as those of a match of a regular expression, are left out, as JSON does.
      if (`${Number(key) >>> 0}` !== key) break;
      const part = child(`[${key}]`, array[Number(key)]);
      text += sparse ? `,${key},${part}` : key === "0" ? part : `,${part}`;
    }
    return `${text}]`;
  };

  const describeObject = (object: Record<string, unknown>, bare: boolean): string => {
    if (Object.getOwnPropertySymbols(object).length > 0) return refuse("an object with symbols as keys");
    let text = bare ? '["null"' : "{";
    let first = true;
    for (const key of keysOf(object)) {
      if (key === "__proto__") return refuse('an object with the key "__proto__"');
      const part = child(`.${key}`, object[key]);
      text += bare ? `,${toJson(key)},${part}` : `${first ? "" : ","}${toJson(key)}:${part}`;
      first = false;
    }
    return text + (bare ? "]" : "}");
  };

  const describeView = (tag: string, view: ArrayBufferView): string => {
    if (tagOf(view.buffer) !== "ArrayBuffer") return refuse("shared memory");
    const { buffer, byteOffset, byteLength } = view;
    // Only what the view shows is kept: a few bytes of a large buffer must not cost the whole of it.
    const bytes =
      byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
    return `["${tag}",${flatten(bytes)}]`;
  };

  const root = flatten(value);
  const text = root < 0 ? `${root}` : `[${slots.join(",")}]`;
  if (text.length > MAX_TEXT) {
    throw new RangeError(
      `Cannot store ${label}: it is ${text.length} characters when encoded, and ${MAX_TEXT} is the most for one value.`,
    );
  }
  return text;
}

function className(thing: object, tag: string): string {
  const name: unknown = (thing as { constructor?: { name?: unknown } }).constructor?.name;
  return typeof name === "string" && name !== "" && name !== tag ? `${tag} of the class ${name}` : tag;
}

/**
 * Decodes what {@link encode} made; each call gives a fresh copy.
 * @throws SyntaxError or TypeError when the text was not made by it
 */
export function decode(text: string): unknown {
  const slots: unknown = parseJson(text);
  if (typeof slots === "number") return sentinel(slots);
  if (!isArray(slots) || slots.length === 0) throw malformed();
  const made = new NativeMap<number, unknown>();

  const hydrate = (index: unknown): unknown => {
    if (typeof index !== "number") throw malformed();
    if (index < 0) return sentinel(index);
    if (!(index in slots)) throw malformed();
    if (made.has(index)) return made.get(index);
    const slot: unknown = slots[index];
    const keep = <T>(value: T): T => {
      made.set(index, value);
      return value;
    };
    if (typeof slot !== "object" || slot === null) return keep(slot);
    if (!isArray(slot)) {
      // The parsed object itself becomes the value: its keys are its own already, so no setter of a prototype can be hit.
      const object = keep(slot as Record<string, unknown>);
      for (const key of keysOf(object)) object[key] = hydrate(object[key]);
      return object;
    }
    if (typeof slot[0] === "string") return revive(slot[0], slot, keep);
    if (slot[0] === SPARSE) {
      const array = keep([] as unknown[]);
      // Touching a far place first makes it a sparse array, so that a false length cannot claim memory.
      array[4294967294] = 0;
      array.length = 0;
      array.length = slot[1] as number;
      for (let i = 2; i < slot.length; i += 2) array[slot[i] as number] = hydrate(slot[i + 1]);
      return array;
    }
    const array = keep(slot as unknown[]);
    for (let i = 0; i < array.length; i += 1) {
      if (array[i] === HOLE) delete array[i];
      else array[i] = hydrate(array[i]);
    }
    return array;
  };

  const revive = (type: string, slot: readonly unknown[], keep: <T>(value: T) => T): unknown => {
    const [, first, second] = slot;
    if (type === "Date") return keep(new NativeDate(first as string));
    if (type === "RegExp") return keep(new NativeRegExp(first as string, second as string | undefined));
    if (type === "BigInt") return keep(NativeBigInt(first as string));
    if (type === "ArrayBuffer") return keep(fromBase64(first as string));
    if (type === "Map") {
      const map = keep(new NativeMap<unknown, unknown>());
      for (let i = 1; i < slot.length; i += 2) map.set(hydrate(slot[i]), hydrate(slot[i + 1]));
      return map;
    }
    if (type === "Set") {
      const set = keep(new NativeSet<unknown>());
      for (let i = 1; i < slot.length; i += 1) set.add(hydrate(slot[i]));
      return set;
    }
    if (type === "null") {
      const bare = keep(Object.create(null) as Record<string, unknown>);
      for (let i = 1; i < slot.length; i += 2) bare[slot[i] as string] = hydrate(slot[i + 1]);
      return bare;
    }
    const View = VIEWS.get(type);
    const buffer = View && hydrate(first);
    if (!View || !(buffer instanceof NativeArrayBuffer)) throw malformed();
    return keep(new View(buffer, second as number | undefined, slot[3] as number | undefined));
  };

  return hydrate(0);
}

function sentinel(index: number): unknown {
  if (index === UNDEFINED) return undefined;
  if (index === NAN) return Number.NaN;
  if (index === POSITIVE_INFINITY) return Infinity;
  if (index === NEGATIVE_INFINITY) return -Infinity;
  if (index === NEGATIVE_ZERO) return -0;
  throw malformed();
}

function malformed(): TypeError {
  return new TypeError("A stored value is damaged and cannot be read. Set it again, or delete it.");
}

type ViewConstructor = new (buffer: ArrayBuffer, offset?: number, length?: number) => ArrayBufferView;

/** By name; Float16Array is not in every engine that runs this code. */
const VIEWS = new NativeMap<string, ViewConstructor>();
for (const name of "Int8 Uint8 Uint8Clamped Int16 Uint16 Int32 Uint32 Float16 Float32 Float64 BigInt64 BigUint64".split(
  " ",
)) {
  const found: unknown = (globalThis as Record<string, unknown>)[`${name}Array`];
  if (found) VIEWS.set(`${name}Array`, found as ViewConstructor);
}
VIEWS.set("DataView", DataView);

const { atob: base64ToBinary, btoa: binaryToBase64 } = globalThis;

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  // In steps, since a call takes only so many arguments.
  for (let i = 0; i < bytes.length; i += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return binaryToBase64(binary);
}

function fromBase64(text: string): ArrayBuffer {
  const binary = base64ToBinary(text);
  const bytes = new NativeUint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer as ArrayBuffer;
}
