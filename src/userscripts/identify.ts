import type { Place, ScriptCaller } from "@/rpc/caller";
import type { ScriptRegistry } from "./registry";

/** Who holds a token, at the place the browser reported; null for tokens of no installed and enabled script. */
export async function identify(
  registry: ScriptRegistry,
  token: string,
  place: Place,
): Promise<ScriptCaller | null> {
  const head = await registry.findByToken(token);
  if (!head?.enabled) return null;
  return {
    kind: "script",
    ...place,
    uuid: head.uuid,
    name: head.name,
    grants: new Set(head.metadata.grants),
  };
}
