import { KIT_FUNCTIONS } from "@/gm/clients";
import type { GmFunction } from "@/gm/types";
import { VALUE_FUNCTIONS } from "@/gm/values/client";
import { xmlhttpRequest } from "@/gm/xmlhttp/client";

/** A GM function by name, from whichever part of the runtime has it. */
export function gmFunction(name: string): GmFunction {
  const found = [...KIT_FUNCTIONS, ...VALUE_FUNCTIONS, xmlhttpRequest].find((fn) => fn.name === name);
  if (!found) throw new Error(`There is no GM function "${name}".`);
  return found;
}
