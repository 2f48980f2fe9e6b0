import { log } from "./log/client";
import type { GmFunction } from "./types";

/**
 * The GM functions that the base of every world's runtime has: those so small that a part would be no less. All others are parts,
 * injected only where a script was granted them (src/userscripts/runtime-parts.ts, src/contexts/userscript/parts).
 */
export const KIT_FUNCTIONS: readonly GmFunction[] = [log];
