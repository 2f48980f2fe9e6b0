import menu from "@/contexts/userscript/parts/menu";
import style from "@/contexts/userscript/parts/style";
import values from "@/contexts/userscript/parts/values";
import xmlhttp from "@/contexts/userscript/parts/xmlhttp";
import { KIT_FUNCTIONS } from "@/gm/clients";
import type { GmFunction } from "@/gm/types";

/** A GM function by name, from whichever part of the runtime has it. */
export function gmFunction(name: string): GmFunction {
  const all = [KIT_FUNCTIONS, ...[menu, style, values, xmlhttp].map((part) => part.functions)].flat();
  const found = all.find((fn) => fn.name === name);
  if (!found) throw new Error(`There is no GM function "${name}".`);
  return found;
}
