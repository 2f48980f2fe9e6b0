import { log } from "./log/client";
import { MENU_FUNCTIONS } from "./menu/client";
import { addStyle } from "./style/client";
import type { GmFunction } from "./types";
import { VALUE_FUNCTIONS } from "./values/client";
import { xmlhttpRequest } from "./xmlhttp/client";

/** Every GM function that a script can be granted. Adding an API is a folder and a line here. */
export const GM_FUNCTIONS: readonly GmFunction[] = [
  ...VALUE_FUNCTIONS,
  log,
  addStyle,
  ...MENU_FUNCTIONS,
  xmlhttpRequest,
];
