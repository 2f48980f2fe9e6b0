/** Small state that outlives the worker and ends with the browser. Values are JSON. */
export interface SessionStorage {
  get<T>(key: string): Promise<T | undefined>;
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
}

/** chrome.storage.session: in memory, trusted contexts only, ends with the browser or a reload of the extension. */
export const browserSessionStorage: SessionStorage = {
  async get<T>(key: string) {
    return (await chrome.storage.session.get(key))[key] as T | undefined;
  },
  set: (key, value) => chrome.storage.session.set({ [key]: value }),
  remove: (key) => chrome.storage.session.remove(key),
};
