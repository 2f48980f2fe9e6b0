/**
 * Shapes of the file store: OPFS behind one worker. Paths are relative to an area, `/`-separated and in Unicode NFC; see paths.ts.
 */

/** The folders of the root. Each has its rules: only the workspace is open to scripts. */
export type FileArea = "workspace" | "attachments" | "skills" | "runs" | "results";

export const FILE_AREAS: readonly FileArea[] = ["workspace", "attachments", "skills", "runs", "results"];

/** A place in the store. The empty path is the area itself, for what takes folders. */
export interface FilePlace {
  area: FileArea;
  path: string;
}

export interface FileStat {
  /** Relative to the area. */
  path: string;
  type: "file" | "directory";
  /** Bytes; of a folder, 0. */
  size: number;
  /** ms since the epoch; of a folder, 0. */
  modifiedAt: number;
}

/** What a write made of a file. */
export interface WrittenFile {
  path: string;
  /** Bytes of the whole file. */
  size: number;
}

/** A part of a file, at most {@link MAX_PART_BYTES}. */
export interface FilePart {
  bytes: Uint8Array<ArrayBuffer>;
  /** Bytes of the whole file. */
  size: number;
  /** Changes with the content. Handed back with the next part, it keeps a reader from mixing two contents. */
  version: string;
}

/** The most that travels as one typed array, so that a message stays far under the browser's 64 MiB. */
export const MAX_PART_BYTES = 8 * 1024 * 1024;

export interface FileUsage {
  /** Bytes and number of files of each area. */
  areas: Array<{ area: FileArea; bytes: number; files: number }>;
  /** What the browser counts for the whole extension, and the most that it gives. */
  usedBytes: number;
  quotaBytes: number;
}

/** What a clean-up took away. */
export interface CleanUpResult {
  /** Attachments that nobody needed any more, and files that had lost their entry. */
  attachments: number;
  /** Entries whose file was gone. */
  entries: number;
  /** Bytes given back. */
  bytes: number;
}

/** An attachment of a conversation: its bytes lie in the area `attachments` under its id. */
export interface AttachmentRow {
  id: string;
  name: string;
  mimeType: string;
  type: "image" | "file" | "audio";
  /** Bytes. */
  size: number;
  /** ms since the epoch. */
  createdAt: number;
  /** Since when nobody needs it, in ms since the epoch; left out while somebody does. */
  unusedSince?: number;
}

/** Somebody who needs an attachment, such as `conversation:<id>`. One without any is deleted after a time of grace. */
export interface AttachmentRefRow {
  attachment: string;
  owner: string;
}
