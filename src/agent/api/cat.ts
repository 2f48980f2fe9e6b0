import { conversationApi } from "./conversation";
import { modelApi } from "./model";
import type { AgentSession } from "./types";

/** The areas of CAT.agent; each is granted by `CAT.agent.<name>` and made only then. */
const AREAS = { conversation: conversationApi, model: modelApi } as const;

/** The `CAT` object of one script, with exactly the areas that it was granted. */
export function buildCat(session: AgentSession, grants: readonly string[]): object {
  const agent: Record<string, object> = {};
  for (const [name, build] of Object.entries(AREAS)) {
    if (grants.includes(`CAT.agent.${name}`)) agent[name] = Object.freeze(build(session));
  }
  return Object.freeze({ agent: Object.freeze(agent) });
}
