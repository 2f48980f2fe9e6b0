import type { Gate } from "./gate";

/** The wires that the fake speaks. */
export type Protocol = "openai" | "anthropic";

export type Finish = "stop" | "tool_calls" | "length";

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens?: number;
  reasoningTokens?: number;
}

export interface ScriptedToolCall {
  name: string;
  /** The arguments as a value; `{}` when left out. */
  args?: unknown;
  /** The arguments as text, sent as it is: for empty or broken JSON. */
  rawArgs?: string;
  /** The call's id. Left out, it is made from the conversation and the attempt, so that it is unique and reproducible. */
  id?: string;
  /** Further fields of an OpenAI tool call, such as `extra_content`. */
  extra?: Record<string, unknown>;
}

/** What goes wrong. At most `times` requests meet it (all, when left out); for `scriptByState` only. */
export type Fault = (
  | {
      /** An HTTP error instead of an answer. The body defaults to the vendor's own shape for that status. */
      status: number;
      body?: unknown;
      headers?: Record<string, string>;
    }
  | { /** The socket is destroyed after so many deltas. */ dropAfterDeltas: number }
  | {
      /** An error frame in the 200 stream after so many deltas; then the stream ends as the vendor's does. */
      errorFrameAfterDeltas: number;
      error?: { type?: string; message?: string };
    }
  | {
      /** Nothing more is sent after so many deltas, and the connection stays open. */ hangAfterDeltas: number;
    }
  | { /** Not even headers are sent. */ hangBeforeHeaders: true }
  | { /** 200, the stream's headers, no byte. */ emptyStream: true }
  | {
      /** These pieces of text are sent as they are, each in its own write, instead of the answer. */
      raw: string[];
      rawStatus?: number;
      rawHeaders?: Record<string, string>;
    }
) & { times?: number };

/** A gate by object or name. The server waits at it after `afterDeltas` deltas (1 when left out; 0 is after the headers). */
export type GateRef = Gate | string | { gate: Gate | string; afterDeltas?: number };

export interface TurnMatch {
  protocol?: Protocol;
  model?: string;
  /** Text that the last user message must contain. */
  contains?: string;
}

/** One answer of the model, said without regard to the wire. Order on the wire: thinking, text, tool calls. */
export interface Turn {
  /** A string is cut into deltas by `chunking`; a list is the deltas themselves. */
  text?: string | string[];
  thinking?: string | string[];
  toolCalls?: ScriptedToolCall[];
  /** `tool_calls` when there are calls, else `stop`. */
  finish?: Finish;
  /** Estimated from the lengths when left out; null sends none. */
  usage?: Partial<Usage> | null;
  delays?: { beforeHeadersMs?: number; betweenMs?: number };
  chunking?: {
    /** Code points in a delta. Left out: a word a delta, 12 code points for tool arguments. */
    deltaChars?: number;
    /** Sizes of the writes in bytes, taken in turn; they cut frames and UTF-8 sequences anywhere. */
    bytes?: number | number[];
  };
  fault?: Fault;
  gate?: GateRef;
  /** The turn is only for requests that fit. */
  match?: TurnMatch | ((request: ChatRequest) => boolean);
}

export interface ToolOffer {
  name: string;
  description: string;
  schema: Record<string, unknown>;
}

/** One message of a conversation, wire-neutral. Results of tools are messages of their own. */
export interface ChatMessage {
  role: "system" | "user" | "assistant" | "tool";
  text: string;
  thinking?: string;
  toolCalls: { id: string; name: string; args: string }[];
  /** Set on tool results. */
  toolCallId?: string;
}

/** A request, wire-neutral. */
export interface ChatRequest {
  protocol: Protocol;
  model: string;
  stream: boolean;
  messages: ChatMessage[];
  tools: ToolOffer[];
  /** `none`, `auto`, `required`, or the name of the one tool that must be called as `{ name }`. */
  toolChoice: "none" | "auto" | "required" | { name: string };
  /** A JSON Schema that the answer's text must fit (OpenAI `response_format`). */
  answerSchema?: Record<string, unknown>;
  /** The last user message's text. */
  lastUserText: string;
  /** Number of assistant messages so far. */
  assistantTurns: number;
  /** Digest of the conversation's content: equal for a repeated request, whatever its ids and wire. */
  key: string;
  /** How often this key was asked for before. */
  attempt: number;
  body: Record<string, unknown>;
}

export type Responder = (request: ChatRequest) => Turn | Promise<Turn>;

export type Outcome = "pending" | "complete" | "aborted" | "fault" | "rejected";

/** What the server saw of one request. Times are milliseconds since the epoch. */
export interface RecordedRequest {
  index: number;
  protocol: Protocol;
  method: string;
  path: string;
  headers: Record<string, string>;
  origin?: string;
  referer?: string;
  /** The parsed JSON, or the text when it was none; undefined without a body. */
  body: unknown;
  /** Digest of the conversation, for chat requests. */
  key?: string;
  status?: number;
  /** `rejected`: refused by a check (key, route, shape, no turn left). `fault`: as the script said. */
  outcome: Outcome;
  /** The client left before the answer was complete. */
  aborted: boolean;
  /** The server destroyed the connection, as the script said. */
  dropped?: true;
  deltasSent: number;
  receivedAt: number;
  headersSentAt?: number;
  firstDeltaAt?: number;
  lastDeltaAt?: number;
  endedAt?: number;
}

export interface Counters {
  requests: number;
  chats: number;
  streamed: number;
  complete: number;
  aborted: number;
  faults: number;
  rejected: number;
  /** Requests for which the script had no turn. */
  unscripted: number;
  deltasSent: number;
  inFlight: number;
  maxInFlight: number;
}
