import * as z from "zod/mini";
import { call, contract } from "@/rpc/contract";

/** The clipboard, for callers without a document. */
export const offscreenClipboardContract = contract("offscreen.clipboard", "worker", {
  /** Puts text there, with HTML beside it when given. @throws ClipboardError when the browser refuses */
  write: call(z.object({ text: z.string(), html: z.optional(z.string()) })).returns<void>(),
});

export type OffscreenClipboardContract = typeof offscreenClipboardContract;
