/**
 * Natives of the world in which a client half runs, as they were before any script of that world ran: a neighbour may patch
 * globals later, and what a script stores or receives must not pass through its hands by that.
 */
export const { parse: parseJson, stringify: toJson } = JSON;
export const { keys: keysOf, getPrototypeOf } = Object;
export const { isArray } = Array;
export const { isNaN: isNotANumber } = Number;
export const { isView } = ArrayBuffer;
export const NativeArrayBuffer = ArrayBuffer;
export const NativeUint8Array = Uint8Array;
export const NativeMap = Map;
export const NativeSet = Set;
export const NativeDate = Date;
export const NativeRegExp = RegExp;
export const NativeBigInt = BigInt;
const toStringOf = Function.prototype.call.bind(Object.prototype.toString) as (value: unknown) => string;

/** The built-in kind of a value, such as "Map" or "Uint8Array"; "Object" for everything else. */
export function tagOf(value: object): string {
  return toStringOf(value).slice(8, -1);
}
