import type { Page } from "playwright-core";
import type { TestBrowser } from "../../e2e/harness/browser";

/**
 * Source of a function `report(key, value)` for scripts: leaves a value as JSON on the root element, where test and page can see
 * it. Its natives are taken when the script starts, and no element of the page can stand in for the document's properties.
 */
export const REPORT = `const report = (() => {
  const { stringify } = JSON;
  const root = Reflect.get(Document.prototype, "documentElement", document);
  const setAttribute = Element.prototype.setAttribute.bind(root);
  return (key, value) => setAttribute("data-" + key, stringify(value === undefined ? null : value));
})();`;

/** Waits for what a script reported under a key (small letters). */
export async function reportOf<T>(page: Page, key: string, timeout = 20_000): Promise<T> {
  await page.locator(`:root[data-${key}]`).waitFor({ state: "attached", timeout });
  return JSON.parse((await page.locator(":root").getAttribute(`data-${key}`)) ?? "null") as T;
}

export interface Listed {
  uuid: string;
  name: string;
  errors: Array<{ message: string; stack?: string; url?: string }>;
}

/** A script as the eval messages list it. */
export async function listed(browser: TestBrowser, uuid: string): Promise<Listed> {
  const found = (await browser.eval<Listed[]>("eval:scripts")).find((script) => script.uuid === uuid);
  if (!found) throw new Error(`no script ${uuid} is installed`);
  return found;
}

/** Installs a script and answers with its uuid. */
export async function install(browser: TestBrowser, code: string): Promise<string> {
  return (await browser.eval<{ uuid: string }>("eval:installScript", { code })).uuid;
}
