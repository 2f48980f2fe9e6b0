import type {
  ErrorCode,
  MessageContent,
  TokenUsage,
  ToolDeclaration,
  TurnInput,
} from "@/agent/contract/conversation";
import type { FinishReason, ModelUsage, TextPart, ThinkingPart, ToolCallPart } from "../models/types";

/** What a run is for. All kinds share one engine. */
export type RunKind = "chat" | "task" | "operator" | "homepage" | "sub-agent";
export type RunStatus = "running" | "waiting" | "done" | "error" | "stopped";

export type Budget = NonNullable<TurnInput["budget"]>;
export type AssistantPart = TextPart | ThinkingPart | ToolCallPart;

/** All that a run was asked to do. Written once, in its first event: a run keeps its settings, whatever changes meanwhile. */
export interface RunSpec {
  kind: RunKind;
  /** Uuid of the script that asked, or the name of one of our own callers, such as "eval". */
  owner: string;
  /** Key of the conversation among all conversations (see conversationKey). */
  conversationId: string;
  /** The document that asked and holds the handlers of its tools; "" when there is none. */
  documentId: string;
  content: MessageContent;
  /** The whole system prompt. */
  system: string;
  /** Model config; "" for the default. */
  modelId: string;
  tools: ToolDeclaration[];
  /** Model rounds at most. */
  maxIterations: number;
  budget: Budget;
  /** Prompt caching. */
  cache: boolean;
  /** The journal is erased when the run is over. */
  ephemeral: boolean;
  /** Outlives the page that asked. */
  background: boolean;
  /** JSON Schema that the last answer must fit. */
  schema?: Record<string, unknown>;
  /** Messages of the conversation with a lower sequence number came before this run. */
  historyEnd: number;
}

/** The part of an answer that had come when a model call ended badly and no further try was made. */
export interface KeptText {
  text: string;
  thinking: string;
}

/**
 * What the journal holds, in order. An intent (`*.requested`) is written before its effect, the outcome after; a requested
 * thing without an outcome is what a new worker has to decide about.
 */
export type RunEvent =
  | { type: "run.started"; spec: RunSpec }
  /** `try` counts the model calls of one round, from 0. */
  | { type: "model.requested"; attempt: string; round: number; try: number }
  /** Checkpoint: what came since the previous one. */
  | { type: "model.delta"; attempt: string; text: string; thinking: string }
  | {
      type: "model.completed";
      attempt: string;
      modelId: string;
      content: AssistantPart[];
      finish: FinishReason;
      usage?: ModelUsage;
      /** ms from the request to the first delta. */
      firstTokenMs?: number;
      warning?: string;
    }
  /** With `retryAt` (ms since the epoch) another try follows; with `kept` the run ends and what had come stays. */
  | {
      type: "model.failed";
      attempt: string;
      code: ErrorCode;
      message: string;
      status?: number;
      retryAt?: number;
      kept?: KeptText;
    }
  /** The worker died during the call; another try follows. */
  | { type: "model.interrupted"; attempt: string }
  | { type: "tool.requested"; callId: string; name: string; args: Record<string, unknown> }
  /** `by` tells whether the tool answered or the engine had to answer in its place. */
  | {
      type: "tool.completed";
      callId: string;
      name: string;
      result: string;
      isError: boolean;
      by: "tool" | "engine";
    }
  /** The answer did not fit the schema of the run; the model is told `problems` once. */
  | { type: "object.rejected"; problems: string }
  | { type: "run.completed"; object?: unknown }
  | { type: "run.failed"; code: ErrorCode; message: string }
  | { type: "run.stopped"; message: string };

/** An event in the journal. `seq` counts from 1 without gaps; `at` is ms since the epoch. */
export type JournalEvent = RunEvent & { runId: string; seq: number; at: number };

/** Adds what one call used to a sum. */
export function addUsage(sum: TokenUsage, usage: ModelUsage | undefined): TokenUsage {
  if (!usage) return sum;
  const total: TokenUsage = {
    inputTokens: sum.inputTokens + usage.inputTokens,
    outputTokens: sum.outputTokens + usage.outputTokens,
  };
  const created = (sum.cacheCreationInputTokens ?? 0) + (usage.cacheCreationInputTokens ?? 0);
  const read = (sum.cacheReadInputTokens ?? 0) + (usage.cacheReadInputTokens ?? 0);
  if (created > 0) total.cacheCreationInputTokens = created;
  if (read > 0) total.cacheReadInputTokens = read;
  return total;
}

/** The text of an answer's parts, joined. */
export function textOf(content: readonly AssistantPart[]): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** The reasoning of an answer's parts, joined. */
export function thinkingOf(content: readonly AssistantPart[]): string {
  return content.map((part) => (part.type === "thinking" ? part.text : "")).join("");
}
