import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { ConsentEntry } from "@/consent/contract";
import type { ConsentAnswer, ConsentPrompt } from "@/consent/types";
import { extensionUrl, type TestBrowser } from "./browser";
import { callWorker, firstItem } from "./rpc";

/** The questions that are open now. */
export const openQuestions = (page: Page): Promise<ConsentPrompt[]> => firstItem(page, "consent.prompts");

export const decisions = (page: Page): Promise<ConsentEntry[]> => firstItem(page, "consent.decisions");

/** Waits until a host is asked about, and gives the question. */
export async function questionAbout(page: Page, host: string, state = "asking"): Promise<ConsentPrompt> {
  let found: ConsentPrompt | undefined;
  await expect
    .poll(
      async () => {
        found = (await openQuestions(page)).find((prompt) => prompt.host === host && prompt.state === state);
        return found;
      },
      { timeout: 15_000 },
    )
    .toBeDefined();
  return found as unknown as ConsentPrompt;
}

/** Answers as one of our own pages does. */
export async function answerAbout(page: Page, host: string, answer: ConsentAnswer): Promise<void> {
  const { id } = await questionAbout(page, host);
  await callWorker(page, "consent.answer", { id, answer });
}

/** The prompt windows that are open. */
export function promptPages(browser: TestBrowser): Page[] {
  return browser.context.pages().filter((page) => page.url().startsWith(extensionUrl("consent.html")));
}

/** Waits for the prompt window. */
export async function promptPage(browser: TestBrowser): Promise<Page> {
  // It may be noticed only after some seconds that no page of ours is in front any more.
  await expect.poll(() => promptPages(browser), { timeout: 15_000 }).toHaveLength(1);
  const [page] = promptPages(browser);
  if (!page) throw new Error("the prompt window is gone again");
  return page;
}
