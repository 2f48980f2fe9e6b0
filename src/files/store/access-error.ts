import { NamedError } from "@/rpc/errors";
import { diskFull, isADirectory, notFound, quotaExceeded, storeUnavailable } from "../errors";
import type { FileSystem } from "./opfs";

/**
 * What the browser throws, as an error of ours about a path. Measured in Chromium 156: a full disk throws QuotaExceededError too, so the
 * two are told apart by what the browser counts.
 * @param wanted bytes that were to be added
 */
export async function toFileError(
  error: unknown,
  path: string,
  files: FileSystem,
  wanted = 0,
): Promise<NamedError> {
  if (error instanceof NamedError) return error;
  switch (nameOf(error)) {
    case "QuotaExceededError": {
      const { usage, quota } = await files.estimate();
      return usage + wanted >= quota ? quotaExceeded(path, usage, quota) : diskFull(path, usage);
    }
    case "NotFoundError":
      return notFound(path);
    case "TypeMismatchError":
    case "InvalidModificationError":
      return isADirectory(path);
    case "NoModificationAllowedError":
      return storeUnavailable(
        "something outside of the store holds the file open. Try again in a moment.",
        error,
      );
    default: {
      const why = error instanceof Error ? error.message : String(error);
      return storeUnavailable(`${why} Try again; if it stays so, start the browser anew.`, error);
    }
  }
}

/** The name of what was thrown: DOMExceptions are told apart by it. */
export function nameOf(error: unknown): string {
  return typeof error === "object" && error !== null && "name" in error ? String(error.name) : "";
}
