/**
 * Natives of the world in which a client half runs, as they were before any script of that world ran: a neighbour may patch
 * globals later, and what a script stores or receives must not pass through its hands by that.
 */
export const { parse: parseJson, stringify: toJson } = JSON;
export const {
  keys: keysOf,
  entries: entriesOf,
  fromEntries,
  getPrototypeOf,
  getOwnPropertySymbols,
  hasOwn,
  assign,
} = Object;
export const { isArray } = Array;
export const { isView } = ArrayBuffer;
export const {
  Map: NativeMap,
  Set: NativeSet,
  Uint8Array: NativeUint8Array,
  Blob: NativeBlob,
  Response: NativeResponse,
  TextDecoder: NativeTextDecoder,
  URL: NativeURL,
} = globalThis;

const toStringOf = Function.prototype.call.bind(Object.prototype.toString) as (value: unknown) => string;

/** The built-in kind of a value, such as "Map" or "Uint8Array"; "Object" for everything else. */
export function tagOf(value: unknown): string {
  return toStringOf(value).slice(8, -1);
}
