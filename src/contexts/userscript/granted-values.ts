import type { GmFunction, ScriptSession } from "@/gm/types";
import type { BootPayload } from "@/userscripts/boot-protocol";
import { defineProperty, freeze } from "./natives";

/**
 * The values of the factory's parameters, in order: exactly what the script was granted. A function that was not granted is
 * not even made.
 */
export function grantedValues(
  payload: BootPayload,
  session: ScriptSession,
  functions: readonly GmFunction[],
  buildCat: (session: ScriptSession, grants: readonly string[]) => unknown,
): unknown[] {
  const grants = payload.info.script.grant;
  const values: unknown[] = [];
  for (const name of payload.names) values[values.length] = granted(name);
  return values;

  function granted(name: string): unknown {
    if (name === "GM_info") return payload.info;
    if (name === "GM") return buildGm();
    if (name === "CAT") return buildCat(session, grants);
    for (const fn of functions) if (`GM_${fn.name}` === name) return fn.legacy?.(session);
    return undefined;
  }

  function buildGm(): object {
    const gm = {};
    const put = (name: string, value: unknown) => defineProperty(gm, name, { value, enumerable: true });
    put("info", payload.info);
    for (const fn of functions) {
      const name = MODERN_NAMES[fn.name] ?? fn.name;
      if (fn.modern && grants.includes(`GM.${name}`)) put(name, fn.modern(session));
    }
    return freeze(gm);
  }
}

/** The one function that Greasemonkey 4 spelled differently. */
const MODERN_NAMES: Record<string, string> = { xmlhttpRequest: "xmlHttpRequest" };
