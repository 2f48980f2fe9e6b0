import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModelV3Prompt, SharedV3ProviderMetadata } from "@ai-sdk/provider";
import { argumentsObject, type ReplayRules, toPrompt, toTools } from "../prompt";
import type { ModelRequest, ResolvedModel, ThinkingPart } from "../types";
import { messagesDialect } from "../wire/messages-dialect";
import type { Provider } from "./provider";

const NAME = "anthropic";

/** Anthropic refuses requests that carry an Origin, as an extension's do, unless they say that this is meant. */
const DIRECT = { "anthropic-dangerous-direct-browser-access": "true" };

/** Anthropic messages, and hosts that imitate it. The base URL ends before `/messages`. */
export const anthropic: Provider = {
  dialect: messagesDialect,

  languageModel: (model, fetch) =>
    createAnthropic({ baseURL: model.apiBaseUrl, apiKey: model.apiKey, headers: DIRECT, fetch })(model.model),

  callOptions(request, model) {
    const prompt = toPrompt(request.messages, replay);
    return {
      prompt: request.cache ? withCachePoints(prompt) : prompt,
      tools: cachedTools(request),
      maxOutputTokens: request.maxTokens ?? model.maxTokens,
      // Deltas of arguments are not shown, and the beta that sends them early may send them broken.
      providerOptions: { [NAME]: { toolStreaming: false } },
    };
  },

  headers: (model: ResolvedModel) => ({
    "x-api-key": model.apiKey,
    "anthropic-version": "2023-06-01",
    ...DIRECT,
  }),

  listQuery: "?limit=1000",

  thinkingData(block) {
    const { signature, redactedData } = block?.[NAME] ?? {};
    if (typeof signature === "string") return { [NAME]: { signature } };
    return typeof redactedData === "string" ? { [NAME]: { redactedData } } : undefined;
  },
};

const replay: ReplayRules = {
  toolInput: argumentsObject,
  callOptions: () => undefined,
  // Without its signature a thinking block is refused, so one that another vendor's model made stays out.
  thinkingOptions: (part: ThinkingPart) =>
    part.providerData && NAME in part.providerData
      ? (part.providerData as SharedV3ProviderMetadata)
      : undefined,
  messageOptions: () => undefined,
};

const CACHE_POINT = { [NAME]: { cacheControl: { type: "ephemeral" } } };

/**
 * Marks what the vendor may keep: tools and system prompt, which seldom change, and the conversation up to its last two
 * user or tool messages, so that each turn finds what the turn before wrote (four points are allowed, three are used).
 */
function withCachePoints(prompt: LanguageModelV3Prompt): LanguageModelV3Prompt {
  const turns = prompt.flatMap((message, i) =>
    message.role === "user" || message.role === "tool" ? [i] : [],
  );
  const marked = new Set(turns.slice(-2));
  return prompt.map((message, i) =>
    message.role === "system" || marked.has(i) ? { ...message, providerOptions: CACHE_POINT } : message,
  );
}

/** Tools stand before the system prompt, whose point covers them; only without one do they need their own. */
function cachedTools(request: ModelRequest): ReturnType<typeof toTools> {
  const tools = toTools(request);
  const last = tools?.at(-1);
  if (!request.cache || !last || request.messages.some(({ role }) => role === "system")) return tools;
  return [...(tools?.slice(0, -1) ?? []), { ...last, providerOptions: CACHE_POINT }];
}
