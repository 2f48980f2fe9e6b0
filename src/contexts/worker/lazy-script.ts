/**
 * A second bundle of the classic worker. A worker may call importScripts later only for scripts that it loaded while it was being
 * installed, so `prime()` belongs into the install handler, and `load()` may then be called at any time in any later start.
 */
export class LazyScript<T> {
  #loaded: T | undefined;

  constructor(
    private readonly file: string,
    private readonly read: () => T | undefined,
  ) {}

  /** Loads the script so that the browser keeps it with the worker. */
  prime(): void {
    importScripts(this.file);
  }

  load(): T {
    if (this.#loaded !== undefined) return this.#loaded;
    let found = this.read();
    if (found === undefined) {
      importScripts(this.file);
      found = this.read();
    }
    if (found === undefined)
      throw new Error(
        `${this.file} did not define what it should. The build is incomplete; reinstall Moggy.`,
      );
    this.#loaded = found;
    return found;
  }
}
