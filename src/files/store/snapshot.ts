import type { StoredFile } from "./opfs";

/** What is read at once. The browser takes each piece over, to memory or disk as it sees fit. */
const PIECE_BYTES = 8 * 1024 * 1024;

/**
 * The content of a file as a Blob that is a copy. The Blob that the browser itself gives for a file (`getFile()`) is none: measured in Chromium
 * 156, once the file is replaced, moved or deleted, reading it fails with NotReadableError or NotFoundError.
 */
export async function readSnapshot(file: StoredFile): Promise<Blob> {
  const access = await file.createSyncAccessHandle({ mode: "read-only" });
  try {
    const size = access.getSize();
    const pieces: Blob[] = [];
    for (let at = 0; at < size; at += PIECE_BYTES) {
      const bytes = new Uint8Array(Math.min(PIECE_BYTES, size - at));
      const read = access.read(bytes, { at });
      pieces.push(new Blob([bytes.subarray(0, read)]));
      // In between, others have their turn: this goes on for a while with a large file.
      if (at + PIECE_BYTES < size) await new Promise<void>((resolve) => setTimeout(resolve));
    }
    return new Blob(pieces);
  } finally {
    access.close();
  }
}
