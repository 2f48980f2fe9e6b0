import { composeCat } from "./compose";
import { conversationApi } from "./conversation";
import { modelApi } from "./model";
import { opfsApi } from "./opfs";
import type { AgentSession } from "./types";

/** Every area there is. Beside userscripts they come as parts of the runtime instead (src/contexts/userscript/parts). */
export const AREAS = { conversation: conversationApi, model: modelApi, opfs: opfsApi } as const;

/** The `CAT` object of one script, for contexts whose code is one file with all areas in it, such as a sandbox. */
export function buildCat(session: AgentSession, grants: readonly string[]): object {
  return composeCat(session, grants, AREAS);
}
