import type { MessageContent } from "@/agent/contract/conversation";
import type { ModelMessage, TextPart, ToolCallPart, ToolResultPart } from "../models/types";
import type { AssistantPart } from "../run/events";
import type { CallState, RunState } from "../run/state";
import type { StoredMessage } from "./messages";

/** What a call is answered with when its turn ended before it did: a vendor refuses a call without a result. */
const NEVER_ANSWERED = "The turn ended before this call was answered. Whether it took effect is not known.";

/**
 * All that the model is shown: the system prompt, the conversation so far, and what the run has added.
 * @param history messages from before the run
 */
export function modelMessages(history: readonly StoredMessage[], state: RunState): ModelMessage[] {
  const messages: ModelMessage[] = [];
  if (state.spec.system) messages.push({ role: "system", content: state.spec.system });
  messages.push(...pastMessages(history));
  messages.push({ role: "user", content: userParts(state.spec.content) });
  for (const round of state.rounds) {
    pushAnswer(messages, round.content, new Map(round.calls.map((call) => [call.id, resultOf(call)])));
    if (round.objection) messages.push({ role: "user", content: [{ type: "text", text: round.objection }] });
  }
  return messages;
}

/** Earlier turns as the model is shown them. Every tool call is followed by its result, whatever cut the turn short. */
function pastMessages(history: readonly StoredMessage[]): ModelMessage[] {
  const results = new Map<string, ToolResultPart>();
  for (const message of history) {
    if (message.role !== "tool" || message.toolCallId === undefined) continue;
    results.set(`${message.runId} ${message.toolCallId}`, {
      type: "tool-result",
      callId: message.toolCallId,
      name: message.toolName ?? "",
      result: typeof message.content === "string" ? message.content : "",
      isError: message.isError ?? false,
    });
  }
  const messages: ModelMessage[] = [];
  for (const message of history) {
    if (message.role === "user") {
      messages.push({ role: "user", content: userParts(message.content) });
    } else if (message.role === "assistant") {
      const ofRun = new Map<string, ToolResultPart>();
      for (const part of message.parts ?? []) {
        const result = part.type === "tool-call" && results.get(`${message.runId} ${part.id}`);
        if (result) ofRun.set(result.callId, result);
      }
      pushAnswer(messages, replayable(message), ofRun);
    }
  }
  return messages;
}

/** An answer that was cut off is shown again as far as its text goes: vendors refuse reasoning without its signature. */
function replayable(message: StoredMessage): AssistantPart[] {
  const parts = message.parts ?? [];
  return message.errorCode === undefined ? parts : parts.filter((part) => part.type !== "thinking");
}

function pushAnswer(
  messages: ModelMessage[],
  content: readonly AssistantPart[],
  results: ReadonlyMap<string, ToolResultPart>,
): void {
  const parts = content.filter((part) => part.type !== "text" || part.text !== "");
  if (parts.length === 0) return;
  messages.push({ role: "assistant", content: parts });
  const calls = parts.filter((part): part is ToolCallPart => part.type === "tool-call");
  if (calls.length === 0) return;
  messages.push({ role: "tool", content: calls.map((call) => results.get(call.id) ?? unanswered(call)) });
}

function unanswered(call: ToolCallPart): ToolResultPart {
  return { type: "tool-result", callId: call.id, name: call.name, result: NEVER_ANSWERED, isError: true };
}

function resultOf(call: CallState): ToolResultPart {
  if (call.status !== "done") {
    return { type: "tool-result", callId: call.id, name: call.name, result: NEVER_ANSWERED, isError: true };
  }
  return {
    type: "tool-result",
    callId: call.id,
    name: call.name,
    result: call.result,
    isError: call.isError,
  };
}

function userParts(content: MessageContent): TextPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.flatMap((block) =>
    block.type === "text" ? [{ type: "text" as const, text: block.text }] : [],
  );
}
