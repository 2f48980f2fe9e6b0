import { createHash } from "node:crypto";
import type { ChatMessage, ChatRequest, Protocol, ToolOffer } from "./types";

type Json = Record<string, unknown>;

/** Reads a request body of either wire into the neutral form. The body's shape was checked before. */
export function readChatRequest(protocol: Protocol, body: Json): Omit<ChatRequest, "attempt"> {
  const messages = protocol === "openai" ? openAiMessages(body) : anthropicMessages(body);
  const lastUser = messages.findLast((message) => message.role === "user");
  const request: Omit<ChatRequest, "attempt"> = {
    protocol,
    model: String(body.model),
    stream: body.stream === true,
    messages,
    tools: protocol === "openai" ? openAiTools(body) : anthropicTools(body),
    toolChoice: toolChoice(body.tool_choice),
    lastUserText: lastUser?.text ?? "",
    assistantTurns: messages.filter((message) => message.role === "assistant").length,
    key: conversationKey(messages),
    body,
  };
  const schema = answerSchema(body.response_format);
  if (schema) request.answerSchema = schema;
  return request;
}

/**
 * Digest of what was said. Ids and system prompts stay out: a repeated request may carry new ids, and system prompts
 * may carry the time of day.
 */
function conversationKey(messages: ChatMessage[]): string {
  const content = messages
    .filter((message) => message.role !== "system")
    .map((message) => [message.role, message.text, message.toolCalls.map((call) => [call.name, call.args])]);
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

function openAiMessages(body: Json): ChatMessage[] {
  return objects(body.messages).map((message) => {
    const role = message.role === "developer" ? "system" : message.role;
    const read: ChatMessage = {
      role: role === "system" || role === "assistant" || role === "tool" ? role : "user",
      text: textOf(message.content),
      toolCalls: objects(message.tool_calls).map((call) => {
        const fn = object(call.function);
        return { id: String(call.id), name: String(fn.name), args: String(fn.arguments) };
      }),
    };
    if (typeof message.reasoning_content === "string") read.thinking = message.reasoning_content;
    if (typeof message.tool_call_id === "string") read.toolCallId = message.tool_call_id;
    return read;
  });
}

function anthropicMessages(body: Json): ChatMessage[] {
  const messages: ChatMessage[] = [];
  const system = textOf(body.system);
  if (system) messages.push({ role: "system", text: system, toolCalls: [] });
  for (const message of objects(body.messages)) {
    const blocks =
      typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
    const list = objects(blocks);
    for (const block of list.filter((each) => each.type === "tool_result")) {
      messages.push({
        role: "tool",
        text: textOf(block.content),
        toolCalls: [],
        toolCallId: String(block.tool_use_id),
      });
    }
    const rest = list.filter((each) => each.type !== "tool_result");
    if (rest.length === 0) continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    const read: ChatMessage = {
      role,
      text: textOf(rest.filter((each) => each.type !== "thinking" && each.type !== "tool_use")),
      toolCalls: rest
        .filter((each) => each.type === "tool_use")
        .map((each) => ({
          id: String(each.id),
          name: String(each.name),
          args: JSON.stringify(each.input ?? {}),
        })),
    };
    const thinking = rest.filter((each) => each.type === "thinking").map((each) => String(each.thinking));
    if (thinking.length > 0) read.thinking = thinking.join("");
    messages.push(read);
  }
  return messages;
}

function openAiTools(body: Json): ToolOffer[] {
  return objects(body.tools).map((tool) => {
    const fn = object(tool.function);
    return {
      name: String(fn.name),
      description: String(fn.description ?? ""),
      schema: object(fn.parameters),
    };
  });
}

function anthropicTools(body: Json): ToolOffer[] {
  return objects(body.tools).map((tool) => ({
    name: String(tool.name),
    description: String(tool.description ?? ""),
    schema: object(tool.input_schema),
  }));
}

function toolChoice(choice: unknown): ChatRequest["toolChoice"] {
  if (choice === "none" || choice === "required") return choice;
  if (typeof choice !== "object" || choice === null) return "auto";
  const { type, name } = choice as Json;
  if (type === "none") return "none";
  if (type === "any") return "required";
  const wanted = name ?? object((choice as Json).function).name;
  return typeof wanted === "string" ? { name: wanted } : "auto";
}

function answerSchema(format: unknown): Json | undefined {
  const { type, json_schema } = object(format);
  return type === "json_schema" ? object(object(json_schema).schema) : undefined;
}

/** The text of a message's content: a string, or blocks of which those without text are named in brackets. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return objects(content)
    .map((block) => (typeof block.text === "string" ? block.text : `[${String(block.type)}]`))
    .join("");
}

function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
