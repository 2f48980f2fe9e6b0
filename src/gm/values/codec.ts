import {
  entriesOf,
  fromEntries,
  getOwnPropertySymbols,
  getPrototypeOf,
  hasOwn,
  isArray,
  isView,
  keysOf,
  NativeMap,
  NativeSet,
  NativeUint8Array,
  parseJson,
  tagOf,
  toJson,
} from "../natives";

/*
 * Stored values as text: JSON, in which `{ "~": kind, "v": payload }` stands for what JSON has no form for. A plain object that has a
 * key "~" itself is written that way too. (The `devalue` package would do, but takes half of the room that all code beside
 * scripts may have.)
 *
 * Kept: null, undefined, booleans, strings, all numbers, bigint, arrays (holes become undefined), plain objects, Date, RegExp, Map,
 * Set, ArrayBuffer, typed arrays. Anything else is refused, since JSON's own way, to store `{}` in its place, loses data
 * without a word. Parts that occur twice are stored twice; what contains itself is refused.
 */
const KIND = "~";

/** Characters of one encoded value: old and new value together must fit in one message between contexts (64 MiB). */
export const MAX_TEXT = 15 * 1024 * 1024;

/**
 * Encodes a value as text.
 * @param label how the value is named in errors, such as `the value "k"`
 * @throws TypeError for what cannot be kept, naming label and place; RangeError for what is too large
 */
export function encode(value: unknown, label: string): string {
  let text: string;
  try {
    // What counts is the value itself, not what its toJSON, which JSON calls first, made of it.
    text = toJson(value, function (this: Record<string, unknown>, key) {
      return pack(this[key], key);
    });
  } catch (error) {
    const reason =
      error instanceof RangeError ? "it is nested too deeply, or contains itself" : (error as Error).message;
    throw new TypeError(`Cannot store ${label}: ${reason}. Store plain data.`, { cause: error });
  }
  if (text.length > MAX_TEXT) {
    throw new RangeError(
      `Cannot store ${label}: it has ${text.length} characters as text, and ${MAX_TEXT} are possible.`,
    );
  }
  return text;
}

/** What JSON shall write in place of a part; it then does the same with what is in that. */
function pack(part: unknown, key: string): unknown {
  const of = (kind: string, payload: unknown) => ({ [KIND]: kind, v: payload });
  const kind = tagOf(part);
  if (part === undefined) return { [KIND]: kind };
  if (typeof part === "number" && (!Number.isFinite(part) || Object.is(part, -0))) {
    return of(kind, Object.is(part, -0) ? "-0" : `${part}`);
  }
  if (typeof part === "bigint") return of(kind, `${part}`);
  if (typeof part === "object" && part !== null) {
    // Prototypes up to null: one for plain objects, two for a Map and the like, three for a typed array. More is a class of its own.
    let depth = -1;
    for (let proto: unknown = part; proto !== null; proto = getPrototypeOf(proto)) depth += 1;
    const packed = packObject(part, kind, depth, of);
    if (packed) return packed;
  } else if (typeof part !== "function" && typeof part !== "symbol") return part;
  const name = (part as { constructor?: { name?: string } }).constructor?.name ?? kind;
  throw new TypeError(
    `${key ? `"${key}" in it` : "it"} is of type ${kind}${name === kind ? "" : ` (${name})`}`,
  );
}

function packObject(
  part: object,
  kind: string,
  depth: number,
  of: (kind: string, payload: unknown) => object,
): object | undefined {
  if (isArray(part)) {
    // JSON would write a long list of nothing for a single far element.
    return depth === 2 && (part.length < 9999 || keysOf(part).length > part.length / 2) ? part : undefined;
  }
  if (kind === "Object" && depth < 2 && getOwnPropertySymbols(part).length === 0) {
    return hasOwn(part, KIND) ? of(kind, entriesOf(part)) : part;
  }
  if (isView(part)) {
    const { buffer, byteOffset, byteLength } = part;
    if (depth !== 3 || !VIEWS.has(kind) || tagOf(buffer) !== "ArrayBuffer") return undefined;
    return of(kind, toBase64(new NativeUint8Array(buffer, byteOffset, byteLength)));
  }
  if (depth !== 2) return undefined;
  if (kind === "Date") return of(kind, (part as Date).getTime());
  if (kind === "RegExp") return of(kind, [(part as RegExp).source, (part as RegExp).flags]);
  if (kind === "Map" || kind === "Set") return of(kind, [...(part as Set<unknown>)]);
  if (kind === "ArrayBuffer") return of(kind, toBase64(new NativeUint8Array(part as ArrayBuffer)));
  return undefined;
}

/**
 * Decodes what {@link encode} made; each call gives a fresh copy.
 * @throws SyntaxError or TypeError when the text was not made by it
 */
export function decode(text: string): unknown {
  const value: unknown = parseJson(text);
  return text.includes(`"${KIND}"`) ? unpack(value) : value;
}

function unpack(part: unknown): unknown {
  if (typeof part !== "object" || part === null) return part;
  const holder = part as Record<string, unknown>;
  if (isArray(part) || !hasOwn(part, KIND)) {
    // In place: the keys are its own already, so no setter of a prototype can be hit.
    for (const key of keysOf(part)) holder[key] = unpack(holder[key]);
    return part;
  }
  const kind = holder[KIND] as string;
  const payload = unpack(holder.v) as never;
  switch (kind) {
    case "Undefined":
      return undefined;
    case "Number":
      return Number(payload);
    case "BigInt":
      return BigInt(payload);
    case "Object":
      return fromEntries(payload);
    case "Date":
      return new Date(payload);
    case "RegExp":
      return new RegExp(payload[0], payload[1]);
    case "Map":
      return new NativeMap(payload);
    case "Set":
      return new NativeSet(payload);
    case "ArrayBuffer":
      return fromBase64(payload);
  }
  const View = VIEWS.get(kind);
  if (View) return new View(fromBase64(payload));
  throw new TypeError("A stored value is damaged and cannot be read. Set it again, or delete it.");
}

type View = new (buffer: ArrayBuffer) => ArrayBufferView;

/** By name; Float16Array is not in every engine that runs this code. */
const VIEWS = new NativeMap<string, View>();
for (const name of "Int8,Uint8,Uint8Clamped,Int16,Uint16,Int32,Uint32,Float16,Float32,Float64,BigInt64,BigUint64".split(
  ",",
)) {
  const found = (globalThis as unknown as Record<string, View | undefined>)[`${name}Array`];
  if (found) VIEWS.set(`${name}Array`, found);
}

const { atob: base64ToBinary, btoa: binaryToBase64 } = globalThis;

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  // In steps, since a call takes only so many arguments.
  for (let i = 0; i < bytes.length; i += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return binaryToBase64(binary);
}

function fromBase64(text: string): ArrayBuffer {
  return NativeUint8Array.from(base64ToBinary(text), (char) => char.charCodeAt(0)).buffer as ArrayBuffer;
}
