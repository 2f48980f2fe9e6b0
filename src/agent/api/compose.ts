import { freeze } from "@/rpc/natives";
import type { AgentSession } from "./types";

/** Areas of CAT.agent by name; each is granted by `CAT.agent.<name>` and made only then. */
export type CatAreas = Readonly<Record<string, (session: AgentSession) => object>>;

/** The `CAT` object of one script, with exactly the areas among these that it was granted. */
export function composeCat(session: AgentSession, grants: readonly string[], areas: CatAreas): object {
  const agent: Record<string, object> = {};
  for (const [name, build] of Object.entries(areas)) {
    if (grants.includes(`CAT.agent.${name}`)) agent[name] = freeze(build(session));
  }
  return freeze({ agent: freeze(agent) });
}
