import type { OpfsContract, OpfsEntry } from "@/agent/contract/opfs";
import type { CallContext, Caller } from "@/rpc/caller";
import type { Handlers } from "@/rpc/contract";
import { NamedError } from "@/rpc/errors";
import type { AttachmentService } from "./attachments";
import { decodeDataUrl } from "./data-url";
import { bytesInWords } from "./errors";
import { mimeTypeOf } from "./mime";
import { splitPath } from "./paths";
import type { FileService } from "./service";
import type { FilePlace } from "./types";

/** The most that a script can write at once. */
export const MAX_SCRIPT_WRITE_BYTES = 512 * 1024 * 1024;
/** A data: URL is in memory whole while it is decoded. */
const MAX_DATA_URL_CHARACTERS = 64 * 1024 * 1024;

/** `CAT.agent.opfs`: a script's way to files. It leads to the workspace, which all that have the grant share, and nowhere else. */
export function scriptFileHandlers(
  files: FileService,
  attachments: AttachmentService,
): Handlers<OpfsContract, CallContext> {
  return {
    write: async ({ op, path, content, isText }, ctx) => {
      const bytes = typeof content === "string" || isText ? await fromText(content) : content;
      const size = bytes instanceof Blob ? bytes.size : bytes.length;
      if (size > MAX_SCRIPT_WRITE_BYTES) throw tooLarge(path, size);
      return files.write(workspace(path), bytes, named(op, ctx.caller));
    },
    read: async ({ path, as }) => {
      const mimeType = mimeTypeOf(path);
      if (as === "text") {
        const { text, size } = await files.readText(workspace(path));
        return { path, content: text, size, mimeType };
      }
      const data = await files.read(workspace(path));
      return { path, data: new Blob([data], { type: mimeType }), size: data.size, mimeType };
    },
    list: async ({ path }) =>
      (await files.list(workspace(path))).map(({ path: at, type, size }): OpfsEntry => {
        const { name } = splitPath(at);
        return type === "file" ? { name, type, size } : { name, type };
      }),
    delete: async ({ op, path }, ctx) => {
      await files.delete(workspace(path), named(op, ctx.caller));
      return { success: true };
    },
    readAttachment: async ({ id }, { caller }) => {
      // One of somebody else is not there, as far as this script can tell.
      const mine = caller.kind === "script" ? `conversation:${caller.uuid}/` : null;
      const owners = await attachments.owners(id);
      if (mine === null || !owners.some((owner) => owner.startsWith(mine))) throw noAttachment(id);
      const { row, data } = await attachments.read(id);
      return { id, data, size: row.size, mimeType: row.mimeType };
    },
  };
}

function workspace(path: string): FilePlace {
  return { area: "workspace", path };
}

/** Two scripts that name their changes alike name two changes. */
function named(op: string, caller: Caller): string {
  return caller.kind === "script" ? `${caller.uuid} ${op}` : op;
}

async function fromText(content: string | Blob): Promise<Uint8Array<ArrayBuffer> | Blob> {
  if (typeof content === "string") return decodeDataUrl(content) ?? new TextEncoder().encode(content);
  if ((await content.slice(0, 5).text()).toLowerCase() !== "data:") return content;
  if (content.size > MAX_DATA_URL_CHARACTERS) {
    throw new NamedError(
      "TooLargeError",
      `A data: URL of ${bytesInWords(content.size)} is too long to be decoded. Hand the content in as a Blob.`,
    );
  }
  return decodeDataUrl(await content.text()) ?? content;
}

function tooLarge(path: string, size: number): NamedError {
  return new NamedError(
    "TooLargeError",
    `“${path.slice(0, 120)}” was not written: a script can write ${bytesInWords(MAX_SCRIPT_WRITE_BYTES)} at once, and this is ${bytesInWords(size)}. Write it as several files.`,
  );
}

function noAttachment(id: string): NamedError {
  return new NamedError(
    "NotFoundError",
    `No conversation of this script has an attachment “${id.slice(0, 80)}”. It may have been deleted with its conversation.`,
  );
}
