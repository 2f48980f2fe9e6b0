import type { GmFunction } from "./types";

/** Every GM function that a script can be granted. Adding an API is a folder and a line here. */
export const GM_FUNCTIONS: readonly GmFunction[] = [];
