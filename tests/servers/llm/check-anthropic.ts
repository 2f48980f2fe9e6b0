import type { WireError } from "./answer";
import { thinkingSignature } from "./anthropic-wire";

type Json = Record<string, unknown>;

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const MIN_THINKING_TOKENS = 1024;

/**
 * Refuses what the vendor refuses, so that a client that sends a broken history fails here too.
 * Source: Anthropic API reference, "Messages", "Extended thinking", and the texts of its 400 answers.
 * @returns the error to answer with, or undefined when the request is sound
 */
export function checkAnthropic(body: Json, headers: Record<string, string>): WireError | undefined {
  if (!headers["anthropic-version"]) return bad("anthropic-version: header is required");
  if (typeof body.model !== "string" || body.model === "") return bad("model: Field required");
  if (body.max_tokens === undefined) return bad("max_tokens: Field required");
  if (!Number.isInteger(body.max_tokens) || Number(body.max_tokens) < 1) {
    return bad("max_tokens: Input should be greater than or equal to 1");
  }
  if (!Array.isArray(body.messages) || body.messages.length === 0) {
    return bad("messages: at least one message is required");
  }
  return checkThinking(body) ?? checkTools(body.tools) ?? checkMessages(body.messages);
}

function checkThinking(body: Json): WireError | undefined {
  const thinking = body.thinking as Json | undefined;
  if (thinking?.type !== "enabled") return undefined;
  const budget = Number(thinking.budget_tokens);
  if (!(budget >= MIN_THINKING_TOKENS)) {
    return bad(
      `thinking.enabled.budget_tokens: Input should be greater than or equal to ${MIN_THINKING_TOKENS}`,
    );
  }
  return budget < Number(body.max_tokens)
    ? undefined
    : bad("`max_tokens` must be greater than `thinking.budget_tokens`.");
}

function checkTools(tools: unknown): WireError | undefined {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools)) return bad("tools: Input should be a valid list");
  const names = new Set<string>();
  for (const [at, tool] of (tools as Json[]).entries()) {
    if (typeof tool.name !== "string" || !TOOL_NAME.test(tool.name)) {
      return bad(`tools.${at}.custom.name: String should match pattern '${TOOL_NAME.source}'`);
    }
    if (names.has(tool.name)) return bad("tools: Tool names must be unique.");
    names.add(tool.name);
    const schema = tool.input_schema as Json | undefined;
    if (schema?.type !== "object") return bad(`tools.${at}.custom.input_schema.type: Field required`);
  }
  return undefined;
}

function checkMessages(messages: Json[]): WireError | undefined {
  if (messages[0]?.role !== "user") return bad('messages: first message must use the "user" role');
  let open: string[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== "user" && message.role !== "assistant") {
      return bad(`messages.${at}.role: Input should be 'user' or 'assistant'`);
    }
    const blocks =
      typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
    if (!Array.isArray(blocks)) return bad(`messages.${at}.content: Field required`);
    // Only the last assistant message may be empty: it is then a prefill.
    if (blocks.length === 0 && !(message.role === "assistant" && at === messages.length - 1)) {
      return bad(
        `messages.${at}: all messages must have non-empty content except for the optional final assistant message`,
      );
    }
    const answered = (blocks as Json[])
      .filter((block) => block.type === "tool_result")
      .map((block) => String(block.tool_use_id));
    const unanswered = open.filter((id) => !answered.includes(id));
    if (unanswered.length > 0) return missingResult(at - 1, unanswered);
    const unasked = answered.find((id) => !open.includes(id));
    if (unasked !== undefined) {
      return bad(
        `messages.${at}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${unasked}. ` +
          "Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
      );
    }
    open = [];
    for (const [part, block] of (blocks as Json[]).entries()) {
      const error = checkBlock(block, `messages.${at}.content.${part}`);
      if (error) return error;
      if (block.type === "tool_use") open.push(String(block.id));
    }
  }
  return open.length > 0 ? missingResult(messages.length - 1, open) : undefined;
}

function checkBlock(block: Json, where: string): WireError | undefined {
  if (block.type === "text" && (typeof block.text !== "string" || block.text === "")) {
    return bad(`${where}: messages: text content blocks must be non-empty`);
  }
  if (block.type === "thinking" && block.signature !== thinkingSignature(String(block.thinking))) {
    return bad(`${where}: Invalid \`signature\` in \`thinking\` block`);
  }
  if (block.type === "tool_use" && (typeof block.input !== "object" || block.input === null)) {
    return bad(`${where}.tool_use.input: Input should be a valid dictionary`);
  }
  return undefined;
}

function missingResult(at: number, ids: string[]): WireError {
  return bad(
    `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(", ")}. ` +
      "Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
  );
}

function bad(message: string): WireError {
  return { status: 400, message };
}
