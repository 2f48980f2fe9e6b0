import * as z from "zod/mini";
import { call, contract, stream } from "@/rpc/contract";
import type { DataState } from "./types";

/** How the stored data stands, for our own pages. These calls are answered in every state. */
export const dataContract = contract("data", "page", {
  /** The state now, then after each change. */
  state: stream(z.object({})).yields<DataState>(),
  /** Tries the steps again that failed. Rejects with MigrationError or DowngradeError. */
  retry: call(z.object({})).returns<void>(),
});

export type DataContract = typeof dataContract;
