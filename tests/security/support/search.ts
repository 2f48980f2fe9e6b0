import { readFileSync } from "node:fs";
import { REPORT } from "./reports";

/** Code of a script that looks for its own token everywhere it can, and reports every text that it met as `found`. */
export const SEARCH = `${REPORT}\n${readFileSync(new URL("./client/search.js", import.meta.url), "utf8")}`;
