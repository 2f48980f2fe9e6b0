import { createHash } from "node:crypto";
import type { Answer, Delta, StreamWriter, WireError } from "./answer";
import type { Finish, Usage } from "./types";

/**
 * The bytes of Anthropic messages: pure functions from an answer to what is sent.
 * Source: Anthropic API reference, "Messages", "Streaming Messages", "Errors".
 */

const ERROR_TYPES: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};

const STOP_REASONS: Record<Finish, string> = {
  stop: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
};

/** The vendor's error body. */
export function anthropicErrorBody(error: WireError, requestId: string | null): Record<string, unknown> {
  const type =
    error.type ?? ERROR_TYPES[error.status] ?? (error.status >= 500 ? "api_error" : "invalid_request_error");
  return { type: "error", error: { type, message: error.message }, request_id: requestId };
}

/** `GET /v1/models`; one page. */
export function anthropicModelList(models: string[]): Record<string, unknown> {
  return {
    data: models.map(anthropicModel),
    has_more: false,
    first_id: models[0] ?? null,
    last_id: models.at(-1) ?? null,
  };
}

/** `GET /v1/models/:id`. */
export function anthropicModel(id: string): Record<string, unknown> {
  return { type: "model", id, display_name: id, created_at: "2024-01-01T00:00:00Z" };
}

/**
 * The signature of a thinking block. It depends on the text alone, so the server can check that a client sends a
 * block back unchanged.
 */
export function thinkingSignature(thinking: string): string {
  return createHash("sha256").update(`thinking:${thinking}`).digest("base64");
}

/** The body of an answer that is not streamed. Throws when a call's arguments are no JSON, which this wire cannot say. */
export function anthropicBody(answer: Answer): Record<string, unknown> {
  const content: Record<string, unknown>[] = [];
  if (answer.thinking) {
    content.push({
      type: "thinking",
      thinking: answer.thinking,
      signature: thinkingSignature(answer.thinking),
    });
  }
  if (answer.text) content.push({ type: "text", text: answer.text });
  for (const call of answer.toolCalls) {
    content.push({ type: "tool_use", id: call.id, name: call.name, input: JSON.parse(call.args || "{}") });
  }
  return {
    id: `msg_${answer.id}`,
    type: "message",
    role: "assistant",
    model: answer.model,
    content,
    stop_reason: STOP_REASONS[answer.finish],
    stop_sequence: null,
    usage: usageOf(answer.usage ?? NO_USAGE),
  };
}

/** Writes a streamed answer: a content block opens when the kind of the deltas changes, and closes before the next. */
export function anthropicStream(answer: Answer): StreamWriter {
  let blockIndex = -1;
  let blockKey: string | null = null;
  let pinged = false;

  const closeBlock = (): string[] => {
    if (blockKey === null) return [];
    const frames: string[] = [];
    if (blockKey === "thinking") {
      frames.push(blockDelta({ type: "signature_delta", signature: thinkingSignature(answer.thinking) }));
    }
    frames.push(event("content_block_stop", { index: blockIndex }));
    blockKey = null;
    return frames;
  };
  const blockDelta = (delta: Record<string, unknown>): string =>
    event("content_block_delta", { index: blockIndex, delta });
  const openBlock = (key: string, block: Record<string, unknown>): string[] => {
    blockIndex += 1;
    blockKey = key;
    const frames = [event("content_block_start", { index: blockIndex, content_block: block })];
    // The vendor pings once the first block is open; clients must take pings anywhere.
    if (!pinged) frames.push(event("ping", {}));
    pinged = true;
    return frames;
  };

  return {
    open: () => [
      event("message_start", {
        message: {
          id: `msg_${answer.id}`,
          type: "message",
          role: "assistant",
          model: answer.model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: usageOf({ ...(answer.usage ?? NO_USAGE), outputTokens: 1 }),
        },
      }),
    ],
    delta: (delta) => {
      const key = delta.kind === "tool" ? `tool${delta.index}` : delta.kind;
      const frames = key === blockKey ? [] : [...closeBlock(), ...openBlock(key, emptyBlock(delta, answer))];
      frames.push(blockDelta(deltaFields(delta)));
      return frames;
    },
    close: () => [
      ...closeBlock(),
      event("message_delta", {
        delta: { stop_reason: STOP_REASONS[answer.finish], stop_sequence: null },
        usage: usageOf(answer.usage ?? NO_USAGE),
      }),
      event("message_stop", {}),
    ],
    // The vendor ends the stream after an error event, with neither block nor message closed.
    error: (error) => [event("error", anthropicErrorBody(error, null))],
  };
}

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

function emptyBlock(delta: Delta, answer: Answer): Record<string, unknown> {
  if (delta.kind === "text") return { type: "text", text: "" };
  if (delta.kind === "thinking") return { type: "thinking", thinking: "", signature: "" };
  const call = answer.toolCalls[delta.index];
  if (!call)
    throw new Error(`delta for tool call ${delta.index}, but the answer has ${answer.toolCalls.length}`);
  return { type: "tool_use", id: call.id, name: call.name, input: {} };
}

function deltaFields(delta: Delta): Record<string, unknown> {
  if (delta.kind === "text") return { type: "text_delta", text: delta.text };
  if (delta.kind === "thinking") return { type: "thinking_delta", thinking: delta.text };
  return { type: "input_json_delta", partial_json: delta.text };
}

function usageOf(usage: Usage): Record<string, unknown> {
  return {
    // The vendor counts cached tokens apart from the others.
    input_tokens: usage.inputTokens - (usage.cachedInputTokens ?? 0),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cachedInputTokens ?? 0,
    output_tokens: usage.outputTokens,
  };
}

function event(type: string, fields: Record<string, unknown>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
