import { conversationOptions, messageContent } from "@/agent/contract/conversation";
import type { RunEngine } from "@/agent/core/run/engine";
import type { RunKind, RunStatus } from "@/agent/core/run/events";
import type { RunRecord } from "@/agent/core/run/journal";
import { NamedError } from "@/rpc/errors";
import type { ChatService } from "./chat-service";
import type { ConversationService } from "./conversation-service";
import type { BuiltinTools } from "./tools";

const OWNER = "eval";

/** A run as lists show it: `CATAgentRuns.RunSummary` of the published types. */
export interface RunSummary {
  id: string;
  kind: RunKind;
  title: string;
  status: RunStatus;
  startedAt: number;
  endedAt?: number;
  usage?: RunRecord["usage"];
  error?: string;
}

/** The eval build's messages about conversations and runs. What it begins has no script, so it has no script tools either. */
export function agentEvalMessages(deps: {
  chat: ChatService;
  conversations: ConversationService;
  engine: RunEngine;
  tools: BuiltinTools;
}): Record<string, (params: Record<string, unknown>) => Promise<unknown>> {
  const { chat, conversations, engine, tools } = deps;
  return {
    "eval:chat": async ({ content, conversationId, options }) => {
      const given = conversationOptions.parse(options ?? {});
      const id = typeof conversationId === "string" ? conversationId : given.id;
      const head = await conversations.create(OWNER, { ...given, id });
      const { runId } = await chat.begin(
        { owner: OWNER, documentId: "" },
        {
          conversationId: head.id,
          turnId: crypto.randomUUID(),
          content: messageContent.parse(content),
        },
        { background: true },
      );
      return { runId, conversationId: head.id };
    },
    "eval:runs": async ({ kind, status }) => {
      const filter = { kind: optional<RunKind>(kind, "kind"), status: optional<RunStatus>(status, "status") };
      return (await engine.list(filter)).map(summary);
    },
    "eval:tool": async ({ name, args, callId }) => {
      if (typeof name !== "string") throw new NamedError("TypeError", `"name" must be a string.`);
      const { signal } = new AbortController();
      return tools.get(name).call(args ?? {}, { signal, callId: optional(callId, "callId") });
    },
    "eval:events": ({ runId, fromSeq }) => {
      if (typeof runId !== "string") throw new NamedError("TypeError", `"runId" must be a string.`);
      return engine.events(runId, typeof fromSeq === "number" ? fromSeq : 0);
    },
  };
}

function summary(record: RunRecord): RunSummary {
  const { id, kind, title, startedAt, endedAt, usage, error } = record;
  return { id, kind, title, status: record.status as RunStatus, startedAt, endedAt, usage, error };
}

/** A filter that no run fits finds nothing, so its value is not checked further. */
function optional<T extends string>(value: unknown, name: string): T | undefined {
  if (value === undefined || typeof value === "string") return value as T | undefined;
  throw new NamedError("TypeError", `"${name}" must be a string.`);
}
