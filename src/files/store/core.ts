import { SerialQueue } from "@/platform/serial-queue";
import { notThisFolder } from "../errors";
import { checkFolderPath } from "../paths";
import type { FilePlace } from "../types";
import { toFileError } from "./access-error";
import { Journal } from "./journal";
import { type Lock, LockTable } from "./locks";
import { OpenFiles } from "./open-files";
import type { FileSystem, Folder } from "./opfs";
import { Room } from "./room";
import { sweepTemps } from "./temp";
import { Versions } from "./versions";

export interface FileStoreDeps {
  files: FileSystem;
  /** A name that no other call returned. */
  id(): string;
}

/** What a start found of an end that came in the middle of something. */
export interface SweepReport {
  /** Temporary files that were removed. */
  temps: number;
  /** Changes that were undone or finished. */
  changes: number;
}

/** What reads and changes of files share: the opened file system, the locks, the versions. */
export class StoreCore {
  readonly deps: FileStoreDeps;
  /** Who changes what, from before the first byte. */
  readonly writers = new LockTable();
  /** What can be seen: readers share it, the step that puts a change in place has it alone. */
  readonly content = new LockTable();
  readonly openFiles = new OpenFiles();
  readonly versions: Versions;
  readonly room: Room;
  readonly #opening = new SerialQueue();
  #opened: { root: Folder; journal: Journal } | undefined;

  constructor(deps: FileStoreDeps) {
    this.deps = deps;
    this.versions = new Versions(deps.id);
    this.room = new Room(deps.files);
  }

  /** Settles what an earlier end cut off. Every operation does this first, if it was not done yet. */
  async sweep(): Promise<SweepReport> {
    const root = await this.deps.files.root();
    const journal = new Journal(root, this.deps.id);
    const notes = await journal.recover();
    const temps = await sweepTemps(root);
    await this.room.look();
    this.#opened = { root, journal };
    return { temps, changes: notes.length };
  }

  async open(): Promise<{ root: Folder; journal: Journal }> {
    if (!this.#opened) {
      await this.#opening.run(async () => {
        if (!this.#opened) await this.sweep();
      });
    }
    return this.#opened ?? this.open();
  }

  /** Does what changes what can be seen at these places, with nobody looking. */
  alone<T>(locks: Lock[], job: () => Promise<T>): Promise<T> {
    return this.content.with(locks, () => {
      this.openFiles.closeUnder(locks);
      return job();
    });
  }

  /**
   * Does a job with the checked path, area first, by which locks and notes go; makes errors of ours of what is thrown.
   * @param bytes that the job adds, about
   * @param areaToo whether the empty path, the area itself, can be meant
   */
  async at<T>(
    { area, path }: FilePlace,
    job: (path: string) => Promise<T>,
    { bytes = 0, areaToo = false } = {},
  ): Promise<T> {
    try {
      const checked = checkFolderPath(path);
      if (checked === "" && !areaToo) throw notThisFolder();
      return await job(checked === "" ? area : `${area}/${checked}`);
    } catch (error) {
      throw await toFileError(error, path, this.room, bytes);
    }
  }
}
