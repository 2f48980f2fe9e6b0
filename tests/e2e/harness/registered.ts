import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { TestBrowser } from "./browser";

/** Ids and code of all that the browser has registered, in its order. */
export async function registered(browser: TestBrowser): Promise<Array<{ id: string; code: string }>> {
  return browser.options.evaluate(async () =>
    (await chrome.userScripts.getScripts()).map(({ id, js }) => ({
      id,
      code: js?.map((part) => part.code ?? "").join("\n") ?? "",
    })),
  );
}

/** The state of a script's values that its registration carries; null when the script is not registered. */
async function registeredRevision(browser: TestBrowser, uuid: string): Promise<number | null> {
  const own = (await registered(browser)).find(({ id }) => id.endsWith(`:${uuid}`));
  const found = /"revision":(\d+)/.exec(own?.code ?? "");
  return found ? Number(found[1]) : null;
}

/** The state of a script's values in the database: a number that grows with each change. */
async function storedRevision(browser: TestBrowser, uuid: string): Promise<number> {
  return browser.options.evaluate(
    (store) =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open("moggy");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const db = opening.result;
          const asking = db.transaction("valueStores").objectStore("valueStores").get(store);
          asking.onerror = () => reject(asking.error);
          asking.onsuccess = () => {
            db.close();
            resolve((asking.result as { revision: number } | undefined)?.revision ?? 0);
          };
        };
      }),
    uuid,
  );
}

/** Reloads once what is stored is registered too, so that a synchronous read at document-start has to show it. */
export async function reloadWhenRegistered(browser: TestBrowser, page: Page, uuid: string): Promise<void> {
  await expect
    .poll(() => registeredRevision(browser, uuid), { timeout: 20_000 })
    .toBe(await storedRevision(browser, uuid));
  await page.reload();
}
