/**
 * Natives as they were before any script of this world ran. A user-script world can be shared, and a neighbour may later patch
 * whatever it likes: code that handles a token, a transport or another script's frames uses these, and neither array methods nor
 * iteration, which look up what a neighbour can replace.
 */
export const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;
export const { freeze, create } = Object;

/** A Map whose methods cannot be replaced by patching Map.prototype. It cannot be iterated: use `forEach`. */
export const SafeMap = hardened(class SafeMap<K, V> extends Map<K, V> {}, Map.prototype);
export type SafeMap<K, V> = Map<K, V>;

/** A WeakMap whose methods cannot be replaced by patching WeakMap.prototype. */
export const SafeWeakMap = hardened(
  class SafeWeakMap<K extends object, V> extends WeakMap<K, V> {},
  WeakMap.prototype,
);

const NativePromise = Promise;

/**
 * A promise that can be awaited without a neighbour's `then` being called: `await` takes a native promise as it is only when its
 * `constructor` is the native one, and looks that up on the prototype.
 */
export function safePromise<T>(
  executor: (resolve: (value: T) => void, reject: (error: unknown) => void) => void,
): Promise<T> {
  const promise = new NativePromise<T>(executor);
  defineProperty(promise, "constructor", dataProperty(NativePromise));
  return promise;
}

/** An own data property, whatever Object.prototype was made to offer under that name. */
export function own(object: object, key: PropertyKey): unknown {
  return getOwnPropertyDescriptor(object, key)?.value;
}

/** A data descriptor without a prototype, so that nobody can add `get` or `set` to it: locked and hidden, or open in all three ways. */
export function dataProperty(value: unknown, open = false): PropertyDescriptor {
  return {
    __proto__: null,
    value,
    enumerable: open,
    configurable: open,
    writable: open,
  } as PropertyDescriptor;
}

/** First in, first out. */
export interface Fifo<T> {
  push(value: T): void;
  /** Takes the oldest; undefined when there is none. */
  shift(): T | undefined;
  isEmpty(): boolean;
  clear(): void;
}

interface Link<T> {
  value: T;
  next: Link<T> | null;
}

export function fifo<T>(): Fifo<T> {
  let first: Link<T> | null = null;
  let last: Link<T> | null = null;
  return {
    push(value) {
      const link: Link<T> = { value, next: null };
      if (last) last.next = link;
      else first = link;
      last = link;
    },
    shift() {
      const link = first;
      first = link?.next ?? null;
      if (!first) last = null;
      return link?.value;
    },
    isEmpty: () => !first,
    clear() {
      first = last = null;
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the bound of a constructor; no value of this type is read.
function hardened<C extends abstract new (...args: any[]) => object>(subclass: C, parent: object): C {
  const { prototype } = subclass;
  Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(parent));
  Object.setPrototypeOf(prototype, null);
  freeze(prototype);
  return subclass;
}
