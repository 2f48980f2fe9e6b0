import type { Page } from "playwright-core";
import type { ChatRequest, Turn } from "../../servers/llm";
import { userscript } from "./browser";

/** What the talking script leaves on the page: everything a script sees of one turn, as it came. */
export interface TalkLog {
  chunks: Array<{ type: string; content?: string; replaces?: true; at: number; [key: string]: unknown }>;
  messages?: Array<{ role: string; content: unknown; toolCalls?: unknown[] }>;
  reply?: { content: unknown; usage?: unknown; toolCalls?: Array<{ name: string; result?: string }> };
  error?: { name: string; message: string; code?: string };
  toolRuns: number;
  done: boolean;
}

/**
 * A userscript that holds one conversation turn as the page's address says (`#stream` or `#chat`) and writes all it sees to the page.
 * Its tool counts its runs at `effectUrl`, where a test can read how often it really ran.
 */
export function talkingScript(effectUrl: string): string {
  return userscript(
    { name: "Talker", match: "*://*/*", grant: "CAT.agent.conversation" },
    `
const log = { chunks: [], toolRuns: 0, done: false };
const show = () => { document.documentElement.dataset.log = JSON.stringify(log); };
const effect = () => fetch(${JSON.stringify(effectUrl)}, { method: "POST" });
const tool = {
  name: "write_note",
  description: "Writes a note.",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  handler: async ({ text }) => { log.toolRuns += 1; show(); await effect(); return { written: text }; },
};
(async () => {
  try {
    const conv = await CAT.agent.conversation.create({ system: "You are a test.", tools: [tool] });
    if (location.hash.includes("chat")) log.reply = await conv.chat("Write the note, then tell me.");
    else {
      for await (const chunk of await conv.chatStream("Write the note, then tell me.")) {
        log.chunks.push({ ...chunk, at: performance.timeOrigin + performance.now() });
        show();
      }
    }
    log.messages = await conv.getMessages();
  } catch (error) {
    log.error = { name: error.name, message: error.message, code: error.code };
  }
  log.done = true;
  show();
})();`,
  );
}

export async function readLog(page: Page): Promise<TalkLog | undefined> {
  const text = await page.evaluate(() => document.documentElement.dataset.log);
  return text === undefined ? undefined : (JSON.parse(text) as TalkLog);
}

/** The turn's end as the script saw it. */
export async function waitForEnd(page: Page, timeout = 60_000): Promise<TalkLog> {
  await page.waitForFunction(
    () => JSON.parse(document.documentElement.dataset.log ?? "{}").done === true,
    undefined,
    { timeout },
  );
  const log = await readLog(page);
  if (!log) throw new Error("the page lost its log");
  return log;
}

/** The text that a reader has who follows the rule: `new_message` begins a new one, with `replaces` it also drops the last. */
export function textsOf(log: TalkLog): string[] {
  const texts = [""];
  for (const chunk of log.chunks) {
    if (chunk.type === "new_message") {
      if (chunk.replaces) texts.pop();
      texts.push("");
    } else if (chunk.type === "content_delta") texts.push(`${texts.pop()}${chunk.content}`);
  }
  return texts.filter((text) => text !== "");
}

export const BEFORE_TOOL = "I will write the note now, one word at a time so that it takes a while.";
export const AFTER_TOOL =
  "The note is written; this answer too comes in many small pieces until its very end.";

/** The model of the turn, by the state of the conversation, so that a repeated call gets the same answer. */
export function noteModel(betweenMs: number): (request: ChatRequest) => Turn {
  return (request) => {
    const delays = { betweenMs };
    const usage = { inputTokens: 100, outputTokens: 20 };
    if (request.messages.some((message) => message.role === "tool"))
      return { text: AFTER_TOOL, delays, usage };
    return { text: BEFORE_TOOL, toolCalls: [{ name: "write_note", args: { text: "hello" } }], delays, usage };
  };
}
