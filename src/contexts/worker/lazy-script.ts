const ALL: Array<{ prime(): void }> = [];

/**
 * Loads every {@link LazyScript}, so that the browser keeps them with the worker: a worker may call importScripts later only for what it
 * loaded while it was being installed. To be called in the handler of the worker's own install event, not the extension's.
 */
export function primeLazyScripts(): void {
  for (const script of ALL) script.prime();
}

/**
 * A second bundle of the classic worker. To be made while the worker's script is evaluated; `load()` may then be called at any time in
 * this and any later start.
 */
export class LazyScript<T> {
  #loaded: T | undefined;

  constructor(
    private readonly file: string,
    private readonly read: () => T | undefined,
  ) {
    ALL.push(this);
  }

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
