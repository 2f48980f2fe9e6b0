import type { MoggyDatabase } from "@/platform/db";
import type { BatchStorage } from "@/platform/storage";

/** The files of the extension (OPFS), for steps. Paths are relative to the root and `/`-separated. */
export interface StepFiles {
  /** Paths of all files below a folder; none when there is no such folder. */
  list(folder: string): Promise<string[]>;
  /** Null when there is no such file. */
  read(path: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Replaces the file whole or not at all, and makes the folders that it needs. */
  write(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Does nothing when there is no such file. */
  remove(path: string): Promise<void>;
}

/** What steps work on. Nothing else uses any of it while they run. */
export interface MigrationStores {
  storage: BatchStorage;
  /** A connection of the steps' own, which they close. Opening it runs what Dexie's versions say. */
  openDatabase(): MoggyDatabase;
  files: StepFiles;
}

/** What a step changes in chrome.storage: stored all at once, together with the note that the step is done. */
export interface StorageChange {
  set?: Record<string, unknown>;
  remove?: string[];
}

/**
 * One change of what is stored, from the form before `to`. It must do nothing to what has its new form already, since it is run again
 * when it was cut off; and until it is done, what was there before must still be readable: write beside it or in one transaction.
 */
export type MigrationStep = {
  /** Unique among all steps of all times. */
  id: string;
  to: number;
} & (
  | { store: "storage"; run(read: (key: string) => Promise<unknown>): Promise<StorageChange> }
  | { store: "database"; run(db: MoggyDatabase): Promise<void> }
  | { store: "files"; run(files: StepFiles): Promise<void> }
);
