import type { Place, RelayCaller, ScriptCaller } from "@/rpc/caller";
import type { ScriptRegistry } from "./registry";

/** Where the relay's token is stored: random, made once. The relay's registered code alone holds it. */
export const RELAY_TOKEN_KEY = "relayToken";

/** Who holds a token, at the place the browser reported; null for tokens of no installed and enabled script. */
export async function identify(
  registry: ScriptRegistry,
  relayToken: string,
  token: string,
  place: Place,
): Promise<ScriptCaller | RelayCaller | null> {
  if (token === relayToken) return { kind: "relay", ...place };
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
