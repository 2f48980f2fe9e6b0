import * as z from "zod/mini";
import { call, contract, stream } from "@/rpc/contract";
import type { ConsentPrompt, ConsentRow } from "./types";

/** A decision that holds now, with the name that its subject has now; the name is "" when the subject is gone. */
export interface ConsentEntry extends ConsentRow {
  subjectName: string;
  /** There when it holds only for this run or document, and not from now on: the `decision` is `always` then. */
  runId?: string;
  /** Of such a one: the page that it holds in. */
  pageUrl?: string;
}

/** Questions and decisions, for our own pages only: nothing that asks can answer. */
export const consentContract = contract("consent", "page", {
  /**
   * The questions that are open now, oldest first, then again after each change. A page that follows this and is in front of the
   * person counts as asking them: no window of its own is opened meanwhile.
   */
  prompts: stream(z.object({})).yields<ConsentPrompt[]>(),
  /**
   * Answers one. Rejects with NotFoundError when it was answered, withdrawn or has run out meanwhile, also when the same was asked anew
   * since `askedAt`. `once` is for what the question says: other requests to the host are asked about next.
   */
  answer: call(
    z.object({
      id: z.string(),
      askedAt: z.optional(z.number()),
      answer: z.enum(["once", "run", "always", "deny", "never"]),
    }),
  ).returns<void>(),
  /** Takes a resting question off the list without an answer. */
  dismiss: call(z.object({ id: z.string() })).returns<void>(),
  /** Says `never` to all that this subject asks now. */
  denyAll: call(z.object({ subject: z.string() })).returns<void>(),
  /** All decisions that hold, newest first, then again after each change. */
  decisions: stream(z.object({})).yields<ConsentEntry[]>(),
  /** Forgets a decision; what it allowed and is under way is stopped. */
  revoke: call(z.object({ ids: z.array(z.string()) })).returns<void>(),
  /** Puts revoked decisions back: undo. */
  restore: call(
    z.object({ entries: z.array(z.object({ id: z.string(), decision: z.enum(["always", "never"]) })) }),
  ).returns<void>(),
});

export type ConsentContract = typeof consentContract;
