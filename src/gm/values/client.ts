import { bothForms, need } from "../forms";
import { each, eachOf, hasOwn, isArray, keysOf, put } from "../natives";
import type { GmFunction } from "../types";
import { type Lookup, revive, type ValueListener, valuesOf } from "./client-session";

/*
 * `GM_getValue` and the like answer at once from what the document knows; `GM.getValue` asks the worker, so it is current. A
 * promise of a write settles when it is stored.
 */

const getValue: GmFunction = {
  name: "getValue",
  legacy: (session) => (key: unknown, fallback?: unknown) =>
    revive(valuesOf(session).now().text(`${key}`), fallback),
  modern: (session) => async (key: unknown, fallback?: unknown) =>
    revive((await valuesOf(session).stored([`${key}`])).text(`${key}`), fallback),
};

const getValues: GmFunction = {
  name: "getValues",
  legacy: (session) => (wanted?: unknown) => pick(wanted, valuesOf(session).now()),
  modern: (session) => async (wanted?: unknown) =>
    pick(wanted, await valuesOf(session).stored(wantedKeys(wanted))),
};

/** `getValues` takes a list of keys, an object of keys with defaults, or nothing for all there are (null). */
function wantedKeys(wanted: unknown): string[] | null {
  return isArray(wanted) ? names(wanted) : wanted ? keysOf(wanted) : null;
}

/** Absent keys without a default are left out. */
function pick(wanted: unknown, values: Lookup): Record<string, unknown> {
  const defaults = isArray(wanted) || !wanted ? {} : (wanted as Record<string, unknown>);
  const found: Record<string, unknown> = {};
  each(wantedKeys(wanted) ?? values.keys(), (key) => {
    const text = values.text(key);
    if (text !== null || hasOwn(defaults, key)) put(found, key, revive(text, defaults[key]));
  });
  return found;
}

function names(keys: readonly unknown[]): string[] {
  return eachOf(keys, (key) => `${key}`);
}

export const VALUE_FUNCTIONS: readonly GmFunction[] = [
  getValue,
  getValues,
  {
    name: "listValues",
    legacy: (session) => () => valuesOf(session).now().keys(),
    modern: (session) => async () => valuesOf(session).storedKeys(),
  },
  bothForms("setValue", (session, key: unknown, value: unknown) =>
    valuesOf(session).set([`${key}`], () => value),
  ),
  bothForms("setValues", (session, pairs: Record<string, unknown>) => {
    need(typeof pairs === "object" && pairs !== null, "setValues takes an object of keys and values.");
    return valuesOf(session).set(keysOf(pairs), (key) => pairs[key]);
  }),
  bothForms("deleteValue", (session, key: unknown) => valuesOf(session).delete([`${key}`])),
  bothForms("deleteValues", (session, keys: unknown) => {
    need(isArray(keys), "deleteValues takes a list of keys.");
    return valuesOf(session).delete(names(keys));
  }),
  bothForms("addValueChangeListener", (session, key: unknown, listener: ValueListener) =>
    valuesOf(session).listen(`${key}`, listener),
  ),
  bothForms("removeValueChangeListener", (session, id: unknown) => valuesOf(session).unlisten(Number(id))),
];
