import type {
  ChatMessage,
  ChatReply,
  ConversationOptions,
  MessageContent,
  StreamChunk,
  ToolDeclaration,
  TurnInput,
} from "@/agent/contract/conversation";
import type { ModelSummary } from "@/agent/contract/models";
import type { RpcClient } from "@/rpc/client";

/*
 * What scripts see, as the published types (src/types/cat-agent.d.ts) say it: those are for readers and carry the documentation,
 * these are for the code. A type test binds the two.
 */

/** One script in one document, as far as this half of CAT.agent uses it. */
export interface AgentSession {
  readonly rpc: RpcClient;
  /** Puts something into the script's error log that nobody awaits. */
  reportError(error: unknown): void;
}

export interface ToolDefinition extends ToolDeclaration {
  handler: (args: Record<string, unknown>, signal: AbortSignal) => Promise<unknown>;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a handler written without a return statement has this type.
export type CommandHandler = (args: string, conversation: ConversationInstance) => Promise<string | void>;

export interface ConversationCreateOptions extends ConversationOptions {
  skills?: "auto" | string[];
  tools?: ToolDefinition[];
  commands?: Record<string, CommandHandler>;
  toolPolicy?: object;
}

export interface ChatOptions {
  tools?: ToolDefinition[];
  signal?: AbortSignal;
  schema?: Record<string, unknown>;
  budget?: TurnInput["budget"];
}

export interface ConversationInstance {
  readonly id: string;
  readonly title: string;
  readonly modelId: string;
  chat(content: MessageContent, options?: ChatOptions): Promise<ChatReply>;
  chatStream(content: MessageContent, options?: ChatOptions): Promise<AsyncIterable<StreamChunk>>;
  attach(): Promise<never>;
  getMessages(): Promise<ChatMessage[]>;
  clear(): Promise<void>;
  save(): Promise<void>;
  stop(): Promise<void>;
  answer(askUserId: string, answer: string | string[]): Promise<never>;
  export(format: "json" | "markdown" | "html"): Promise<never>;
}

export interface ConversationApi {
  create(options?: ConversationCreateOptions): Promise<ConversationInstance>;
  get(id: string): Promise<ConversationInstance | null>;
  list(): Promise<never>;
  remove(id: string): Promise<never>;
}

export interface ModelApi {
  list(): Promise<ModelSummary[]>;
  get(id: string): Promise<ModelSummary | null>;
  getDefault(): Promise<string>;
  getSummary(): Promise<string>;
}
