import * as z from "zod/mini";
import { call, contract, stream } from "@/rpc/contract";
import type { LogRow } from "./types";

const row = z.object({
  id: z.optional(z.number()),
  at: z.number(),
  level: z.enum(["error", "warning"]),
  source: z.string(),
  name: z.string(),
  during: z.string(),
  message: z.string(),
  stack: z.optional(z.string()),
  count: z.number(),
  shown: z.optional(z.boolean()),
});

/** The log of errors, for our own pages. */
export const logContract = contract("log", "page", {
  /** The newest entries first, at most 500, then again after each change. */
  entries: stream(z.object({})).yields<LogRow[]>(),
  /** An error that a page saw itself. `shown`: the page has told the person of it. */
  report: call(
    z.object({
      source: z.string(),
      during: z.string(),
      name: z.string(),
      message: z.string(),
      stack: z.optional(z.string()),
      shown: z.optional(z.boolean()),
    }),
  ).returns<void>(),
  /** The person has seen all entries up to this time (ms since the epoch): nothing calls them to those any more. */
  seen: call(z.object({ at: z.number() })).returns<void>(),
  clear: call(z.object({})).returns<void>(),
  /** Puts entries back that were cleared: undo. */
  restore: call(z.object({ rows: z.array(row).check(z.maxLength(500)) })).returns<void>(),
  /** The log with versions and settings as plain text to hand to somebody, secrets masked. */
  copyable: call(z.object({})).returns<string>(),
});

export type LogContract = typeof logContract;
