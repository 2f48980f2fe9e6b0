import { type CatAreas, composeCat } from "@/agent/api/compose";
import { each, eachOf, put } from "@/gm/natives";
import type { GmFunction, ScriptSession } from "@/gm/types";
import type { BootPayload } from "@/userscripts/boot-protocol";
import { create, freeze } from "./natives";

type Make = (session: ScriptSession) => unknown;

/** Makers of all that scripts of this world can be granted. The records have no prototype. */
export interface Grantable {
  /** `GM_<name>`. */
  legacy: Record<string, Make | undefined>;
  /** `GM.<name>`, with the name that it has on `GM`. */
  modern: Record<string, { name: string; make: Make } | undefined>;
  areas: CatAreas;
}

/** Sorts functions by what grants them. To be called before any script runs. */
export function grantable(functions: readonly GmFunction[], areas: CatAreas): Grantable {
  const all: Grantable = { legacy: create(null), modern: create(null), areas };
  for (const { name, modernName = name, legacy, modern } of functions) {
    all.legacy[`GM_${name}`] = legacy;
    if (modern) all.modern[`GM.${modernName}`] = { name: modernName, make: modern };
  }
  return all;
}

/**
 * The values of the factory's parameters, in order: exactly what the script was granted. A function that was not granted is
 * not even made. Neither the functions' makers nor what they make pass through what a neighbour in the world can patch.
 */
export function grantedValues(
  { names, info }: BootPayload,
  session: ScriptSession,
  { legacy, modern, areas }: Grantable,
): unknown[] {
  const grants = info.script.grant;
  return eachOf(names, (name) => {
    if (name === "GM_info") return info;
    if (name === "GM") return makeGm();
    if (name === "CAT") return composeCat(session, grants, areas);
    return legacy[name]?.(session);
  });

  function makeGm(): object {
    const gm: Record<string, unknown> = { info };
    each(grants, (grant) => {
      const granted = modern[grant];
      if (granted) put(gm, granted.name, granted.make(session));
    });
    return freeze(gm);
  }
}
