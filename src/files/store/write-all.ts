import { sourceUnreadable } from "../errors";
import type { SyncAccess } from "./opfs";

/** Writes all of it. @throws what the browser throws, or QuotaExceededError when it took nothing more */
export function writeAll(access: SyncAccess, bytes: Uint8Array<ArrayBuffer>, at: number): void {
  let done = 0;
  while (done < bytes.length) {
    const written = access.write(done === 0 ? bytes : bytes.subarray(done), { at: at + done });
    if (written <= 0) throw new DOMException("The browser took none of the bytes.", "QuotaExceededError");
    done += written;
  }
}

/**
 * Copies content to a place in a file, a Blob piece by piece, so that it is never in memory whole.
 * @param path for the error's sentence
 * @returns the number of bytes
 * @throws NamedError NotReadableError when a Blob cannot be read to its end
 */
export async function writeContent(
  access: SyncAccess,
  content: Blob | Uint8Array<ArrayBuffer>,
  at: number,
  path: string,
): Promise<number> {
  if (!(content instanceof Blob)) {
    writeAll(access, content, at);
    return content.length;
  }
  const reader = content.stream().getReader();
  let end = at;
  for (;;) {
    const piece = await reader.read().catch((error: unknown) => {
      throw sourceUnreadable(path, error);
    });
    if (piece.done) return end - at;
    try {
      writeAll(access, piece.value, end);
    } catch (error) {
      // The rest is not needed; that it cannot be let go of changes nothing of the error.
      reader.cancel().catch(() => undefined);
      throw error;
    }
    end += piece.value.length;
  }
}
