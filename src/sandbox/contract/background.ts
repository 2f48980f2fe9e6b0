import * as z from "zod/mini";
import { call, contract } from "@/rpc/contract";
import type { ConsoleLine } from "../types";

const uuid = z.object({ uuid: z.string() });

/** Background scripts, for our own pages. */
export const backgroundContract = contract("background", "page", {
  /** The newest lines of its console, oldest first. */
  console: call(uuid).returns<ConsoleLine[]>(),
  /** Starts it now, whatever faults it had. */
  startNow: call(uuid).returns<void>(),
});

export type BackgroundContract = typeof backgroundContract;
