import type { ChatMessage, ChatRequest, ToolOffer, Turn } from "../llm/types";
import { buildArguments } from "./arguments";
import { chooseTool } from "./choose";
import { type Phrases, phrasesFor } from "./phrases";
import { keySentences, shorten } from "./summary";
import { isChinese } from "./words";

/** Text longer than this is summed up rather than repeated. */
const LONG_TEXT = 400;
const QUOTE = 200;
const SUMMARY_SENTENCES = 3;

/**
 * The demo model's answer: a function of the request alone, so a repeated request gets the same one.
 * A user message that asks for an offered tool gets one call of it; after the result, an answer in words.
 */
export function demoTurn(request: ChatRequest): Turn {
  const asked = request.messages.findLastIndex((message) => message.role === "user");
  const since = request.messages.slice(asked + 1);
  const phrases = phrasesFor(isChinese(request.lastUserText));
  const results = since.filter((message) => message.role === "tool");
  if (results.length === 0) {
    const tool = toolFor(request);
    if (tool) {
      const args = buildArguments(tool.schema, request.lastUserText);
      return { text: phrases.using(tool.name), toolCalls: [{ name: tool.name, args: args ?? {} }] };
    }
  }
  if (request.answerSchema) {
    const words = [request.lastUserText, ...results.map((result) => result.text)].join("\n");
    return { text: JSON.stringify(buildArguments(request.answerSchema, words)) };
  }
  if (results.length > 0) return { text: fromResults(since, results, phrases) };
  return { text: inWords(request, phrases) };
}

function toolFor({ tools, toolChoice, lastUserText }: ChatRequest): ToolOffer | undefined {
  if (toolChoice === "none") return undefined;
  if (typeof toolChoice === "object") return tools.find((tool) => tool.name === toolChoice.name);
  const chosen = chooseTool(lastUserText, tools);
  return chosen ?? (toolChoice === "required" ? tools[0] : undefined);
}

function fromResults(since: ChatMessage[], results: ChatMessage[], phrases: Phrases): string {
  const calls = since.flatMap((message) => message.toolCalls);
  const lines = results.map(({ text, toolCallId }) => {
    const name = calls.find((call) => call.id === toolCallId)?.name ?? "?";
    const said = readable(text, phrases);
    return isError(text) ? phrases.failed(name, said) : phrases.answered(name, said);
  });
  return [phrases.demo, ...lines].join("\n\n");
}

function inWords(request: ChatRequest, phrases: Phrases): string {
  const { lastUserText, messages, tools } = request;
  const said = messages.filter((message) => message.role === "user");
  const before = said.at(-2);
  const names = tools.map((tool) => tool.name).join(", ");
  const long = [...lastUserText].length > LONG_TEXT;
  const parts = [phrases.demo, long ? summed(lastUserText, phrases) : phrases.said(lastUserText)];
  if (before) parts.push(phrases.before(shorten(before.text, QUOTE), said.length));
  if (!long) parts.push(names ? phrases.tools(names) : phrases.noTools);
  return parts.join("\n\n");
}

function summed(text: string, phrases: Phrases): string {
  const lines = keySentences(text, SUMMARY_SENTENCES).map((sentence) => `- ${sentence}`);
  return [phrases.summary, ...lines].join("\n");
}

/** A tool's result as a person reads it: JSON as "name: value" lines, long text summed up. */
function readable(result: string, phrases: Phrases): string {
  const value = jsonOf(result);
  if (typeof value === "object" && value !== null) {
    const lines = Object.entries(value).map(([name, part]) => {
      const text = typeof part === "string" ? part : JSON.stringify(part);
      return `- ${name}: ${shorten(text, QUOTE)}`;
    });
    return lines.length > 0 ? `\n${lines.join("\n")}` : shorten(result, QUOTE);
  }
  const text = typeof value === "string" ? value : result;
  return [...text].length > LONG_TEXT ? `\n${summed(text, phrases)}` : text;
}

function isError(result: string): boolean {
  const value = jsonOf(result);
  if (typeof value === "object" && value !== null) return "error" in value && Boolean(value.error);
  return /^\s*(\w*error|failed|错误)\b/iu.test(result);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A tool may answer in plain words: then there is nothing to take apart.
    return undefined;
  }
}
