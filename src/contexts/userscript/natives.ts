/**
 * Natives as they were before any script of this world ran. Worlds can be shared, and a neighbour may patch what it likes
 * later: whatever handles a token or another script's frames uses these.
 */
export const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;
export const { freeze, create } = Object;
export const parseJson = JSON.parse;

/** A Map whose methods cannot be replaced by patching Map.prototype. */
export const SafeMap = hardened(class SafeMap<K, V> extends Map<K, V> {}, Map.prototype);

// biome-ignore lint/suspicious/noExplicitAny: the bound of a constructor; no value of this type is read.
function hardened<C extends abstract new (...args: any[]) => object>(subclass: C, parent: object): C {
  for (const key of Reflect.ownKeys(parent)) {
    const descriptor = getOwnPropertyDescriptor(parent, key);
    if (descriptor && key !== "constructor") defineProperty(subclass.prototype, key, descriptor);
  }
  Object.setPrototypeOf(subclass.prototype, null);
  freeze(subclass.prototype);
  return subclass;
}
