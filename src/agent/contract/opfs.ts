import * as z from "zod/mini";
import { call, contract } from "@/rpc/contract";

/*
 * `CAT.agent.opfs`, for scripts: CATAgentOPFS of the published types, but for the address of a Blob, which is made beside the script, so
 * that it lives as long as the script's document.
 */

export interface OpfsEntry {
  name: string;
  type: "file" | "directory";
  /** Bytes; left out for a folder. */
  size?: number;
}

export interface OpfsFile {
  path: string;
  /** When text was asked for. */
  content?: string;
  /** When a Blob was asked for. */
  data?: Blob;
  /** Bytes. */
  size: number;
  mimeType?: string;
}

export interface OpfsAttachment {
  id: string;
  data: Blob;
  size: number;
  mimeType?: string;
}

const GRANT = ["CAT.agent.opfs"] as const;

/** Paths are those of the workspace (src/files/paths.ts); `op` names a change, so that one sent again is not made twice. */
export const opfsContract = contract("agent.opfs", "script", {
  write: call(
    z.object({
      op: z.string().check(z.maxLength(100)),
      path: z.string(),
      content: z.union(
        [z.string(), z.instanceof(Blob)],
        "it has to be text or a Blob. Put bytes into new Blob([bytes]), and values into JSON.stringify(value).",
      ),
      /** Text that travels as a Blob because it is long. */
      isText: z.optional(z.boolean()),
    }),
    GRANT,
  ).returns<{ path: string; size: number }>(),
  read: call(
    z.object({
      path: z.string(),
      as: z.enum(["text", "blob"], 'the format has to be "text", "blob" or "bloburl".'),
    }),
    GRANT,
  ).returns<OpfsFile>(),
  list: call(z.object({ path: z.string() }), GRANT).returns<OpfsEntry[]>(),
  delete: call(z.object({ op: z.string().check(z.maxLength(100)), path: z.string() }), GRANT).returns<{
    success: true;
  }>(),
  readAttachment: call(z.object({ id: z.string() }), GRANT).returns<OpfsAttachment>(),
});

export type OpfsContract = typeof opfsContract;
