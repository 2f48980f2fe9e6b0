import type { GmFunction, ScriptSession } from "./types";

/**
 * A function that does the same in both forms. The modern one gives a promise, and rejects where the legacy one throws; the legacy
 * one does not hand out the promise of a function that has something to wait for.
 */
export function bothForms(
  name: string,
  run: (session: ScriptSession, ...args: unknown[]) => unknown,
): GmFunction {
  return {
    name,
    legacy:
      (session) =>
      (...args: unknown[]) => {
        const result = run(session, ...args);
        return result instanceof Promise ? undefined : result;
      },
    modern:
      (session) =>
      async (...args: unknown[]) =>
        run(session, ...args),
  };
}

/** One object per script and document, made when first asked for. */
export function perSession<T>(make: (session: ScriptSession) => T): (session: ScriptSession) => T {
  const made = new WeakMap<ScriptSession, T>();
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
