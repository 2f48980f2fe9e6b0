import { NamedError } from "@/rpc/errors";

/** Small values by name, kept until they are removed. A value goes in as JSON and comes out as a copy. */
export interface KeyValueStorage {
  /** The stored value, or undefined when there is none. The type is the writer's word: check what may be of an older version. */
  get<T>(key: string): Promise<T | undefined>;
  /** Resolves once the value is stored. @throws StorageError, and then the old value is still there */
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
}

/** Storage that takes several values at once. */
export interface BatchStorage extends KeyValueStorage {
  /** Stores all of them or, when it rejects, none. @throws StorageError */
  setAll(items: Record<string, unknown>): Promise<void>;
}

/** The part of a chrome.storage area that is used. */
export interface StorageArea {
  get(key: string): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
  remove(key: string): Promise<void>;
}

/** A {@link KeyValueStorage} over an area of chrome.storage. The area is asked for at each call, so that making one costs nothing. */
export function areaStorage(area: () => StorageArea): BatchStorage {
  return {
    get: async <T>(key: string) =>
      (await attempt(`read “${key}”`, () => area().get(key)))[key] as T | undefined,
    set: (key, value) => attempt(`store “${key}”`, () => area().set({ [key]: value })),
    setAll: (items) => attempt(`store “${Object.keys(items).join("”, “")}”`, () => area().set(items)),
    remove: (key) => attempt(`remove “${key}”`, () => area().remove(key)),
  };
}

async function attempt<T>(what: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new NamedError(
      "StorageError",
      `The browser could not ${what}: ${why} Nothing was changed. If the disk is full, make room and try again.`,
      { cause },
    );
  }
}

/** chrome.storage.local: settings and small configs. */
export const browserStorage: BatchStorage = areaStorage(() => chrome.storage.local as StorageArea);

/** Closes chrome.storage.local to everything but our own pages and the worker. To be called at every start. */
export async function lockStorage(): Promise<void> {
  await chrome.storage.local.setAccessLevel({ accessLevel: "TRUSTED_CONTEXTS" });
}
