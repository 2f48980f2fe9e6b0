import * as z from "zod/mini";
import { contract, stream } from "@/rpc/contract";
import type { ValueChange } from "../values/contract";

/** What the worker has for a script in one document. */
export type ScriptEvent =
  /** A write, here (`own`) or elsewhere. `revision` is the store's number after it; `more`: further parts of it follow. */
  | { type: "values"; changes: ValueChange[]; revision: number; own: boolean; more?: boolean }
  /**
   * What changed since the revision that the document had: the entries written since then, each with its own revision, and, in
   * the last part, all keys there are, so that deleted ones are known.
   */
  | {
      type: "resync";
      entries: Array<[key: string, text: string, revision: number]>;
      keys: string[] | null;
      revision: number;
    }
  /** A menu command was chosen. */
  | { type: "menu"; id: string };

/** One stream per script and document. Any script may have it: nothing comes that the script did not ask for by a granted call. */
export const eventsContract = contract("gm.events", "script", {
  /** `revision`: the state of the values that the document knows (-1: none), left out when it does not follow them. */
  subscribe: stream(z.object({ revision: z.optional(z.number()) })).yields<ScriptEvent>(),
});

export type EventsContract = typeof eventsContract;
