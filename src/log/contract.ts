import * as z from "zod/mini";
import { call, contract, stream } from "@/rpc/contract";
import type { LogRow } from "./types";

/** The log of errors, for our own pages. */
export const logContract = contract("log", "page", {
  /** The newest entries first, at most 500, then again after each change. */
  entries: stream(z.object({})).yields<LogRow[]>(),
  /** An error that a page saw itself. */
  report: call(
    z.object({
      source: z.string(),
      during: z.string(),
      name: z.string(),
      message: z.string(),
      stack: z.optional(z.string()),
    }),
  ).returns<void>(),
  clear: call(z.object({})).returns<void>(),
  /** The log with versions and settings as plain text to hand to somebody, secrets masked. */
  copyable: call(z.object({})).returns<string>(),
});

export type LogContract = typeof logContract;
