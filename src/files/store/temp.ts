import { HIDDEN, removeIfThere } from "./journal";
import type { Folder, StoredFile, SyncAccess } from "./opfs";
import { entriesOf, openFolder } from "./tree";

const TEMPS = `${HIDDEN}/temp`;

/** A file that has no name yet: written in a hidden folder, then moved to where it belongs in one step of the browser. */
export class TempFile {
  #access: SyncAccess | null;
  /** Bytes written so far. */
  size = 0;

  private constructor(
    private readonly folder: Folder,
    private readonly file: StoredFile,
    access: SyncAccess,
  ) {
    this.#access = access;
  }

  static async create(root: Folder, name: string): Promise<TempFile> {
    const folder = await openFolder(root, TEMPS, true);
    const file = await folder.getFileHandle(name, { create: true });
    try {
      return new TempFile(folder, file, await file.createSyncAccessHandle({ mode: "readwrite" }));
    } catch (error) {
      await forget(folder, name);
      throw error;
    }
  }

  get access(): SyncAccess {
    if (!this.#access) throw new DOMException("This file was closed already.", "InvalidStateError");
    return this.#access;
  }

  /** Ends the writing: all of it is on the disk. */
  seal(): void {
    this.access.flush();
    this.#close();
  }

  /** Puts a sealed one in place, whatever file is there under that name. All of it is there afterwards, or nothing was changed. */
  async moveTo(parent: Folder, name: string): Promise<void> {
    await this.file.move(parent, name);
  }

  /** Drops it. Never rejects: what cannot be removed now is swept away at the next start. */
  async discard(): Promise<void> {
    this.#close();
    await forget(this.folder, this.file.name);
  }

  #close(): void {
    this.#access?.close();
    this.#access = null;
  }
}

async function forget(folder: Folder, name: string): Promise<void> {
  try {
    await removeIfThere(folder, name);
  } catch (error) {
    console.warn("A temporary file could not be removed; it goes at the next start:", error);
  }
}

/** Removes every temporary file: at a start, when none of them can be in use. @returns how many there were */
export async function sweepTemps(root: Folder): Promise<number> {
  const folder = await openFolder(root, TEMPS, true);
  const left = await entriesOf(folder);
  for (const { name } of left) await removeIfThere(folder, name);
  return left.length;
}
