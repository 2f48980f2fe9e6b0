import * as z from "zod/mini";
import { call, contract } from "@/rpc/contract";
import { fileMethods } from "./store/contract";
import type { CleanUpResult } from "./types";

/**
 * Files, for our own pages: every area, and all that the store does. Changes carry a name (`op`) of the caller's own making, so that
 * they can be sent again after the worker died. An append should not be: when the store itself was lost too, it would be made twice.
 */
export const filesContract = contract("files", "page", {
  ...fileMethods,
  /** Deletes attachments that nobody needs any more, and what an earlier end left of others. */
  cleanUp: call(z.object({})).returns<CleanUpResult>(),
});

export type FilesContract = typeof filesContract;
