import { probe } from "../../tests/e2e/harness/probe";
import type { ConversationFact, UnfinishedFact } from "./contents";
import { KEEPER } from "./keeper";
import { HOLD, REFUSE, USE_TOOL } from "./model";
import type { Area, Stage } from "./stage";

/** Conversations that came to an end: one with tool calls and a second model, one that the model refused. */
export const conversationsArea: Area = {
  name: "conversations",
  session: "first",
  async fill(stage, { models }) {
    const small = models?.find(({ isSummary }) => isSummary);
    if (!small) throw new Error("There is no second model: fill the models first.");
    const page = await stage.openKeeper();
    const said = (code: string) => probe(page, KEEPER, code);
    await said(
      `const notes = await open("notes 📝"); await notes.chat("${USE_TOOL}, please: Grüße"); await notes.chat("Thank you");`,
    );
    await said(
      `const small = await open("small", { model: ${JSON.stringify(small.id)} }); await small.chat("Hello, small one");`,
    );
    await said(`const refused = await open("refused"); await refused.chat("${REFUSE}").catch(() => null);`);
    const conversations: ConversationFact[] = [];
    for (const id of ["notes 📝", "small", "refused"]) conversations.push(await readConversation(stage, id));
    await page.close();
    return { conversations };
  },
};

/** Runs that the death of the browser cuts off: in a tool that never answered, and in the middle of the model's answer. */
export const unfinishedArea: Area = {
  name: "unfinished runs",
  session: "last",
  async fill(stage) {
    const silent = await stage.browser.newPage(`${stage.pages.a}/plain#silent`);
    await probe(silent, KEEPER, `void (await open("cut off in a tool")).chat("${USE_TOOL}, and never end");`);
    await probe(
      silent,
      KEEPER,
      `void (await open("cut off in an answer", { background: true })).chat("${HOLD}");`,
    );
    const unfinished: UnfinishedFact[] = [
      await runAt(stage, "cut off in a tool", "stopped", "tool.requested"),
      await runAt(stage, "cut off in an answer", "done", "model.delta"),
    ];
    return { unfinished };
  },
};

async function readConversation(stage: Stage, id: string): Promise<ConversationFact> {
  const page = await stage.openKeeper();
  const found = await probe<ConversationFact | null>(page, KEEPER, `return read(${JSON.stringify(id)})`);
  await page.close();
  if (!found) throw new Error(`There is no conversation "${id}".`);
  return found;
}

/** The run of a conversation, once its journal has an event of that type. */
async function runAt(
  { browser }: Stage,
  conversationId: string,
  ends: UnfinishedFact["ends"],
  event: string,
): Promise<UnfinishedFact> {
  const giveUp = Date.now() + 20_000;
  for (;;) {
    for (const { id } of await browser.eval<Array<{ id: string }>>("eval:runs", { status: "running" })) {
      const events = await browser.eval<Array<{ type: string; spec?: { conversationId: string } }>>(
        "eval:events",
        {
          runId: id,
        },
      );
      const [started] = events;
      if (!started?.spec?.conversationId.endsWith(`/${conversationId}`)) continue;
      if (events.some(({ type }) => type === event)) return { runId: id, conversationId, ends };
    }
    if (Date.now() > giveUp) throw new Error(`The run of "${conversationId}" did not come to ${event}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
