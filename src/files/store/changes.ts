import { alreadyExists, invalidPath, isADirectory, notFound } from "../errors";
import { isInside, splitPath, withinArea } from "../paths";
import type { FilePlace, WrittenFile } from "../types";
import type { StoreCore } from "./core";
import { HIDDEN, moveFiles, removeIfThere } from "./journal";
import type { Lock } from "./locks";
import type { Folder, StoredFile } from "./opfs";
import { TempFile } from "./temp";
import { entriesOf, findEntry, openFolder } from "./tree";
import { writeContent } from "./write-all";

export type Content = Blob | Uint8Array<ArrayBuffer>;

/** Bytes that are about to be added where nobody knows how many: only for the choice between two errors. */
const UNKNOWN = 1;

/**
 * Changes of files, each whole or not at all, also when the process ends in the middle of it. Writers of one path come one after
 * the other, in the order in which they asked. Rejects with the errors of ../errors.ts.
 */
export class FileChanges {
  readonly #core: StoreCore;

  constructor(core: StoreCore) {
    this.#core = core;
  }

  /** Writes a whole file, folders on the way to it included. */
  write(place: FilePlace, content: Content): Promise<WrittenFile> {
    const job = (path: string) =>
      this.#core.writers.with([placing(path)], async () => {
        const { root, journal } = await this.#core.open();
        await journal.ready(path);
        await refuseFolder(root, path);
        return this.#writeWhole(path, content);
      });
    return this.#core.at(place, job, { bytes: sizeOf(content) });
  }

  /** Begins a file that comes in parts and has no name yet: `commit` gives it one. */
  async begin(place: FilePlace): Promise<TempFile> {
    const job = async (path: string) => {
      const { root } = await this.#core.open();
      await refuseFolder(root, path);
      return TempFile.create(root, this.#core.deps.id());
    };
    return this.#core.at(place, job, { bytes: UNKNOWN });
  }

  /** Puts a file that came in parts in place. On an error it is gone, and what was there before is there still. */
  commit(place: FilePlace, temp: TempFile): Promise<WrittenFile> {
    const job = (path: string) =>
      this.#core.writers.with([placing(path)], async () => {
        const { root, journal } = await this.#core.open();
        try {
          await journal.ready(path);
          await refuseFolder(root, path);
          return await this.#place(temp, path);
        } catch (error) {
          await temp.discard();
          throw error;
        }
      });
    return this.#core.at(place, job, { bytes: UNKNOWN });
  }

  /** Adds to the end of a file, or makes it. All of it is added, or nothing. */
  append(place: FilePlace, content: Content): Promise<WrittenFile> {
    const job = (path: string) =>
      this.#core.writers.with([placing(path)], async () => {
        const { root, journal } = await this.#core.open();
        await journal.ready(path);
        const file = await findEntry(root, path);
        if (file?.kind === "directory") throw isADirectory(place.path);
        if (!file) return this.#writeWhole(path, content);
        return this.#core.alone([{ path, mode: "exclusive" }], () => this.#append(path, file, content));
      });
    return this.#core.at(place, job, { bytes: sizeOf(content) });
  }

  /** Moves or renames a file or a folder. Nothing is overwritten, unless a file shall take a file's place. */
  move(from: FilePlace, to: FilePlace, overwrite = false): Promise<void> {
    return this.#core.at(from, async (source) => {
      const target = await this.#core.at(to, async (path) => path);
      if (source === target) return;
      if (isInside(target, source))
        throw invalidPath(to.path, "it lies in the folder that is to be moved there.");
      const locks: Lock[] = [source, target].map((path) => ({ path, mode: "exclusive", subtree: true }));
      await this.#core.writers.with(locks, () =>
        this.#core.alone(locks, async () => {
          const { root, journal } = await this.#core.open();
          await journal.ready(source, target);
          const entry = await findEntry(root, source);
          if (!entry) throw notFound(from.path);
          const there = await findEntry(root, target);
          if (there && !(overwrite && there.kind === "file" && entry.kind === "file"))
            throw alreadyExists(to.path);
          if (entry.kind === "file") {
            const { folder, name } = splitPath(target);
            await entry.move(await openFolder(root, folder, true), name);
          } else {
            // The browser moves no folders: its files are moved one by one, and back when one cannot be.
            await journal.run(
              { do: "move-folder", path: source, to: target },
              async () => {
                await moveFiles(root, source, target);
                await removeEntry(root, source);
              },
              { do: "move-folder", path: target, to: source },
            );
          }
          this.#core.versions.forgetAll();
        }),
      );
    });
  }

  /** Deletes a file, or a folder with all that is in it. */
  delete(place: FilePlace): Promise<void> {
    return this.#core.at(place, async (path) => {
      const locks: Lock[] = [{ path, mode: "exclusive", subtree: true }];
      await this.#core.writers.with(locks, () =>
        this.#core.alone(locks, async () => {
          const { root, journal } = await this.#core.open();
          await journal.ready(path);
          const entry = await findEntry(root, path);
          if (!entry) throw notFound(place.path);
          if (entry.kind === "file") await removeEntry(root, path);
          else await journal.run({ do: "delete-folder", path }, () => removeEntry(root, path));
          this.#core.versions.forgetAll();
        }),
      );
    });
  }

  /** Deletes everything, whatever it is. */
  async clear(): Promise<void> {
    const { root } = await this.#core.open();
    const locks: Lock[] = [{ path: "", mode: "exclusive", subtree: true }];
    await this.#core.writers.with(locks, () =>
      this.#core.alone(locks, async () => {
        for (const { name } of await entriesOf(root)) if (name !== HIDDEN) await removeIfThere(root, name);
        this.#core.versions.forgetAll();
      }),
    );
  }

  /** For who has the right to write: content goes into a file without a name, which then gets this one. */
  async #writeWhole(path: string, content: Content): Promise<WrittenFile> {
    const { root } = await this.#core.open();
    const temp = await TempFile.create(root, this.#core.deps.id());
    try {
      temp.size = await writeContent(temp.access, content, 0, withinArea(path));
      return await this.#place(temp, path);
    } catch (error) {
      await temp.discard();
      throw error;
    }
  }

  /** Gives a complete temporary file its name. */
  async #place(temp: TempFile, path: string): Promise<WrittenFile> {
    const { root } = await this.#core.open();
    temp.seal();
    await this.#core.alone([placing(path)], async () => {
      const { folder, name } = splitPath(path);
      await temp.moveTo(await openFolder(root, folder, true), name);
      this.#core.versions.changed(path);
    });
    return { path: withinArea(path), size: temp.size };
  }

  async #append(path: string, file: StoredFile, content: Content): Promise<WrittenFile> {
    const { journal } = await this.#core.open();
    const before = (await file.getFile()).size;
    let added = 0;
    await journal.run({ do: "append", path, size: before }, async () => {
      const access = await file.createSyncAccessHandle({ mode: "readwrite" });
      try {
        added = await writeContent(access, content, before, withinArea(path));
        access.flush();
      } finally {
        access.close();
      }
    });
    this.#core.versions.changed(path);
    return { path: withinArea(path), size: before + added };
  }
}

function sizeOf(content: Content): number {
  return content instanceof Blob ? content.size : content.length;
}

/** The lock of who puts a file at a path. Nothing can lie below a file: whoever makes or uses something there has to come before it. */
function placing(path: string): Lock {
  return { path, mode: "exclusive", subtree: true };
}

async function refuseFolder(root: Folder, path: string): Promise<void> {
  if ((await findEntry(root, path))?.kind === "directory") throw isADirectory(withinArea(path));
}

async function removeEntry(root: Folder, path: string): Promise<void> {
  const { folder, name } = splitPath(path);
  await removeIfThere(await openFolder(root, folder), name);
}
