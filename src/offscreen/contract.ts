import * as z from "zod/mini";
import { call, contract } from "@/rpc/contract";

/** Whether the offscreen document answers at all, and what it is busy with. Other parts of it have contracts of their own. */
export const offscreenHealthContract = contract("offscreen.health", "worker", {
  ping: call(z.object({})).returns<{ busy: string[] }>(),
});

export type OffscreenHealthContract = typeof offscreenHealthContract;

/** What goes wrong in the offscreen document beside every call, for the log. */
export const offscreenFaultsContract = contract("offscreen.faults", "offscreen", {
  report: call(
    z.object({ during: z.string(), name: z.string(), message: z.string(), stack: z.optional(z.string()) }),
  ).returns<void>(),
});

export type OffscreenFaultsContract = typeof offscreenFaultsContract;
