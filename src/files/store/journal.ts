import { SerialQueue } from "@/platform/serial-queue";
import { storeUnavailable } from "../errors";
import { isInside, splitPath } from "../paths";
import { nameOf } from "./access-error";
import type { Folder, StoredFile } from "./opfs";
import { entriesOf, findEntry, openFolder } from "./tree";
import { writeAll } from "./write-all";

/** Folder of what is not done yet: writes that have no name yet, and notes of what must be undone or finished. */
export const HIDDEN = ".moggy";
const NOTES = `${HIDDEN}/journal`;

/**
 * What a change that takes more than one step is about to do. Paths are whole, area included. An append is undone: the file gets
 * the size it had. Changes of folders are finished.
 */
export type Note =
  | { do: "append"; path: string; size: number }
  | { do: "move-folder"; path: string; to: string }
  | { do: "delete-folder"; path: string };

/** A note that could not be settled yet. Without a note it only has to go: its change never began. */
interface Leftover {
  note: Note | null;
  paths: string[];
}

/** Notes on the disk: each is there before its change begins, and a change is done when its note is gone. */
export class Journal {
  readonly #root: Folder;
  readonly #id: () => string;
  readonly #leftovers = new Map<string, Leftover>();
  readonly #queue = new SerialQueue();

  constructor(root: Folder, id: () => string) {
    this.#root = root;
    this.#id = id;
  }

  /**
   * Makes a change that takes more than one step. When it fails, what it did is settled as its note says, at once or, when that
   * fails too, before anything else is done with these paths.
   */
  async run(note: Note, change: () => Promise<void>, undo: Note = note): Promise<void> {
    const name = this.#id();
    const paths = pathsOf(note);
    await this.#write(name, note).catch((error: unknown) => this.#giveUp(name, { note: null, paths }, error));
    try {
      await change();
      await this.#remove(name);
    } catch (error) {
      await this.#giveUp(name, { note: undo, paths }, error);
    }
  }

  /** Settles what earlier changes left, before one of these paths is changed. @throws NamedError StoreUnavailableError */
  ready(...paths: string[]): Promise<void> {
    return this.#settleAll((leftover) => concerns(leftover, paths));
  }

  /** The same before one is looked at: a change that never began is no hindrance. */
  readable(path: string): Promise<void> {
    return this.#settleAll((leftover) => leftover.note !== null && concerns(leftover, [path]));
  }

  /** @param isInTheWay whether the job that waits must not go on while this could not be settled */
  #settleAll(isInTheWay: (leftover: Leftover) => boolean): Promise<void> {
    if (this.#leftovers.size === 0) return Promise.resolve();
    return this.#queue.run(async () => {
      for (const [name, leftover] of this.#leftovers) {
        try {
          await this.#settle(name, leftover);
        } catch (error) {
          // It is tried again at each operation; those that have nothing to do with it go on.
          if (isInTheWay(leftover)) {
            throw storeUnavailable(
              "an earlier change of this file failed and could not be undone yet. Free some space on the disk, then try again.",
              error,
            );
          }
        }
      }
    });
  }

  /** Settles every note on the disk: after a start. It can be interrupted and done again. @returns what was found */
  async recover(): Promise<Note[]> {
    const folder = await openFolder(this.#root, NOTES, true);
    const found: Note[] = [];
    for (const entry of await entriesOf(folder)) {
      const note = entry.kind === "file" ? await readNote(entry) : null;
      await this.#settle(entry.name, { note, paths: [] });
      if (note) found.push(note);
    }
    return found;
  }

  async #write(name: string, note: Note): Promise<void> {
    const folder = await openFolder(this.#root, NOTES, true);
    const file = await folder.getFileHandle(name, { create: true });
    const access = await file.createSyncAccessHandle({ mode: "readwrite" });
    try {
      writeAll(access, new TextEncoder().encode(JSON.stringify(note)), 0);
      access.flush();
    } finally {
      access.close();
    }
  }

  async #remove(name: string): Promise<void> {
    await removeIfThere(await openFolder(this.#root, NOTES, true), name);
  }

  async #giveUp(name: string, leftover: Leftover, error: unknown): Promise<never> {
    try {
      await this.#settle(name, leftover);
    } catch {
      // The first error is the one to tell; ready() tries to settle this again.
      this.#leftovers.set(name, leftover);
    }
    throw error;
  }

  async #settle(name: string, { note }: Leftover): Promise<void> {
    if (note?.do === "append") await this.#truncate(note.path, note.size);
    else if (note) {
      if (note.do === "move-folder") await moveFiles(this.#root, note.path, note.to);
      await this.#delete(note.path);
    }
    await this.#remove(name);
    this.#leftovers.delete(name);
  }

  async #delete(path: string): Promise<void> {
    const { folder, name } = splitPath(path);
    const parent = await findEntry(this.#root, folder);
    if (parent?.kind === "directory") await removeIfThere(parent, name);
  }

  async #truncate(path: string, size: number): Promise<void> {
    const file = await findEntry(this.#root, path);
    if (file?.kind !== "file") return;
    const access = await file.createSyncAccessHandle({ mode: "readwrite" });
    try {
      if (access.getSize() > size) {
        access.truncate(size);
        access.flush();
      }
    } finally {
      access.close();
    }
  }
}

/** Moves everything in one folder into another, file by file. Done again, it goes on where it stopped. */
export async function moveFiles(root: Folder, from: string, to: string): Promise<void> {
  const source = await findEntry(root, from);
  if (source?.kind === "directory") await moveInto(source, await openFolder(root, to, true));
}

/** From folder to folder, not by paths from the root: a deep tree would be walked anew for each of its folders. */
async function moveInto(source: Folder, target: Folder): Promise<void> {
  for (const entry of await entriesOf(source)) {
    if (entry.kind === "file") await entry.move(target, entry.name);
    else await moveInto(entry, await target.getDirectoryHandle(entry.name, { create: true }));
  }
}

/** Removes an entry and all that is in it. */
export async function removeIfThere(folder: Folder, name: string): Promise<void> {
  try {
    await folder.removeEntry(name, { recursive: true });
  } catch (error) {
    if (nameOf(error) !== "NotFoundError") throw error;
  }
}

/** A note that was cut off while it was written is none: its change had not begun. */
async function readNote(file: StoredFile): Promise<Note | null> {
  const access = await file.createSyncAccessHandle({ mode: "read-only" });
  try {
    const bytes = new Uint8Array(access.getSize());
    access.read(bytes, { at: 0 });
    return JSON.parse(new TextDecoder().decode(bytes)) as Note;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  } finally {
    access.close();
  }
}

function pathsOf(note: Note): string[] {
  return note.do === "move-folder" ? [note.path, note.to] : [note.path];
}

function concerns(leftover: Leftover, paths: readonly string[]): boolean {
  return leftover.paths.some((path) => paths.some((other) => touches(path, other)));
}

function touches(a: string, b: string): boolean {
  return a === b || isInside(a, b) || isInside(b, a);
}
