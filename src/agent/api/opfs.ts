import type { OpfsAttachment, OpfsContract, OpfsEntry, OpfsFile } from "@/agent/contract/opfs";
import { newId } from "./support";
import type { AgentSession } from "./types";

/** As they were before a script of this world could replace them. */
const { Blob: NativeBlob, URL: NativeURL } = globalThis;
const { createObjectURL } = NativeURL ?? {};

/** Text of more characters than this travels as a Blob, since a message holds 64 MiB. */
const LONG_TEXT = 4_000_000;

export interface OpfsApi {
  write(path: string, content: string | Blob): Promise<{ path: string; size: number }>;
  read(path: string, format?: "text" | "blob" | "bloburl"): Promise<OpfsFile & { blobUrl?: string }>;
  list(path?: string): Promise<OpfsEntry[]>;
  delete(path: string): Promise<{ success: true }>;
  readAttachment(id: string): Promise<OpfsAttachment>;
}

/** `CAT.agent.opfs`: the workspace. Each call is sent again when the worker died during it: the store makes a change once. */
export function opfsApi({ rpc }: AgentSession): OpfsApi {
  const opfs = rpc.of<OpfsContract>("agent.opfs");
  const again = { repeatable: true };
  return {
    write: (path, content) => {
      const isLong = typeof content === "string" && content.length > LONG_TEXT;
      const sent = isLong ? { content: new NativeBlob([content]), isText: true } : { content };
      return opfs.call("write", { op: newId(), path, ...sent }, again);
    },
    read: async (path, format = "text") => {
      if (format !== "bloburl") return opfs.call("read", { path, as: format }, again);
      const { data, ...file } = await opfs.call("read", { path, as: "blob" }, again);
      return data ? { ...file, blobUrl: createObjectURL(data) } : file;
    },
    list: (path = "") => opfs.call("list", { path }, again),
    delete: (path) => opfs.call("delete", { op: newId(), path }, again),
    readAttachment: (id) => opfs.call("readAttachment", { id }, again),
  };
}
