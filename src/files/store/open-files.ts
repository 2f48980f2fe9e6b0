import type { Lock } from "./locks";
import type { StoredFile, SyncAccess } from "./opfs";

/** Files that are kept open at most; each is a handle of the browser's. */
const MOST = 8;
/** How long one is kept after it was last read. */
const IDLE_MS = 1_000;

interface OpenFile {
  access: SyncAccess;
  timer: ReturnType<typeof setTimeout>;
}

/**
 * Files that are read part by part stay open in between, since opening one takes the browser longer than reading it. While one is open
 * it can be neither replaced nor deleted: whoever is about to do that closes it first.
 */
export class OpenFiles {
  readonly #open = new Map<string, OpenFile>();

  /**
   * Reads the file at a path, under a shared lock of it.
   * @param use is called when the file is open, and must be done when it returns: a file that nobody is reading may be closed
   */
  async read<T>(path: string, find: () => Promise<StoredFile>, use: (access: SyncAccess) => T): Promise<T> {
    if (!this.#open.has(path)) {
      const access = await (await find()).createSyncAccessHandle({ mode: "read-only" });
      // Two readers may have come at once.
      if (this.#open.has(path)) access.close();
      else this.#keep(path, access);
    }
    const file = this.#open.get(path);
    if (!file) throw new DOMException("The file was closed while it was opened.", "InvalidStateError");
    clearTimeout(file.timer);
    // The last in line is the last to be closed.
    this.#open.delete(path);
    this.#keep(path, file.access);
    return use(file.access);
  }

  /** Closes what lies under these locks. */
  closeUnder(locks: readonly Lock[]): void {
    for (const path of [...this.#open.keys()]) {
      const isUnder = (lock: Lock) =>
        path === lock.path ||
        (lock.subtree === true && (lock.path === "" || path.startsWith(`${lock.path}/`)));
      if (locks.some(isUnder)) this.#close(path);
    }
  }

  #keep(path: string, access: SyncAccess): void {
    this.#open.set(path, { access, timer: setTimeout(() => this.#close(path), IDLE_MS) });
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST && oldest !== undefined) this.#close(oldest);
  }

  #close(path: string): void {
    const file = this.#open.get(path);
    if (!file) return;
    clearTimeout(file.timer);
    this.#open.delete(path);
    file.access.close();
  }
}
