import { NamedError } from "@/rpc/errors";

/*
 * The errors of files. Scripts and pages tell them apart by name; the sentence says what happened and what to do. A path in them
 * is shortened, since it can come from anybody.
 */

const LONGEST_SHOWN = 120;

export function invalidPath(path: string, why: string): NamedError {
  return new NamedError("InvalidPathError", `${shown(path)} cannot be the path of a file here: ${why}`);
}

export function notFound(path: string): NamedError {
  return new NamedError("NotFoundError", `There is no ${shown(path)}. List its folder to see what there is.`);
}

export function alreadyExists(path: string): NamedError {
  return new NamedError(
    "AlreadyExistsError",
    `${shown(path)} exists already. Choose another name, or delete it first.`,
  );
}

/** @param path the part of the path that is a file, though something below it was asked for */
export function notADirectory(path: string): NamedError {
  return new NamedError("NotADirectoryError", `${shown(path)} is a file, not a folder. Use another path.`);
}

export function isADirectory(path: string): NamedError {
  return new NamedError("IsADirectoryError", `${shown(path)} is a folder, not a file. Name a file in it.`);
}

/** @param used bytes that the extension holds, @param quota the most it may hold */
export function quotaExceeded(path: string, used: number, quota: number): NamedError {
  return new NamedError(
    "QuotaExceededError",
    `${shown(path)} was not written: ${bytesInWords(used)} of the ${bytesInWords(quota)} that the browser gives Moggy are used. Delete files that you do not need, or free some space on the disk, then try again. Nothing was changed.`,
    { data: { used, quota } },
  );
}

export function diskFull(path: string, used: number): NamedError {
  return new NamedError(
    "DiskFullError",
    `${shown(path)} was not written: the disk that holds the browser's profile has no room left (Moggy uses ${bytesInWords(used)} of it). Free some space, then try again. Nothing was changed.`,
    { data: { used } },
  );
}

export function storeUnavailable(why: string, cause?: unknown): NamedError {
  return new NamedError("StoreUnavailableError", `The file store cannot be used: ${why}`, { cause });
}

/** The bytes that a caller handed in could not be read to their end. */
export function sourceUnreadable(path: string, cause: unknown): NamedError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new NamedError(
    "NotReadableError",
    `What was to be written to ${shown(path)} could not be read: ${why} The file was not changed. Hand the content in again.`,
    { cause },
  );
}

/** A file was replaced between two parts of one read. */
export function fileChanged(path: string): NamedError {
  return new NamedError(
    "FileChangedError",
    `${shown(path)} was changed while it was being read in parts. Read it again from the start.`,
  );
}

/** A write in parts ended without its end: its worker or its caller was gone for too long. */
export function writeLost(): NamedError {
  return new NamedError(
    "WriteLostError",
    "The write in parts is not under way any more: the file store was started anew, or nothing came for too long. The file is as it was before. Write it again from the start.",
  );
}

/** The area's own root cannot be written, moved or deleted as if it were a file. */
export function notThisFolder(): NamedError {
  return invalidPath("", "it is empty. Name a file or a folder.");
}

/** Such as "12.3 MB"; 1 MB is 1,000,000 bytes, as in the file managers of most systems. */
export function bytesInWords(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${units[unit]}`;
}

function shown(path: string): string {
  const text = JSON.stringify(path.toWellFormed()).slice(1, -1);
  return `“${text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text}”`;
}
