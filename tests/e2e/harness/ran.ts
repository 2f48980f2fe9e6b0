import { expect } from "vitest";
import type { TestBrowser } from "./browser";

/**
 * Opens a page and gives what the scripts in it left in the root's `data-ran`, once it has loaded and each of `wanted` is in it.
 * Scripts that come later than those are not waited for.
 */
export async function ranIn(browser: TestBrowser, url: string, wanted: string[]): Promise<string> {
  const page = await browser.newPage(url);
  const ran = () => page.evaluate(() => document.documentElement.dataset.ran ?? "");
  for (const name of wanted) await expect.poll(ran).toContain(name);
  // document-idle comes after load; a task after an idle moment, what had to run has run.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 0))));
  const text = await ran();
  await page.close();
  return text;
}
