import type { MessageDraft } from "../context/messages";
import type { AssistantPart, JournalEvent, KeptText } from "./events";
import { fold, type RunState } from "./state";

/**
 * The messages that events add to the conversation of their run. They are written in the transaction of the events, so that
 * the conversation never says anything else than the journal.
 * @param before the state before the first of the events; null before the run began
 */
export function messagesOf(before: RunState | null, events: readonly JournalEvent[]): MessageDraft[] {
  const drafts: MessageDraft[] = [];
  let state = before;
  for (const event of events) {
    const draft = messageOf(state, event);
    if (draft) drafts.push(draft);
    else if (event.type === "run.failed" || event.type === "run.stopped") markEnd(drafts, event);
    state = fold(state, event);
  }
  return drafts;
}

function messageOf(state: RunState | null, event: JournalEvent): MessageDraft | null {
  const base = { id: `${event.runId}.${event.seq}`, runId: event.runId, createtime: event.at };
  switch (event.type) {
    case "run.started":
      return { ...base, role: "user", content: event.spec.content };
    case "model.completed":
      return {
        ...base,
        role: "assistant",
        content: "",
        parts: event.content,
        modelId: event.modelId,
        durationMs: event.at - (state?.attempt?.requestedAt ?? event.at),
        ...(event.usage && { usage: event.usage }),
        ...(event.firstTokenMs !== undefined && { firstTokenMs: event.firstTokenMs }),
        ...(event.warning && { warning: event.warning }),
      };
    case "model.failed": {
      const parts = event.kept ? keptParts(event.kept) : [];
      if (parts.length === 0) return null;
      return { ...base, role: "assistant", content: "", parts, modelId: state?.modelId ?? "" };
    }
    case "tool.completed":
      return {
        ...base,
        role: "tool",
        content: event.result,
        toolCallId: event.callId,
        toolName: event.name,
        isError: event.isError,
      };
    default:
      return null;
  }
}

/** A kept part of an answer is text to the model later on: reasoning that was cut off carries no signature to be replayed with. */
function keptParts({ text, thinking }: KeptText): AssistantPart[] {
  const parts: AssistantPart[] = [];
  if (thinking) parts.push({ type: "thinking", text: thinking });
  if (text) parts.push({ type: "text", text });
  return parts;
}

/** How the turn ended stands on its last words, or on an empty answer of its own when it had none. */
function markEnd(drafts: MessageDraft[], event: JournalEvent & { type: "run.failed" | "run.stopped" }): void {
  let last = drafts.at(-1);
  if (last?.role !== "assistant") {
    last = {
      id: `${event.runId}.${event.seq}`,
      runId: event.runId,
      role: "assistant",
      content: "",
      parts: [],
      createtime: event.at,
    };
    drafts.push(last);
  }
  if (event.type === "run.stopped") {
    last.warning = event.message;
    last.errorCode = "cancelled";
  } else {
    last.error = event.message;
    last.errorCode = event.code;
  }
}
