import { readFileSync } from "node:fs";
import { userscript } from "../../e2e/harness/browser";

const NEIGHBOUR = readFileSync(new URL("./client/neighbour.js", import.meta.url), "utf8");
const LOOT = readFileSync(new URL("../../servers/pages/client/loot.js", import.meta.url), "utf8");

/** What the neighbour tells when it is asked. */
export interface NeighbourReport {
  /** Entries of loot, of which those that hold one of the words asked for are `hits`. */
  seen: number;
  hits: Array<{ needle: string; hook: string; entry: string }>;
  /** Functions and objects that it got hold of, and how often it could try one as what. */
  caught: number;
  attempts: Record<"rpc" | "transports" | "functions" | "channels", number>;
}

/** The hostile neighbour as a userscript. Scripts run in the order of installation, so install it before its victim. */
export function neighbourScript(match: string): string {
  return userscript(
    { name: "Neighbour", match, grant: "GM_info", "run-at": "document-start" },
    `${LOOT}\n${NEIGHBOUR}`,
  );
}
