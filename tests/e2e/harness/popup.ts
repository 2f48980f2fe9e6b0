import type { Page } from "playwright-core";
import { extensionUrl, type TestBrowser } from "./browser";

/**
 * Chooses a menu command of a script as a person does: in the popup over the page's tab.
 * The popup is opened in a tab, where "the active tab" would be itself, so it is told the page's.
 */
export async function chooseMenuCommand(browser: TestBrowser, page: Page, title: string): Promise<void> {
  const tab = await tabOf(browser, page);
  const popup = await browser.context.newPage();
  await popup.addInitScript((found) => {
    Object.defineProperty(chrome.tabs, "query", { value: async () => [found] });
  }, tab);
  await popup.goto(extensionUrl("popup.html"));
  const closed = popup.waitForEvent("close");
  await popup
    .getByRole("region", { name: "Commands of scripts" })
    .getByRole("button", { name: title })
    .click();
  await closed;
  await page.bringToFront();
}

/** The tab that shows the page. */
export async function tabOf(browser: TestBrowser, page: Page): Promise<{ id: number; url: string }> {
  const url = page.url();
  const found = await browser.options.evaluate(async (wanted) => {
    const tabs = await chrome.tabs.query({});
    return tabs.flatMap(({ id, url }) => (url === wanted && id !== undefined ? [{ id, url }] : []));
  }, url);
  const [tab, ...others] = found;
  if (!tab || others.length > 0) throw new Error(`${found.length} tabs show ${url}; it takes one.`);
  return tab;
}
