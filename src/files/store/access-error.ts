import { NamedError } from "@/rpc/errors";
import { isADirectory, notFound, storeUnavailable } from "../errors";
import type { Room } from "./room";

/**
 * What the browser throws, as an error of ours about a path.
 * @param bytes that were to be added, about
 */
export async function toFileError(
  error: unknown,
  path: string,
  room: Room,
  bytes: number,
): Promise<NamedError> {
  if (error instanceof NamedError) {
    // Whatever could not be done on a full disk, the disk is what the person can do something about.
    const isFull = error.name === "StoreUnavailableError" && bytes > 0 && (await room.isFullFor(bytes));
    return isFull ? room.errorFor(path, bytes) : error;
  }
  switch (nameOf(error)) {
    case "QuotaExceededError":
      return room.errorFor(path, bytes);
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
      if (bytes > 0 && (await room.isFullFor(bytes))) return room.errorFor(path, bytes);
      const why = error instanceof Error ? error.message : String(error);
      return storeUnavailable(`${why} Try again; if it stays so, start the browser anew.`, error);
    }
  }
}

/** The name of what was thrown: DOMExceptions are told apart by it. */
export function nameOf(error: unknown): string {
  return typeof error === "object" && error !== null && "name" in error ? String(error.name) : "";
}
