import { isADirectory, notADirectory, notFound } from "../errors";
import { withinArea } from "../paths";
import {
  FILE_AREAS,
  type FilePart,
  type FilePlace,
  type FileStat,
  type FileUsage,
  MAX_PART_BYTES,
} from "../types";
import type { StoreCore } from "./core";
import type { StoredFile } from "./opfs";
import { readSnapshot } from "./snapshot";
import { entriesOf, factsOf, findEntry, walk } from "./tree";

/** Looking at files. Readers see the content before a change or after it. Rejects with the errors of ../errors.ts. */
export class FileReads {
  readonly #core: StoreCore;

  constructor(core: StoreCore) {
    this.#core = core;
  }

  /** A whole file as a Blob of its own, which later changes of the file do not touch. */
  read(place: FilePlace): Promise<Blob> {
    return this.#shared(place, async (_path, find) => readSnapshot(await find()));
  }

  /**
   * A part of a file; less than asked for at its end.
   * @param length bytes, at most MAX_PART_BYTES are given
   * @param version of the part before; when the file has another one by now, FileChangedError
   */
  range(place: FilePlace, offset: number, length: number, version?: string): Promise<FilePart> {
    const { versions, openFiles } = this.#core;
    return this.#shared(place, async (path, find) => {
      versions.check(path, version);
      return openFiles.read(path, find, (access) => {
        const size = access.getSize();
        const wanted = Math.max(0, Math.min(length, MAX_PART_BYTES, size - offset));
        const bytes = new Uint8Array(wanted);
        const read = wanted > 0 ? access.read(bytes, { at: offset }) : 0;
        return { bytes: read === wanted ? bytes : bytes.slice(0, read), size, version: versions.of(path) };
      });
    });
  }

  /** @throws NamedError NotFoundError */
  stat(place: FilePlace): Promise<FileStat> {
    const job = async (path: string): Promise<FileStat> => {
      const { root, journal } = await this.#core.open();
      return this.#core.content.with([{ path, mode: "shared" }], async () => {
        await journal.readable(path);
        const entry = await findEntry(root, path);
        if (entry?.kind === "directory") return folderStat(withinArea(path));
        const [facts] = entry ? await factsOf([entry]) : [];
        if (!facts) throw notFound(place.path);
        return { path: withinArea(path), type: "file", ...facts };
      });
    };
    return this.#core.at(place, job, { areaToo: true });
  }

  /** What is directly in a folder, by name. An area that nothing was written to yet is empty. */
  list(place: FilePlace): Promise<FileStat[]> {
    const job = async (path: string): Promise<FileStat[]> => {
      const { root, journal } = await this.#core.open();
      return this.#core.content.with([{ path, mode: "shared", subtree: true }], async () => {
        await journal.readable(path);
        const folder = await findEntry(root, path);
        if (!folder && place.path === "") return [];
        if (!folder) throw notFound(place.path);
        if (folder.kind === "file") throw notADirectory(place.path);
        const entries = await entriesOf(folder);
        const sizes = await factsOf(entries.filter((entry) => entry.kind === "file"));
        let next = 0;
        return entries.flatMap((entry): FileStat[] => {
          const at = withinArea(`${path}/${entry.name}`);
          if (entry.kind === "directory") return [folderStat(at)];
          const facts = sizes[next++];
          return facts ? [{ path: at, type: "file", ...facts }] : [];
        });
      });
    };
    return this.#core.at(place, job, { areaToo: true });
  }

  /** Bytes and files of each area. It takes no lock, since it may take a while: what changes meanwhile is counted or not. */
  async usage(): Promise<FileUsage> {
    const { root } = await this.#core.open();
    const areas: FileUsage["areas"] = [];
    for (const area of FILE_AREAS) {
      const folder = await findEntry(root, area);
      const files: StoredFile[] = [];
      if (folder?.kind === "directory") {
        for await (const { entry } of walk(folder)) if (entry.kind === "file") files.push(entry);
      }
      const facts = (await factsOf(files)).filter((each) => each !== undefined);
      areas.push({ area, files: facts.length, bytes: facts.reduce((sum, { size }) => sum + size, 0) });
    }
    const { usage, quota } = await this.#core.room.look();
    return { areas, usedBytes: usage, quotaBytes: quota };
  }

  /** Does something with a file while nothing puts a change in place there. */
  #shared<T>(
    place: FilePlace,
    job: (path: string, find: () => Promise<StoredFile>) => Promise<T>,
  ): Promise<T> {
    return this.#core.at(place, async (path) => {
      const { root, journal } = await this.#core.open();
      return this.#core.content.with([{ path, mode: "shared" }], async () => {
        await journal.readable(path);
        return job(path, async () => {
          const entry = await findEntry(root, path);
          if (!entry) throw notFound(place.path);
          if (entry.kind === "directory") throw isADirectory(place.path);
          return entry;
        });
      });
    });
  }
}

function folderStat(path: string): FileStat {
  return { path, type: "directory", size: 0, modifiedAt: 0 };
}
