import type { Caller, ScriptCaller } from "@/rpc/caller";
import { NamedError } from "@/rpc/errors";
import type { EventHub, Target } from "../events/hub";
import { splitValues } from "../events/outbox";
import type { GmHost } from "../host";
import { decode } from "./codec";
import { DELETE_GRANTS, SET_GRANTS, valuesContract } from "./contract";
import { type Committed, ValueStore } from "./store";

/** The worker half of the value functions: each caller reads and writes the store of its own script. */
export function registerValues(host: GmHost, store: ValueStore<Target>): void {
  host.router.register(valuesContract, {
    read: async ({ keys }, { caller }) => {
      const { uuid } = asScript(caller);
      if (keys) return store.read(uuid, keys);
      const { entries, revision } = await store.readAll(uuid);
      return { entries: Object.entries(entries), revision };
    },
    list: async (_input, { caller }) => Object.keys((await store.readAll(asScript(caller).uuid)).entries),
    write: async ({ writes }, { caller }) => {
      const { uuid, tabId, documentId, grants } = asScript(caller);
      const need = (wanted: readonly string[]) => {
        if (wanted.some((grant) => grants.has(grant))) return;
        throw new NamedError(
          "PermissionDeniedError",
          `The script has no @grant for this. It needs one of: ${wanted.join(", ")}.`,
        );
      };
      if (writes.some(([, text]) => text !== null)) need(SET_GRANTS);
      if (writes.some(([, text]) => text === null)) need(DELETE_GRANTS);
      return store.write(uuid, writes, { uuid, tabId, documentId });
    },
  });
}

function asScript(caller: Caller): ScriptCaller {
  if (caller.kind !== "script") throw new NamedError("PermissionDeniedError", "Only scripts have values.");
  return caller;
}

/** The store, wired so that each write is told to the documents that follow it and to the registrations that carry it. */
export function openValueStore(host: GmHost, hub: EventHub): ValueStore<Target> {
  return new ValueStore<Target>(
    host.db,
    host.now,
    ({ store, changes, revision, origin }: Committed<Target>) => {
      hub.publishValues(store, ({ documentId }) =>
        splitValues({ type: "values", changes, revision, own: documentId === origin?.documentId }),
      );
      host.valuesChanged(store);
    },
  );
}

/** Values as a person's tools show them; a damaged one becomes its own error text. */
export async function readAllDecoded(
  store: ValueStore<Target>,
  uuid: string,
): Promise<Record<string, unknown>> {
  const { entries } = await store.readAll(uuid);
  return Object.fromEntries(
    Object.entries(entries).map(([key, text]) => {
      try {
        return [key, decode(text)];
      } catch (error) {
        return [key, String(error)];
      }
    }),
  );
}
