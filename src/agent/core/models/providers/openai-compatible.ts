import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { SharedV3ProviderOptions } from "@ai-sdk/provider";
import { isRecord } from "../errors/vendor-error";
import { argumentsObject, type ReplayRules, toPrompt, toTools } from "../prompt";
import type { ModelMessage, ModelRequest, ResolvedModel, ToolCallPart } from "../types";
import { chatDialect } from "../wire/chat-dialect";
import { answerExtras, chatExtras } from "./chat-extras";
import type { Provider } from "./provider";

const NAME = "openai-compatible";
/** The key under which the package takes members to be put into a message or a tool call as they are. */
const AS_IS = "openaiCompatible";

/** OpenAI chat completions, as OpenAI and every compatible host speak it. The base URL ends before `/chat/completions`. */
export const openaiCompatible: Provider = {
  dialect: chatDialect,

  languageModel: (model, fetch) =>
    createOpenAICompatible({
      name: NAME,
      baseURL: model.apiBaseUrl,
      // An empty key sends no header: local hosts want none.
      apiKey: model.apiKey || undefined,
      includeUsage: true,
      fetch,
      metadataExtractor: chatExtras,
      transformRequestBody: (body) => withTokenLimit(body, model),
    })(model.model),

  callOptions: (request: ModelRequest, model: ResolvedModel) => ({
    prompt: toPrompt(request.messages, replay),
    tools: toTools(request),
    maxOutputTokens: request.maxTokens ?? model.maxTokens,
  }),

  headers: (model): Record<string, string> =>
    model.apiKey ? { authorization: `Bearer ${model.apiKey}` } : {},

  listQuery: "",

  thinkingData(_block, answer) {
    const field = answerExtras(answer).reasoningField;
    return field ? { [NAME]: { field } } : undefined;
  },

  callData(answer, callId) {
    const extra = answerExtras(answer).calls.get(callId);
    return extra ? { [NAME]: extra } : undefined;
  },
};

const replay: ReplayRules = {
  toolInput: (text) =>
    argumentsObject(text).INVALID_JSON === undefined ? text.trim() || "{}" : argumentsObject(text),
  callOptions(call) {
    const extra = call.providerData?.[NAME];
    if (!isRecord(extra)) return undefined;
    return asIs(
      isRecord(extra.function) ? { ...extra, function: wholeFunction(call, extra.function) } : extra,
    );
  },
  // Reasoning goes back as a member of the message, under the name it came with.
  thinkingOptions: () => undefined,
  messageOptions: (message) => reasoningOf(message),
};

/** The package replaces the `function` member by ours, so ours must be whole. */
function wholeFunction(call: ToolCallPart, extra: Record<string, unknown>): Record<string, unknown> {
  const input = replay.toolInput(call.arguments);
  return { ...extra, name: call.name, arguments: typeof input === "string" ? input : JSON.stringify(input) };
}

/**
 * Reasoning that a host gave in a field of its own. It is sent back only beside tool calls: there some hosts refuse a message
 * without it (C100), while on finished answers some refuse a message that has it, and none needs it.
 */
function reasoningOf(
  message: Extract<ModelMessage, { role: "assistant" }>,
): SharedV3ProviderOptions | undefined {
  if (!message.content.some(({ type }) => type === "tool-call")) return undefined;
  const fields: Record<string, string> = {};
  for (const part of message.content) {
    const origin = part.type === "thinking" ? part.providerData?.[NAME] : undefined;
    if (part.type !== "thinking" || !isRecord(origin) || typeof origin.field !== "string") continue;
    fields[origin.field] = (fields[origin.field] ?? "") + part.text;
  }
  return Object.keys(fields).length > 0 ? asIs(fields) : undefined;
}

function asIs(members: Record<string, unknown>): SharedV3ProviderOptions {
  return { [AS_IS]: members } as SharedV3ProviderOptions;
}

/** OpenAI's own hosts refuse `max_tokens` for their newer models, and most others know nothing else. */
function withTokenLimit(body: Record<string, unknown>, model: ResolvedModel): Record<string, unknown> {
  const { hostname } = new URL(model.apiBaseUrl);
  const isVendor = hostname === "api.openai.com" || hostname.endsWith(".openai.azure.com");
  if (!isVendor || body.max_tokens === undefined) return body;
  const { max_tokens, ...rest } = body;
  return { ...rest, max_completion_tokens: max_tokens };
}
