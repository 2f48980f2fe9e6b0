import type { KeyValueStorage } from "@/platform/storage";
import type { Place, RelayCaller, ScriptCaller } from "@/rpc/caller";
import type { ScriptRegistry } from "./registry";

/** Where the relay's token is stored: random, made once. The relay's registered code alone holds it. */
export const RELAY_TOKEN_KEY = "relayToken";

/** Reads the relay's token, once a start; makes it when there is none yet. A read that failed is tried again by the next call. */
export function relayTokenReader(storage: Pick<KeyValueStorage, "get" | "set">): () => Promise<string> {
  let token: Promise<string> | undefined;
  const read = async (): Promise<string> => {
    const stored = await storage.get<string>(RELAY_TOKEN_KEY);
    if (stored) return stored;
    const made = crypto.randomUUID() + crypto.randomUUID();
    await storage.set(RELAY_TOKEN_KEY, made);
    return made;
  };
  return () => {
    token ??= read().catch((error: unknown) => {
      token = undefined;
      throw error;
    });
    return token;
  };
}

const NO_GRANTS: ReadonlySet<string> = new Set();

/**
 * Who holds a token, at the place the browser reported; null for tokens of no installed and enabled script. A connection outlives
 * what is decided here, so grants are looked up anew at each call: a script that was removed, disabled or updated to ask for less
 * loses its powers in the pages that are open, too.
 */
export async function identify(
  registry: ScriptRegistry,
  relayToken: string,
  token: string,
  place: Place,
): Promise<ScriptCaller | RelayCaller | null> {
  if (token === relayToken) return { kind: "relay", ...place };
  const head = await registry.findByToken(token);
  if (!head?.enabled) return null;
  const { uuid, name } = head;
  return {
    kind: "script",
    ...place,
    uuid,
    name,
    get grants() {
      const now = registry.running(uuid);
      return now ? new Set(now.metadata.grants) : NO_GRANTS;
    },
    get gone() {
      return registry.running(uuid) === undefined;
    },
  };
}
