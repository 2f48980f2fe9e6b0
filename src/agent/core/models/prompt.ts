import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Prompt,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import type { ModelMessage, ModelRequest, TextPart, ThinkingPart, ToolCallPart } from "./types";

type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;
type AssistantPart = TextPart | ThinkingPart | ToolCallPart;
type AssistantContent = Extract<LanguageModelV3Prompt[number], { role: "assistant" }>["content"];

/** What differs between the wires when a conversation is replayed. */
export interface ReplayRules {
  /** A call's arguments as the wire wants them: the text, or the value. */
  toolInput(argumentsText: string): unknown;
  /** What is sent along with a call, from what came with it. */
  callOptions(call: ToolCallPart): SharedV3ProviderOptions | undefined;
  /** What is sent along with a reasoning part; undefined leaves the part out. */
  thinkingOptions(part: ThinkingPart): SharedV3ProviderOptions | undefined;
  /** What is sent along with an assistant message as a whole. */
  messageOptions(message: AssistantMessage): SharedV3ProviderOptions | undefined;
}

/**
 * The conversation in the form of the provider packages. System messages become one at the front, since many templates of local
 * models take no other; empty texts are left out, since Anthropic refuses them.
 */
export function toPrompt(messages: readonly ModelMessage[], rules: ReplayRules): LanguageModelV3Prompt {
  const system = messages.flatMap((m) => (m.role === "system" && m.content.trim() ? [m.content] : []));
  const rest = messages.flatMap((message) => convert(message, rules));
  return system.length > 0 ? [{ role: "system", content: system.join("\n\n") }, ...rest] : rest;
}

function convert(message: ModelMessage, rules: ReplayRules): LanguageModelV3Prompt {
  switch (message.role) {
    case "system":
      return [];
    case "user": {
      const content = message.content.filter(hasText).map(({ text }) => ({ type: "text" as const, text }));
      return content.length > 0 ? [{ role: "user", content }] : [];
    }
    case "assistant": {
      const content = message.content.flatMap((part) => convertPart(part, rules));
      const providerOptions = rules.messageOptions(message);
      if (content.length === 0) return [];
      return [{ role: "assistant", content, ...(providerOptions ? { providerOptions } : {}) }];
    }
    case "tool":
      return [
        {
          role: "tool",
          content: message.content.map(({ callId, name, result, isError }) => ({
            type: "tool-result" as const,
            toolCallId: callId,
            toolName: name,
            output: { type: isError ? ("error-text" as const) : ("text" as const), value: result },
          })),
        },
      ];
  }
}

function convertPart(part: AssistantPart, rules: ReplayRules): AssistantContent {
  switch (part.type) {
    case "text":
      return hasText(part) ? [{ type: "text", text: part.text }] : [];
    case "thinking": {
      const providerOptions = rules.thinkingOptions(part);
      return providerOptions ? [{ type: "reasoning", text: part.text, providerOptions }] : [];
    }
    case "tool-call": {
      const providerOptions = rules.callOptions(part);
      return [
        {
          type: "tool-call",
          toolCallId: part.id,
          toolName: part.name,
          input: rules.toolInput(part.arguments),
          ...(providerOptions ? { providerOptions } : {}),
        },
      ];
    }
  }
}

function hasText(part: TextPart): boolean {
  return part.text.trim() !== "";
}

export function toTools(request: ModelRequest): LanguageModelV3FunctionTool[] | undefined {
  if (request.tools.length === 0) return undefined;
  return request.tools.map(({ name, description, parameters }) => ({
    type: "function",
    name,
    description,
    inputSchema: parameters,
  }));
}

/**
 * A call's arguments as a JSON object. What the model wrote wrongly is sent back to it inside an object of one member, so
 * that it sees its own mistake beside the error that the tool answered (Anthropic documentation, "Fine-grained tool streaming").
 */
export function argumentsObject(text: string): Record<string, unknown> {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Falls through to the wrapped form, which is what a reader of the conversation needs to see.
  }
  return { INVALID_JSON: text };
}
