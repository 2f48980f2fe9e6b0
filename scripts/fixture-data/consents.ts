import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { probe } from "../../tests/e2e/harness/probe";
import { callWorker, firstItem } from "../../tests/e2e/harness/rpc";
import type { ConsentFact } from "./contents";
import { KEEPER } from "./keeper";
import type { Area } from "./stage";

/** What a person answered for good when the keeper asked for these hosts; all are this machine. */
const ANSWERED = [
  { host: "allowed.localhost", decision: "always" },
  { host: "refused.localhost", decision: "never" },
] as const;

/** Decisions about hosts, made as a person makes them. */
export const consentsArea: Area = {
  name: "consents",
  session: "first",
  async fill({ browser, pages, openKeeper }) {
    const page = await openKeeper();
    const consents: ConsentFact[] = [];
    for (const { host, decision } of ANSWERED) {
      const asking = probe(page, KEEPER, `return ask(${JSON.stringify(host)})`);
      await answer(browser.options, host, decision);
      consents.push({ host, decision, answer: (await asking) as string });
    }
    await page.close();
    pages.requests.length = 0;
    return { consents };
  },
};

/** Answers the question about a host once it is asked. */
async function answer(page: Page, host: string, decision: string): Promise<void> {
  const giveUp = Date.now() + 20_000;
  for (;;) {
    const open = await firstItem<Array<{ id: string; host: string }>>(page, "consent.prompts");
    const question = open.find((prompt) => prompt.host === host);
    if (question) return callWorker(page, "consent.answer", { id: question.id, answer: decision });
    if (Date.now() > giveUp) throw new Error(`Nobody asked for ${host}.`);
    await sleep(50);
  }
}
