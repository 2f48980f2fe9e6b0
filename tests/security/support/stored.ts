import type { Page } from "playwright-core";

/** One place where the extension keeps something, with everything that is in it as text. */
export interface StoredPlace {
  place: string;
  text: string;
}

/**
 * All that the extension has stored: each IndexedDB table, each area of chrome.storage, localStorage, caches, cookies and files of its
 * origin. Binary data and keys show as their kind only.
 * @param page one of the extension's own pages
 */
export function everythingStored(page: Page): Promise<StoredPlace[]> {
  return page.evaluate(async () => {
    const found: StoredPlace[] = [];
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const textOf = (value: unknown) =>
      JSON.stringify(value, (_key, inner: unknown) =>
        inner instanceof CryptoKey ? `a key, extractable: ${inner.extractable}` : inner,
      ) ?? "";
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined) continue;
      const db = await done(indexedDB.open(name));
      for (const table of db.objectStoreNames) {
        const store = db.transaction(table).objectStore(table);
        const [keys, values] = [await done(store.getAllKeys()), await done(store.getAll())];
        found.push({ place: `IndexedDB ${name}/${table}`, text: textOf(keys) + textOf(values) });
      }
      db.close();
    }
    for (const area of ["local", "session", "sync"] as const) {
      found.push({ place: `chrome.storage.${area}`, text: textOf(await chrome.storage[area].get()) });
    }
    found.push({ place: "localStorage", text: textOf({ ...localStorage }) });
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      found.push({ place: `cache ${name}`, text: textOf(requests.map((request) => request.url)) });
    }
    found.push({ place: "cookies", text: document.cookie });
    const visit = async (folder: FileSystemDirectoryHandle, path: string): Promise<void> => {
      for await (const [name, entry] of folder.entries()) {
        if (entry.kind === "directory") await visit(entry as FileSystemDirectoryHandle, `${path}${name}/`);
        else
          found.push({
            place: `file ${path}${name}`,
            text: await (await (entry as FileSystemFileHandle).getFile()).text(),
          });
      }
    };
    await visit(await navigator.storage.getDirectory(), "");
    return found;
  });
}

/**
 * The tokens of all enabled scripts and of the relay, out of the code that is registered: what nobody but that code and the worker
 * may ever hold.
 * @param page one of the extension's own pages
 */
export async function tokensOf(page: Page): Promise<{ scripts: Record<string, string>; all: string[] }> {
  const registered = await page.evaluate(() => chrome.userScripts.getScripts());
  const scripts: Record<string, string> = {};
  const relay = new Set<string>();
  for (const { id, worldId, js } of registered) {
    const code = js?.map((part) => part.code ?? "").join("\n") ?? "";
    const [, own] = /\.run\("([A-Za-z0-9+/]{32})",/.exec(code) ?? [];
    if (own !== undefined) scripts[id.split(":")[2] ?? id] = own;
    const [, relayed] = (worldId === "relay" && /\)\("([^"]{32,})"\)\n/.exec(code)) || [];
    if (relayed !== undefined) relay.add(relayed);
  }
  return { scripts, all: [...Object.values(scripts), ...relay] };
}
