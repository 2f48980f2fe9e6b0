import { SafeWeakMap } from "./natives";
import type { GmFunction, ScriptSession } from "./types";

/**
 * A function that does the same in both forms. The modern one gives a promise, and rejects where the legacy one throws; the legacy
 * one does not hand out the promise of a function that has something to wait for.
 */
export function bothForms(
  name: string,
  run: (session: ScriptSession, ...args: never[]) => unknown,
): GmFunction {
  const call = run as (session: ScriptSession, ...args: unknown[]) => unknown;
  return {
    name,
    legacy: (session) => (a: unknown, b: unknown, c: unknown) => {
      const result = call(session, a, b, c);
      return result instanceof Promise ? undefined : result;
    },
    modern: (session) => async (a: unknown, b: unknown, c: unknown) => call(session, a, b, c),
  };
}

/** One object per script and document, made when first asked for. */
export function perSession<T>(make: (session: ScriptSession) => T): (session: ScriptSession) => T {
  const made = new SafeWeakMap<ScriptSession, T>();
  return (session) => {
    const one = made.get(session) ?? make(session);
    made.set(session, one);
    return one;
  };
}

/** @throws TypeError when a script passed something that does not fit */
export function need(fits: boolean, message: string): asserts fits {
  if (!fits) throw new TypeError(message);
}
