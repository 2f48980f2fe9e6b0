/**
 * The narrow waist between the loop and the vendors: what is sent, and what comes back. Provider packages live behind it.
 */

export interface TextPart {
  type: "text";
  text: string;
}

/** A model's reasoning, with whatever the vendor wants to see again next turn (signatures), kept verbatim. */
export interface ThinkingPart {
  type: "thinking";
  text: string;
  providerData?: Record<string, unknown>;
}

export interface ToolCallPart {
  type: "tool-call";
  id: string;
  name: string;
  /** JSON text as the model wrote it; "" means no arguments. */
  arguments: string;
  /** Vendor fields to be sent back verbatim (C101). */
  providerData?: Record<string, unknown>;
}

export interface ToolResultPart {
  type: "tool-result";
  callId: string;
  name: string;
  /** JSON text or plain text. */
  result: string;
  isError: boolean;
}

/** One entry of what the model is shown. */
export type ModelMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: TextPart[] }
  | { role: "assistant"; content: Array<TextPart | ThinkingPart | ToolCallPart> }
  | { role: "tool"; content: ToolResultPart[] };

export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema. */
  parameters: Record<string, unknown>;
}

export interface ModelRequest {
  messages: ModelMessage[];
  tools: ModelTool[];
  /** Tokens of the answer at most; the config's limit if left out. */
  maxTokens?: number;
  /** Prompt caching where the vendor has it. */
  cache: boolean;
}

export interface ModelUsage {
  /** All tokens of the prompt, those read from or written to a cache included. */
  inputTokens: number;
  outputTokens: number;
  cacheCreationInputTokens?: number;
  cacheReadInputTokens?: number;
}

export type FinishReason = "stop" | "length" | "tool-calls" | "content-filter" | "other";

/** What a model call yields, in order. Exactly one `finish` ends a good call; anything else that ends it is a thrown ModelError. */
export type ModelEvent =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string }
  | { type: "tool-call"; call: ToolCallPart }
  | {
      type: "finish";
      reason: FinishReason;
      usage?: ModelUsage;
      /** The whole message, as it is to be stored and replayed. */
      content: Array<TextPart | ThinkingPart | ToolCallPart>;
    };

export interface ModelClient {
  /** Starts one call. Aborting `signal` ends it with an AbortError; every other failure is a ModelError. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export type ModelErrorCode = "rate_limit" | "auth" | "context_too_large" | "api_error";

/** What went wrong, in more detail than the code of the API: a diagnosis is made from it. */
export type ModelFailure =
  | "key"
  | "origin"
  | "redirect"
  | "wrong-url"
  | "not-an-api"
  | "model-missing"
  | "context"
  | "rate-limit"
  | "quota"
  | "server"
  | "network"
  | "broken-stream"
  | "empty-answer"
  | "request";

/** A failed model call, told apart by what can be done about it. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  readonly failure: ModelFailure;
  /** HTTP status; absent when the host was not reached or the stream broke. */
  readonly status?: number;
  /** True for 429, 5xx, network errors and broken streams. */
  readonly retryable: boolean;
  /** From Retry-After, in ms. */
  readonly retryAfterMs?: number;

  constructor(
    message: string,
    detail: {
      code: ModelErrorCode;
      /** `request` when left out. */
      failure?: ModelFailure;
      status?: number;
      retryable: boolean;
      retryAfterMs?: number;
      cause?: unknown;
    },
  ) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = "ModelError";
    this.code = detail.code;
    this.failure = detail.failure ?? "request";
    this.status = detail.status;
    this.retryable = detail.retryable;
    this.retryAfterMs = detail.retryAfterMs;
  }
}

/** A model config with its key, as only the worker holds it. */
export interface ResolvedModel {
  id: string;
  name: string;
  provider: string;
  apiBaseUrl: string;
  apiKey: string;
  model: string;
  maxTokens?: number;
  contextWindow?: number;
}
