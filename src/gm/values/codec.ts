import {
  base64ToBinary,
  binaryToBase64,
  getOwnPropertySymbols,
  getPrototypeOf,
  has,
  hasOwn,
  is,
  isArray,
  isView,
  keysOf,
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

/** Levels of nesting that are kept. */
const MAX_DEPTH = 1000;
/** Characters of one encoded value: old and new value together must fit in one message between contexts (64 MiB). */
export const MAX_TEXT = 15 * 1024 * 1024;
/** Places of a list that is mostly empty: written one by one, a far element would make gigabytes. */
const MAX_SPARSE = 9999;

/**
 * Encodes a value as text.
 * @param label how the value is named in errors, such as `the value "k"`
 * @throws TypeError for what cannot be kept, naming label and place; RangeError for what is too large
 */
export function encode(value: unknown, label: string): string {
  const text = write(value, label, "", null);
  if (text.length > MAX_TEXT) {
    throw new RangeError(
      `Cannot store ${label}: it has ${text.length} characters as text, and ${MAX_TEXT} are possible.`,
    );
  }
  return text;
}

/** The composite values around a part, innermost first. */
interface Around {
  part: object;
  around: Around | null;
  level: number;
}

function write(part: unknown, label: string, at: string, around: Around | null): string {
  if (part === null || typeof part === "string" || typeof part === "boolean") return toJson(part);
  if (typeof part === "number" && part - part === 0 && !is(part, -0)) return `${part}`;
  const kind = tagOf(part);
  const refuse = (why: string): never => {
    throw new TypeError(`Cannot store ${label}: ${at ? `"${at}" in it` : "it"} ${why}. Store plain data.`);
  };
  const of = (payload: string) => `{"${KIND}":"${kind}","v":${payload}}`;

  if (typeof part === "number" || typeof part === "bigint") return of(is(part, -0) ? '"-0"' : `"${part}"`);
  if (part === undefined) return of("0");
  for (let outer = around; outer; outer = outer.around)
    if (outer.part === part) return refuse("contains itself");
  const level = (around?.level ?? 0) + 1;
  if (level > MAX_DEPTH) return refuse("is nested too deeply");
  const inner = (value: unknown, key = at) =>
    write(value, label, key, { part: part as object, around, level });

  // Prototypes up to null: one for plain objects, two for a Map and the like, three for a typed array. More is a class of its own.
  let depth = -1;
  for (let proto = part; proto !== null; proto = getPrototypeOf(proto)) depth += 1;
  if (typeof part === "object") {
    if (isArray(part) && depth === 2) {
      if (part.length > MAX_SPARSE && keysOf(part).length < part.length / 2)
        return refuse("is a list of mostly nothing");
      let text = "[";
      for (let i = 0; i < part.length; i += 1) text += (i ? "," : "") + inner(part[i], `${i}`);
      return `${text}]`;
    }
    if (kind === "Object" && depth < 2 && getOwnPropertySymbols(part).length === 0) {
      const text = writeObject(part, inner);
      return hasOwn(part, KIND) ? of(text) : text;
    }
    if (isView(part)) {
      const { buffer, byteOffset, byteLength } = part;
      if (depth === 3 && READERS[kind] && tagOf(buffer) === "ArrayBuffer") {
        return of(toBase64(new NativeUint8Array(buffer, byteOffset, byteLength)));
      }
    } else if (depth === 2) {
      if (kind === "Date") return of(inner((part as Date).getTime()));
      if (kind === "RegExp") return of(inner([(part as RegExp).source, (part as RegExp).flags]));
      if (kind === "Map" || kind === "Set") return of(inner([...(part as Set<unknown>)]));
      if (kind === "ArrayBuffer") return of(toBase64(new NativeUint8Array(part as ArrayBuffer)));
    }
  }
  const name = (part as { constructor?: { name?: string } }).constructor?.name ?? kind;
  return refuse(`is of type ${kind}${name === kind ? "" : ` (${name})`}`);
}

function writeObject(object: object, inner: (value: unknown, key: string) => string): string {
  const keys = keysOf(object);
  let text = "{";
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] as string;
    text += `${i ? "," : ""}${toJson(key)}:${inner((object as Record<string, unknown>)[key], key)}`;
  }
  return `${text}}`;
}

/**
 * Decodes what {@link encode} made; each call gives a fresh copy.
 * @throws SyntaxError or TypeError when the text was not made by it
 */
export function decode(text: string): unknown {
  const value: unknown = parseJson(text);
  return has(text, `"${KIND}"`) ? read(value) : value;
}

function read(part: unknown, plain = false): unknown {
  if (typeof part !== "object" || part === null) return part;
  if (!plain && !isArray(part) && hasOwn(part, KIND)) return revive(part as Record<string, unknown>);
  const holder = part as Record<string, unknown>;
  const keys = keysOf(part);
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] as string;
    // The key is its own already, so this meets no setter of a prototype.
    holder[key] = read(holder[key]);
  }
  return part;
}

function revive(holder: Record<string, unknown>): unknown {
  const kind = holder[KIND] as string;
  const make = READERS[kind];
  if (make) return make(read(holder.v, kind === "Object") as never);
  throw new TypeError("A stored value is damaged and cannot be read. Set it again, or delete it.");
}

/** What makes a value of each kind from its payload. */
const READERS: Record<string, ((payload: never) => unknown) | undefined> = {
  __proto__: null as never,
  Object: (plain: object) => plain,
  Undefined: () => undefined,
  Number,
  BigInt,
  Date: (time: number) => new Date(time),
  RegExp: ({ 0: source, 1: flags }: [string, string]) => new RegExp(source, flags),
  Map: (entries: [unknown, unknown][]) => new Map(entries),
  Set: (values: unknown[]) => new Set(values),
  ArrayBuffer: fromBase64,
};

for (const View of [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  // Not in every engine that runs this code.
  (globalThis as { Float16Array?: typeof Float32Array }).Float16Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
])
  if (View) READERS[View.name] = (text: string) => new View(fromBase64(text));

/** As a JSON string. */
function toBase64(bytes: Uint8Array): string {
  let binary = "";
  // In steps, since a call takes only so many arguments.
  for (let i = 0; i < bytes.length; i += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return `"${binaryToBase64(binary)}"`;
}

function fromBase64(text: string): ArrayBuffer {
  return NativeUint8Array.from(base64ToBinary(text), (char) => char.charCodeAt(0)).buffer as ArrayBuffer;
}
