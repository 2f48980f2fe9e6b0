import type { Answer, WireError } from "./answer";
import type { Protocol } from "./types";

type Json = Record<string, unknown>;

/**
 * Remembers which tool calls were sent with reasoning. Some vendors refuse the next request when the reasoning before
 * a tool call does not come back with it: Anthropic with thinking switched on, DeepSeek always.
 */
export class ReasoningMemory {
  readonly #callIds = new Set<string>();

  remember(answer: Answer): void {
    if (!answer.thinking) return;
    for (const call of answer.toolCalls) this.#callIds.add(call.id);
  }

  reset(): void {
    this.#callIds.clear();
  }

  /** The refusal for a history that lost its reasoning, or undefined. */
  missing(protocol: Protocol, body: Json, alsoOpenAi: boolean): WireError | undefined {
    const messages = body.messages as Json[];
    const at = messages.findLastIndex((message) => message.role === "assistant");
    const message = messages[at];
    if (!message) return undefined;
    if (protocol === "openai") {
      const calls = Array.isArray(message.tool_calls) ? (message.tool_calls as Json[]) : [];
      const known = calls.some((call) => this.#callIds.has(String(call.id)));
      if (!alsoOpenAi || !known || typeof message.reasoning_content === "string") return undefined;
      return {
        status: 400,
        message: `Missing \`reasoning_content\` field in the assistant message at message index ${at}.`,
      };
    }
    const thinking = body.thinking as Json | undefined;
    if (thinking?.type !== "enabled" && thinking?.type !== "adaptive") return undefined;
    const blocks = Array.isArray(message.content) ? (message.content as Json[]) : [];
    const known = blocks.some((block) => block.type === "tool_use" && this.#callIds.has(String(block.id)));
    const first = String(blocks[0]?.type);
    if (!known || first === "thinking" || first === "redacted_thinking") return undefined;
    return {
      status: 400,
      message:
        `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. ` +
        "When `thinking` is enabled, a final `assistant` message must start with a thinking block.",
    };
  }
}
