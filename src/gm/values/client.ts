import type { GmFunction, ScriptSession } from "../types";
import { type ValueListener, valuesOf } from "./client-session";

/*
 * Each function in its two forms. `GM_x` answers at once from what the document knows; `GM.x` asks the worker, so it is
 * current, and its promise says when a write is stored.
 */

type Pairs = Record<string, unknown>;

const getValue: GmFunction = {
  name: "getValue",
  legacy: (session) => (key: unknown, fallback?: unknown) => valuesOf(session).peek(String(key), fallback),
  modern: (session) => async (key: unknown, fallback?: unknown) => {
    const name = String(key);
    const found = await valuesOf(session).read([name]);
    return found.has(name) ? found.get(name) : fallback;
  },
};

const getValues: GmFunction = {
  name: "getValues",
  legacy: (session) => (wanted?: unknown) => {
    const values = valuesOf(session);
    const { keys, defaults } = request(wanted);
    const present = new Set(values.peekKeys());
    return pick(
      keys ?? [...present],
      defaults,
      (key) => present.has(key),
      (key) => values.peek(key),
    );
  },
  modern: (session) => async (wanted?: unknown) => {
    const { keys, defaults } = request(wanted);
    const found = await valuesOf(session).read(keys);
    return pick(
      keys ?? [...found.keys()],
      defaults,
      (key) => found.has(key),
      (key) => found.get(key),
    );
  },
};

/** `GM_getValues` takes a list of keys, an object of keys with defaults, or nothing for all there are. */
function request(wanted: unknown): { keys: string[] | null; defaults: Pairs } {
  if (wanted === undefined || wanted === null) return { keys: null, defaults: {} };
  if (Array.isArray(wanted)) return { keys: wanted.map(String), defaults: {} };
  if (typeof wanted !== "object") {
    throw new TypeError(`getValues takes a list of keys or an object with defaults, not ${typeof wanted}.`);
  }
  return { keys: Object.keys(wanted), defaults: wanted as Pairs };
}

function pick(
  keys: readonly string[],
  defaults: Pairs,
  has: (key: string) => boolean,
  get: (key: string) => unknown,
): Pairs {
  const all = keys.filter((key) => has(key) || Object.hasOwn(defaults, key));
  return Object.fromEntries(all.map((key) => [key, has(key) ? get(key) : defaults[key]]));
}

/** A function that writes: `GM_x` throws at once for what cannot be kept, `GM.x` rejects. */
function writer(
  name: string,
  write: (values: ReturnType<typeof valuesOf>, ...args: unknown[]) => Promise<void>,
): GmFunction {
  const bind =
    (session: ScriptSession) =>
    (...args: unknown[]) =>
      write(valuesOf(session), ...args);
  return {
    name,
    legacy: (session) => {
      const run = bind(session);
      return (...args: unknown[]) => {
        // A write that fails later is in the script's log; a function that returns nothing has nobody to tell.
        run(...args).catch(() => undefined);
      };
    },
    modern: (session) => {
      const run = bind(session);
      return async (...args: unknown[]) => run(...args);
    },
  };
}

const setValue = writer("setValue", (values, key, value) => values.set([[String(key), value]]));
const deleteValue = writer("deleteValue", (values, key) => values.delete([String(key)]));
const setValues = writer("setValues", (values, pairs) => {
  if (typeof pairs !== "object" || pairs === null) {
    throw new TypeError(
      `setValues takes an object of keys and values, not ${pairs === null ? "null" : typeof pairs}.`,
    );
  }
  return values.set(Object.entries(pairs));
});
const deleteValues = writer("deleteValues", (values, keys) => {
  if (!Array.isArray(keys)) throw new TypeError(`deleteValues takes a list of keys, not ${typeof keys}.`);
  return values.delete(keys.map(String));
});

const listValues: GmFunction = {
  name: "listValues",
  legacy: (session) => () => valuesOf(session).peekKeys(),
  modern: (session) => async () => valuesOf(session).readKeys(),
};

const addValueChangeListener: GmFunction = {
  name: "addValueChangeListener",
  legacy: (session) => (key: unknown, listener: ValueListener) =>
    valuesOf(session).listen(String(key), listener),
  modern: (session) => async (key: unknown, listener: ValueListener) =>
    valuesOf(session).listen(String(key), listener),
};

const removeValueChangeListener: GmFunction = {
  name: "removeValueChangeListener",
  legacy: (session) => (id: unknown) => valuesOf(session).unlisten(Number(id)),
  modern: (session) => async (id: unknown) => valuesOf(session).unlisten(Number(id)),
};

export const VALUE_FUNCTIONS: readonly GmFunction[] = [
  getValue,
  setValue,
  deleteValue,
  listValues,
  getValues,
  setValues,
  deleteValues,
  addValueChangeListener,
  removeValueChangeListener,
];
