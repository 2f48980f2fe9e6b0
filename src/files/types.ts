/** Shapes of the file store: OPFS behind one worker. Paths are relative, `/`-separated and in Unicode NFC; see paths.ts. */

/** The folders of the root. Each has its rules: only the workspace is open to scripts. */
export type FileArea = "workspace" | "attachments" | "skills" | "runs" | "results";

export const FILE_AREAS: readonly FileArea[] = ["workspace", "attachments", "skills", "runs", "results"];

export interface FileStat {
  /** Relative to the area. */
  path: string;
  type: "file" | "directory";
  /** Bytes; of a folder, 0. */
  size: number;
  /** ms since the epoch; of a folder, 0. */
  modifiedAt: number;
}

export interface FileUsage {
  /** Bytes and number of files of each area. */
  areas: Array<{ area: FileArea; bytes: number; files: number }>;
  /** What the browser counts for the whole extension, and the most that it gives. */
  usedBytes: number;
  quotaBytes: number;
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
}

/** Somebody who needs an attachment, such as `conversation:<id>`. One without any is deleted after a time of grace. */
export interface AttachmentRefRow {
  attachment: string;
  owner: string;
}
