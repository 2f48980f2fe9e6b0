/**
 * Which isolated world a script runs in. The browser gives a document ten worlds at most and silently merges what goes beyond;
 * ids are fixed at registration. So there are nine pooled ids; the unnamed default world takes who finds none free.
 */
export const POOLED_WORLDS = ["w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9"] as const;
/** The tenth id: our relay for scripts of the page's world. No script runs in it. */
export const RELAY_WORLD = "relay";
/** Id of the default world in our own maps; the browser's registration leaves worldId out for it. */
export const DEFAULT_WORLD = "";

export interface WorldCandidate {
  uuid: string;
  sensitive: boolean;
}

export interface WorldPlan {
  /** World id per script; {@link DEFAULT_WORLD} for the shared one. */
  worldOf: Map<string, string>;
  /** Scripts that share the default world with others because no id was left. */
  crowded: Set<string>;
  /** Sensitive scripts for which there is no world of their own: they do not run. */
  homeless: Set<string>;
}

/**
 * Colours the scripts: two that can meet in one document get different ids, as long as there are ids. Sensitive ones choose
 * first and never share with a script they can meet; among equals the earlier script keeps its id when later ones come.
 */
export function planWorlds(
  candidates: readonly WorldCandidate[],
  canMeet: (a: string, b: string) => boolean,
): WorldPlan {
  const plan: WorldPlan = { worldOf: new Map(), crowded: new Set(), homeless: new Set() };
  const members = new Map<string, WorldCandidate[]>([DEFAULT_WORLD, ...POOLED_WORLDS].map((id) => [id, []]));
  const ordered = [...candidates.filter((c) => c.sensitive), ...candidates.filter((c) => !c.sensitive)];

  for (const script of ordered) {
    const meets = (id: string) => (members.get(id) ?? []).filter((other) => canMeet(script.uuid, other.uuid));
    const free = POOLED_WORLDS.find((id) => meets(id).length === 0);
    let id: string = free ?? DEFAULT_WORLD;
    if (free === undefined) {
      const company = meets(DEFAULT_WORLD);
      if (script.sensitive && company.length > 0) {
        plan.homeless.add(script.uuid);
        continue;
      }
      // A sensitive script alone in the default world keeps it to itself where it can be met.
      if (company.some((other) => other.sensitive)) {
        plan.homeless.add(script.uuid);
        continue;
      }
      if (!script.sensitive) plan.crowded.add(script.uuid);
      id = DEFAULT_WORLD;
    }
    members.get(id)?.push(script);
    plan.worldOf.set(script.uuid, id);
  }
  return plan;
}
