import type { Answer, Delta, StreamWriter, WireError } from "./answer";
import type { Usage } from "./types";

/**
 * The bytes of OpenAI chat completions: pure functions from an answer to what is sent.
 * Source: OpenAI API reference, "Chat completions" and "Chat completion chunk"; `reasoning_content` as DeepSeek and
 * other compatible servers send it.
 */

const FINGERPRINT = "fp_fake";

const ERROR_TYPES: Record<number, string> = {
  400: "invalid_request_error",
  401: "invalid_request_error",
  403: "invalid_request_error",
  404: "invalid_request_error",
  429: "requests",
  500: "server_error",
  503: "server_error",
};

/** The vendor's error body. */
export function openAiErrorBody(error: WireError): Record<string, unknown> {
  return {
    error: {
      message: error.message,
      type:
        error.type ??
        ERROR_TYPES[error.status] ??
        (error.status >= 500 ? "server_error" : "invalid_request_error"),
      param: error.param ?? null,
      code: error.code ?? (error.status === 429 ? "rate_limit_exceeded" : null),
    },
  };
}

/** `GET /v1/models`. */
export function openAiModelList(models: string[]): Record<string, unknown> {
  return {
    object: "list",
    data: models.map((id) => ({ id, object: "model", created: 1_700_000_000, owned_by: "fake" })),
  };
}

/** `GET /v1/models/:id`. */
export function openAiModel(id: string): Record<string, unknown> {
  return { id, object: "model", created: 1_700_000_000, owned_by: "fake" };
}

/** The body of an answer that is not streamed. */
export function openAiBody(answer: Answer): Record<string, unknown> {
  const message: Record<string, unknown> = {
    role: "assistant",
    content: answer.text || (answer.toolCalls.length > 0 ? null : ""),
    refusal: null,
  };
  if (answer.thinking) message.reasoning_content = answer.thinking;
  if (answer.toolCalls.length > 0) {
    message.tool_calls = answer.toolCalls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: call.args },
      ...call.extra,
    }));
  }
  const body: Record<string, unknown> = {
    id: `chatcmpl-${answer.id}`,
    object: "chat.completion",
    created: answer.created,
    model: answer.model,
    system_fingerprint: FINGERPRINT,
    choices: [{ index: 0, message, logprobs: null, finish_reason: answer.finish }],
  };
  if (answer.usage) body.usage = usageOf(answer.usage);
  return body;
}

/**
 * Writes a streamed answer.
 * @param includeUsage the request's `stream_options.include_usage`: every chunk then has `usage: null`, and one more
 * with `choices: []` carries it before `[DONE]`
 */
export function openAiStream(answer: Answer, includeUsage: boolean): StreamWriter {
  const frame = (choices: unknown[], usage: unknown = null): string => {
    const chunk: Record<string, unknown> = {
      id: `chatcmpl-${answer.id}`,
      object: "chat.completion.chunk",
      created: answer.created,
      model: answer.model,
      system_fingerprint: FINGERPRINT,
      choices,
    };
    if (includeUsage) chunk.usage = usage;
    return data(chunk);
  };
  const choice = (delta: Record<string, unknown>, finish: string | null = null): string =>
    frame([{ index: 0, delta, logprobs: null, finish_reason: finish }]);
  return {
    open: () => [choice({ role: "assistant", content: "", refusal: null })],
    delta: (delta) => [choice(deltaFields(delta, answer))],
    close: () => {
      const frames = [choice({}, answer.finish)];
      if (includeUsage && answer.usage) frames.push(frame([], usageOf(answer.usage)));
      frames.push("data: [DONE]\n\n");
      return frames;
    },
    error: (error) => [data(openAiErrorBody(error)), "data: [DONE]\n\n"],
  };
}

function deltaFields(delta: Delta, answer: Answer): Record<string, unknown> {
  if (delta.kind === "text") return { content: delta.text };
  if (delta.kind === "thinking") return { reasoning_content: delta.text };
  const call = answer.toolCalls[delta.index];
  if (!call)
    throw new Error(`delta for tool call ${delta.index}, but the answer has ${answer.toolCalls.length}`);
  const head = delta.first ? { id: call.id, type: "function" } : {};
  const name = delta.first ? { name: call.name } : {};
  const extra = delta.first ? call.extra : {};
  return {
    tool_calls: [{ index: delta.index, ...head, function: { ...name, arguments: delta.text }, ...extra }],
  };
}

function usageOf(usage: Usage): Record<string, unknown> {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedInputTokens ?? 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0, audio_tokens: 0 },
  };
}

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
