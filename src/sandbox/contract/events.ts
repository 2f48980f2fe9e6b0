import * as z from "zod/mini";
import { call, contract } from "@/rpc/contract";
import { consoleLine } from "./console-line";

const text = (most: number) => z.string().check(z.maxLength(most));

/** What the offscreen document tells the worker of its frames. */
export const sandboxEventsContract = contract("sandbox.events", "offscreen", {
  /** Something that a background script threw and nobody caught. */
  error: call(
    z.object({ uuid: z.string(), message: text(2000), stack: z.optional(text(8000)) }),
  ).returns<void>(),
  /** A background frame ended by itself: it could not start, or broke a limit. */
  failed: call(
    z.object({ uuid: z.string(), name: text(200), message: text(2000), lines: z.array(consoleLine) }),
  ).returns<void>(),
  /**
   * Frames fell together. Hung: they do not answer; a looping frame blocks all others, so the document has to be made anew. Crashed:
   * the process of them all has ended.
   */
  fell: call(
    z.object({
      /** Of this report, which may be sent again. */
      report: z.string(),
      kind: z.enum(["hung", "crashed"]),
      /** ms without an answer. */
      silentMs: z.number(),
      frames: z.array(z.object({ uuid: z.string(), blamed: z.boolean(), lines: z.array(consoleLine) })),
    }),
  ).returns<void>(),
});

export type SandboxEventsContract = typeof sandboxEventsContract;
