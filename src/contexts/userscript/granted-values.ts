import { type CatAreas, composeCat } from "@/agent/api/compose";
import type { GmFunction, ScriptSession } from "@/gm/types";
import type { BootPayload } from "@/userscripts/boot-protocol";
import { create, dataProperty, defineProperty, freeze, own } from "./natives";

/**
 * The values of the factory's parameters, in order: exactly what the script was granted. A function that was not granted is
 * not even made. Neither the functions' makers nor what they make pass through what a neighbour in the world can patch.
 */
export function grantedValues(
  payload: BootPayload,
  session: ScriptSession,
  functions: readonly GmFunction[],
  areas: CatAreas,
): unknown[] {
  const { names, info } = payload;
  const grants = info.script.grant;
  const values: unknown[] = [];
  for (let at = 0; at < names.length; at += 1)
    defineProperty(values, at, dataProperty(granted(names[at] ?? "")));
  return values;

  function granted(name: string): unknown {
    if (name === "GM_info") return info;
    if (name === "GM") return buildGm();
    if (name === "CAT") return composeCat(session, grants, areas);
    for (let at = 0; at < functions.length; at += 1) {
      const fn = functions[at];
      if (fn && `GM_${fn.name}` === name) return make(fn, "legacy");
    }
    return undefined;
  }

  function buildGm(): object {
    const gm = {};
    defineProperty(gm, "info", dataProperty(info, true));
    for (let at = 0; at < functions.length; at += 1) {
      const fn = functions[at];
      if (!fn) continue;
      const name = MODERN_NAMES[fn.name] ?? fn.name;
      if (has(grants, `GM.${name}`)) defineProperty(gm, name, dataProperty(make(fn, "modern"), true));
    }
    return freeze(gm);
  }

  function make(fn: GmFunction, form: "legacy" | "modern"): unknown {
    return (own(fn, form) as GmFunction["legacy"])?.(session);
  }
}

function has(list: readonly string[], wanted: string): boolean {
  for (let at = 0; at < list.length; at += 1) if (list[at] === wanted) return true;
  return false;
}

/** The one function that Greasemonkey 4 spelled differently. */
const MODERN_NAMES: Record<string, string> = Object.assign(create(null), {
  xmlhttpRequest: "xmlHttpRequest",
});
