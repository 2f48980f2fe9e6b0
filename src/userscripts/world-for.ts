import { hasPowers } from "./grants";
import type { ScriptMetadata } from "./metadata";
import type { ScriptWorld } from "./types";

/** The page's own world for scripts without powers, unless they say otherwise; an isolated one for all others. */
export function worldFor(metadata: ScriptMetadata): ScriptWorld {
  if (metadata.background) return "isolated";
  if (metadata.injectInto === "page") return "page";
  if (metadata.injectInto === "content") return "isolated";
  return hasPowers(metadata.grants) ? "isolated" : "page";
}
