import type { ChatMessage, ErrorCode, MessageContent, ToolCallInfo } from "@/agent/contract/conversation";
import type { ModelUsage } from "../models/types";
import { type AssistantPart, textOf, thinkingOf } from "../run/events";

/** A message of a conversation as it is stored: what people see of it, and what the model has to be shown again. */
export interface StoredMessage {
  /** Key of its conversation. */
  conversationId: string;
  /** Its place there, growing; gaps stand for what was cleared. */
  seq: number;
  id: string;
  runId: string;
  role: "user" | "assistant" | "tool";
  /** For the user's messages and for tool results (text). */
  content: MessageContent;
  /** For the assistant's messages: the answer as it is replayed to the model. */
  parts?: AssistantPart[];
  toolCallId?: string;
  toolName?: string;
  isError?: boolean;
  error?: string;
  errorCode?: ErrorCode;
  warning?: string;
  modelId?: string;
  usage?: ModelUsage;
  durationMs?: number;
  firstTokenMs?: number;
  createtime: number;
}

/** A message before it has its place. */
export type MessageDraft = Omit<StoredMessage, "conversationId" | "seq">;

/**
 * The messages as `getMessages()` gives them: tool results are messages of their own and also stand in the calls of the assistant's message.
 * @param conversationId the id that the conversation's owner knows
 */
export function toChatMessages(messages: readonly StoredMessage[], conversationId: string): ChatMessage[] {
  const results = new Map<string, StoredMessage>();
  for (const message of messages) {
    if (message.toolCallId) results.set(resultKey(message.runId, message.toolCallId), message);
  }
  return messages.map((message) => {
    const { id, role, content, parts, createtime } = message;
    const shown: ChatMessage = { id, conversationId, role, content, createtime };
    if (parts) {
      shown.content = textOf(parts);
      const thinking = thinkingOf(parts);
      if (thinking) shown.thinking = { content: thinking };
      const calls = callsOf(parts, message.runId, results);
      if (calls.length > 0) shown.toolCalls = calls;
    }
    for (const key of OPTIONAL) {
      if (message[key] !== undefined) Object.assign(shown, { [key]: message[key] });
    }
    return shown;
  });
}

const OPTIONAL = [
  "toolCallId",
  "error",
  "errorCode",
  "warning",
  "modelId",
  "usage",
  "durationMs",
  "firstTokenMs",
] as const;

function resultKey(runId: string, callId: string): string {
  return `${runId} ${callId}`;
}

function callsOf(
  parts: readonly AssistantPart[],
  runId: string,
  results: ReadonlyMap<string, StoredMessage>,
): ToolCallInfo[] {
  return parts.flatMap((part): ToolCallInfo[] => {
    if (part.type !== "tool-call") return [];
    const { id, name, arguments: args } = part;
    const outcome = results.get(resultKey(runId, id));
    if (!outcome) return [{ id, name, arguments: args, status: "running" }];
    const result = typeof outcome.content === "string" ? outcome.content : "";
    return [{ id, name, arguments: args, result, status: outcome.isError ? "error" : "completed" }];
  });
}
