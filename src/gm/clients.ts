import { log } from "./log/client";
import { MENU_FUNCTIONS } from "./menu/client";
import { addStyleFunction } from "./style/client";
import type { GmFunction } from "./types";
import { VALUE_FUNCTIONS } from "./values/client";

/** Every GM function that a script can be granted. Adding an API is a folder and a line here. */
export const GM_FUNCTIONS: readonly GmFunction[] = [
  ...VALUE_FUNCTIONS,
  log,
  addStyleFunction,
  ...MENU_FUNCTIONS,
];
