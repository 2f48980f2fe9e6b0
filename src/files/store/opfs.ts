/**
 * What the store uses of the Origin Private File System, as the browser has it (WHATWG File System Standard; `move` is Chromium's).
 * Declared here because TypeScript's DOM library has no sync access handles, and so that tests can put something under the
 * store that fails, or stops, where they say.
 */
export interface Folder {
  readonly kind: "directory";
  readonly name: string;
  getDirectoryHandle(name: string, options?: { create?: boolean }): Promise<Folder>;
  getFileHandle(name: string, options?: { create?: boolean }): Promise<StoredFile>;
  removeEntry(name: string, options?: { recursive?: boolean }): Promise<void>;
  entries(): AsyncIterable<[string, Folder | StoredFile]>;
}

export interface StoredFile {
  readonly kind: "file";
  readonly name: string;
  getFile(): Promise<{ readonly size: number; readonly lastModified: number }>;
  /** Takes the place of what is there under that name, in one step. Refused while either of them is open. */
  move(folder: Folder, name: string): Promise<void>;
  createSyncAccessHandle(options?: { mode: "readwrite" | "read-only" }): Promise<SyncAccess>;
}

/** Reads and writes without waiting. */
export interface SyncAccess {
  read(into: Uint8Array<ArrayBuffer>, options: { at: number }): number;
  write(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

/** The file system itself: its root and how full it is. */
export interface FileSystem {
  root(): Promise<Folder>;
  /** Bytes. */
  estimate(): Promise<{ usage: number; quota: number }>;
}

/** The browser's, in a dedicated worker: only there are sync access handles. */
export const browserFileSystem: FileSystem = {
  root: async () => (await navigator.storage.getDirectory()) as unknown as Folder,
  estimate: async () => {
    const { usage = 0, quota = 0 } = await navigator.storage.estimate();
    return { usage, quota };
  },
};
