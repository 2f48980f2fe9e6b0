import { apply, dataProperty, defineProperty } from "@/rpc/natives";

/**
 * Natives of the world in which a client half runs, as they were before any script of that world ran. A world can be shared, and a
 * neighbour may patch what it likes later: what a script stores, reads or receives must not pass through its hands by that. So the
 * code that handles it uses these, and neither array methods nor iteration. (What a script stores as a Map, Set or Date is
 * read and rebuilt by their own methods, which such a neighbour can see.)
 */
export { create, fifo, SafeMap, SafeWeakMap, safePromise } from "@/rpc/natives";
export const { parse: parseJson, stringify: toJson } = JSON;
export const {
  keys: keysOf,
  entries: entriesOf,
  assign,
  getPrototypeOf,
  getOwnPropertySymbols,
  hasOwn,
  is,
} = Object;
export const { isArray } = Array;
export const { isView } = ArrayBuffer;
export const {
  Blob: NativeBlob,
  Response: NativeResponse,
  TextDecoder: NativeTextDecoder,
  Uint8Array: NativeUint8Array,
  URL: NativeURL,
  atob: base64ToBinary,
  btoa: binaryToBase64,
  queueMicrotask: later,
} = globalThis;

const toStringOf = Object.prototype.toString;
const { slice: sliceOf, includes: includesOf } = String.prototype;

/** The built-in kind of a value, such as "Map" or "Uint8Array"; "Object" for everything else. */
export function tagOf(value: unknown): string {
  return apply(sliceOf, apply(toStringOf, value, []), [8, -1]);
}

/** The first `most` characters of a text. */
export function first(most: number, text: string): string {
  return apply(sliceOf, text, [0, most]);
}

/** Sets an own property as an assignment would, whatever setters there are on prototypes; also to add to a list. */
export function put<T extends object>(target: T, key: keyof T, value: T[keyof T]): void {
  defineProperty(target, key, dataProperty(value, true));
}

export function has(text: string, part: string): boolean {
  return apply(includesOf, text, [part]);
}

/** Calls `take` for each item, without the list's own methods and iteration (so take lists apart by index, too). */
export function each<T>(list: readonly T[], take: (item: T) => unknown): void {
  for (let i = 0; i < list.length; i += 1) take(list[i] as T);
}

/** A new list of what `make` gives for each item, made without the list's own methods and iteration. */
export function eachOf<T, R>(list: readonly T[], make: (item: T) => R): R[] {
  const made: R[] = [];
  each(list, (item) => put(made, made.length, make(item)));
  return made;
}
