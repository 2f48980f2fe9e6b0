import * as z from "zod/mini";
import { call, contract } from "@/rpc/contract";

/** blob: addresses, which a worker cannot make; downloads need them. */
export const offscreenBlobsContract = contract("offscreen.blobs", "worker", {
  /** An address for the bytes, good until it is revoked or the document ends. */
  create: call(z.object({ blob: z.instanceof(Blob) })).returns<{ url: string }>(),
  /** Revoking one that is not known does nothing. */
  revoke: call(z.object({ url: z.string() })).returns<void>(),
});

export type OffscreenBlobsContract = typeof offscreenBlobsContract;
