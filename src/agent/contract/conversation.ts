import * as z from "zod/mini";
import { call, contract, stream } from "@/rpc/contract";

const GRANT = ["CAT.agent.conversation"] as const;

const block = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({
    type: z.literal("image"),
    attachmentId: z.string(),
    mimeType: z.string(),
    name: z.optional(z.string()),
  }),
  z.object({
    type: z.literal("file"),
    attachmentId: z.string(),
    mimeType: z.string(),
    name: z.string(),
    size: z.optional(z.number()),
  }),
  z.object({
    type: z.literal("audio"),
    attachmentId: z.string(),
    mimeType: z.string(),
    name: z.optional(z.string()),
    durationMs: z.optional(z.number()),
  }),
]);
export const messageContent = z.union([z.string(), z.array(block)]);
export type MessageContent = z.infer<typeof messageContent>;

/** A script tool as it travels: without its handler, which stays in the script. */
export const toolDeclaration = z.object({
  name: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/)),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  effect: z.optional(z.enum(["read", "idempotent", "write"])),
});
export type ToolDeclaration = z.infer<typeof toolDeclaration>;

const budget = z.object({
  tokens: z.optional(z.number()),
  costUsd: z.optional(z.number()),
  rounds: z.optional(z.number()),
  wallMs: z.optional(z.number()),
});

export const conversationOptions = z.object({
  id: z.optional(z.string()),
  system: z.optional(z.string()),
  model: z.optional(z.string()),
  maxIterations: z.optional(z.number()),
  ephemeral: z.optional(z.boolean()),
  cache: z.optional(z.boolean()),
  background: z.optional(z.boolean()),
  budget: z.optional(budget),
});
export type ConversationOptions = z.infer<typeof conversationOptions>;

export interface ConversationHead {
  id: string;
  title: string;
  modelId: string;
}

/**
 * How far a reader has come in a turn: the last journal event it has seen whole, and the characters it holds of the model call
 * in progress. With it a stream goes on exactly where it broke, in the same worker or in a new one.
 */
export const turnCursor = z.object({
  seq: z.number(),
  attempt: z.string(),
  text: z.number(),
  thinking: z.number(),
});
export type TurnCursor = z.infer<typeof turnCursor>;

export const turnInput = z.object({
  conversationId: z.string(),
  /** Chosen by the client, once a turn: opening the stream again with it takes up the same turn, never a second one. */
  turnId: z.string(),
  content: messageContent,
  tools: z.optional(z.array(toolDeclaration)),
  schema: z.optional(z.record(z.string(), z.unknown())),
  budget: z.optional(budget),
  cursor: z.optional(turnCursor),
});
export type TurnInput = z.infer<typeof turnInput>;

/** `CATAgent.StreamChunk` of the published types; kept structurally equal by a type test. */
export interface ToolCallInfo {
  id: string;
  name: string;
  arguments: string;
  result?: string;
  status?: "pending" | "running" | "completed" | "error";
}
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  cacheCreationInputTokens?: number;
  cacheReadInputTokens?: number;
  costUsd?: number;
}
export type ErrorCode =
  | "rate_limit"
  | "auth"
  | "tool_timeout"
  | "context_too_large"
  | "max_iterations"
  | "api_error"
  | "cancelled"
  | "budget_exceeded"
  | "permission_denied"
  | "no_model";
export interface StreamChunk {
  type:
    | "content_delta"
    | "thinking_delta"
    | "tool_call"
    | "tool_call_complete"
    | "content_block"
    | "new_message"
    | "system_warning"
    | "done"
    | "error";
  content?: string;
  toolCall?: ToolCallInfo;
  usage?: TokenUsage;
  durationMs?: number;
  error?: string;
  errorCode?: ErrorCode;
  command?: boolean;
  warning?: string;
  replaces?: true;
}

export interface ChatReply {
  content: MessageContent;
  thinking?: string;
  toolCalls?: ToolCallInfo[];
  usage?: TokenUsage;
  durationMs?: number;
  command?: boolean;
  warning?: string;
  object?: unknown;
  runId?: string;
}

/** A script tool that the run wants executed. The client answers each callId once, by `toolResult`. */
export interface ToolRequest {
  runId: string;
  callId: string;
  name: string;
  args: Record<string, unknown>;
}

/** What a turn's stream carries; a batch at a time, so that a burst of deltas costs few messages. */
export interface TurnBatch {
  cursor: TurnCursor;
  chunks: StreamChunk[];
  toolRequests: ToolRequest[];
  /** Calls whose outcome is no longer wanted: abort their handlers. */
  cancelled: string[];
  /** On the last batch of a turn that ended well. */
  reply?: ChatReply;
  /** Beside `reply`: the title that the conversation has by now. */
  title?: string;
}

export interface ChatMessage {
  id: string;
  conversationId: string;
  role: "user" | "assistant" | "system" | "tool";
  content: MessageContent;
  thinking?: { content: string };
  toolCalls?: ToolCallInfo[];
  toolCallId?: string;
  error?: string;
  errorCode?: string;
  warning?: string;
  modelId?: string;
  usage?: TokenUsage;
  durationMs?: number;
  firstTokenMs?: number;
  parentId?: string;
  createtime: number;
}

const conversation = z.object({ conversationId: z.string() });

/** `CAT.agent.conversation`, for scripts. A script reaches its own conversations only. */
export const conversationContract = contract("agent.conversation", "script", {
  create: call(conversationOptions, GRANT).returns<ConversationHead>(),
  get: call(z.object({ id: z.string() }), GRANT).returns<ConversationHead | null>(),
  /** Starts or takes up a turn and follows it to its end. */
  turn: stream(turnInput, GRANT).yields<TurnBatch>(),
  /** Hands over a tool's outcome; resolves once it is in the journal. Repeating it changes nothing. */
  toolResult: call(
    z.object({
      runId: z.string(),
      callId: z.string(),
      outcome: z.union([
        z.object({ ok: z.literal(true), value: z.unknown() }),
        z.object({ ok: z.literal(false), error: z.string() }),
      ]),
    }),
    GRANT,
  ).returns<void>(),
  messages: call(conversation, GRANT).returns<ChatMessage[]>(),
  clear: call(conversation, GRANT).returns<void>(),
  save: call(conversation, GRANT).returns<void>(),
  /** Cancels the turn in flight (with `turnId`: only that one), keeping what it produced. */
  stop: call(z.object({ conversationId: z.string(), turnId: z.optional(z.string()) }), GRANT).returns<void>(),
});
export type ConversationContract = typeof conversationContract;
