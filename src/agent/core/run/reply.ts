import type { ChatReply, ToolCallInfo } from "@/agent/contract/conversation";
import { textOf, thinkingOf } from "./events";
import { allCalls, type CallState, type RunState } from "./state";

/** A call as scripts see it. */
export function callInfo(call: Omit<CallState, "requestedAt">): ToolCallInfo {
  const info: ToolCallInfo = { id: call.id, name: call.name, arguments: call.arguments };
  if (call.status === "done") {
    info.result = call.result;
    info.status = call.isError ? "error" : "completed";
  } else info.status = call.status === "requested" ? "running" : "pending";
  return info;
}

/** What `chat()` resolves with. Content is the last answer's; calls, usage and duration are those of the whole turn. */
export function replyOf(state: RunState): ChatReply {
  const last = state.rounds.at(-1)?.content ?? [];
  const reply: ChatReply = {
    content: textOf(last),
    usage: state.usage,
    durationMs: (state.end?.at ?? state.startedAt) - state.startedAt,
    runId: state.runId,
  };
  const thinking = thinkingOf(last);
  if (thinking) reply.thinking = thinking;
  const calls = allCalls(state);
  if (calls.length > 0) reply.toolCalls = calls.map(callInfo);
  if (state.warnings.length > 0) reply.warning = state.warnings.join(" ");
  if (state.end?.object !== undefined) reply.object = state.end.object;
  return reply;
}
