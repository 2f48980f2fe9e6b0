import { log } from "./log/client";
import { MENU_FUNCTIONS } from "./menu/client";
import { addStyle } from "./style/client";
import type { GmFunction } from "./types";

/**
 * The small functions, which the kit of every world's runtime has. Larger APIs are parts of their own, injected only where a script
 * was granted them (src/userscripts/runtime-parts.ts). Adding an API is a folder and a line here or there.
 */
export const KIT_FUNCTIONS: readonly GmFunction[] = [log, addStyle, ...MENU_FUNCTIONS];
