import type { LanguageModelV3StreamPart, LanguageModelV3Usage } from "@ai-sdk/provider";
import type { Metadata, Provider } from "./providers/provider";
import type { FinishReason, ModelEvent, ModelUsage, TextPart, ThinkingPart, ToolCallPart } from "./types";
import { piecesOf, splitPieces } from "./wire/merge";

type Finish = Extract<LanguageModelV3StreamPart, { type: "finish" }>;

/** A block of the answer as it grows, in the order in which the blocks began. */
type Block = TextPart | { type: "thinking"; text: string; metadata: Metadata } | ToolCallPart;

/** Reads the parts of one answer from a provider package and says what each means for the loop. */
export class AnswerReader {
  readonly #provider: Provider;
  readonly #usedIds: ReadonlySet<string>;
  readonly #blocks: Block[] = [];
  readonly #open = new Map<string, Block & { type: "text" | "thinking" }>();

  /** Lengths of the deltas that the current frame was merged of. */
  #pieces: number[] | undefined;

  /** `usedIds`: the call ids that the conversation already holds. */
  constructor(provider: Provider, usedIds: ReadonlySet<string>) {
    this.#provider = provider;
    this.#usedIds = usedIds;
  }

  /** The events that a part gives rise to. An `error` part is for the caller. */
  read(part: LanguageModelV3StreamPart): ModelEvent[] {
    switch (part.type) {
      case "text-start":
        this.#begin(`text ${part.id}`, { type: "text", text: "" });
        return [];
      case "raw":
        // Comes right before the parts that are made of the frame.
        this.#pieces = piecesOf(part.rawValue);
        return [];
      case "text-delta":
        return this.#grow(`text ${part.id}`, part.delta);
      case "reasoning-start":
        this.#begin(`thinking ${part.id}`, { type: "thinking", text: "", metadata: part.providerMetadata });
        return [];
      case "reasoning-delta":
      case "reasoning-end":
        this.#note(`thinking ${part.id}`, part.providerMetadata);
        return part.type === "reasoning-delta" ? this.#grow(`thinking ${part.id}`, part.delta) : [];
      case "tool-call": {
        const call: ToolCallPart = {
          type: "tool-call",
          id: this.#freeId(part.toolCallId),
          name: part.toolName,
          arguments: cleanArguments(part.input),
        };
        this.#blocks.push(call);
        return this.#provider.callData ? [] : [{ type: "tool-call", call }];
      }
      case "finish":
        return this.#finish(part);
      default:
        return [];
    }
  }

  #begin(key: string, block: Block & { type: "text" | "thinking" }): void {
    this.#blocks.push(block);
    this.#open.set(key, block);
  }

  #grow(key: string, text: string): ModelEvent[] {
    const block = this.#open.get(key);
    if (!block || text === "") return [];
    block.text += text;
    return splitPieces(text, this.#pieces).map((piece) => ({ type: block.type, text: piece }));
  }

  /** Anthropic's signature comes as metadata of an empty delta. */
  #note(key: string, metadata: Metadata): void {
    const block = this.#open.get(key);
    if (block?.type === "thinking" && metadata) block.metadata = { ...block.metadata, ...metadata };
  }

  #finish(part: Finish): ModelEvent[] {
    const { callData } = this.#provider;
    const content = this.#blocks.flatMap((block): Array<TextPart | ThinkingPart | ToolCallPart> => {
      if (block.type === "text") return block.text === "" ? [] : [block];
      if (block.type === "thinking") {
        const providerData = this.#provider.thinkingData(block.metadata, part.providerMetadata);
        if (block.text === "" && !providerData) return [];
        return [{ type: "thinking", text: block.text, ...(providerData ? { providerData } : {}) }];
      }
      const providerData = callData?.(part.providerMetadata, block.id);
      return [providerData ? { ...block, providerData } : block];
    });
    const calls = content.filter((block) => block.type === "tool-call");
    const held: ModelEvent[] = callData ? calls.map((call) => ({ type: "tool-call", call })) : [];
    const usage = toUsage(part.usage);
    const reason = toReason(part.finishReason.unified, calls.length > 0);
    return [...held, { type: "finish", reason, content, ...(usage ? { usage } : {}) }];
  }

  /**
   * Some hosts count their call ids from zero in every answer. The id of a call must name one call of the conversation: results,
   * and the rule that no effect happens twice, hang on it.
   */
  #freeId(id: string): string {
    const taken = (candidate: string) =>
      this.#usedIds.has(candidate) || this.#blocks.some((b) => b.type === "tool-call" && b.id === candidate);
    if (!taken(id)) return id;
    let n = 2;
    while (taken(`${id}_${n}`)) n += 1;
    return `${id}_${n}`;
  }
}

/** Some hosts send a placeholder of `{}` before the real arguments. */
function cleanArguments(text: string): string {
  const rest = /^\s*\{\}\s*(\{[\s\S]*\})\s*$/.exec(text)?.[1];
  return rest ?? text;
}

function toReason(unified: Finish["finishReason"]["unified"], hasCalls: boolean): FinishReason {
  // Several hosts say "stop" although they call tools.
  if (hasCalls && (unified === "stop" || unified === "other")) return "tool-calls";
  if (unified === "error" || (unified === "tool-calls" && !hasCalls)) return "other";
  return unified;
}

function toUsage({ inputTokens, outputTokens }: LanguageModelV3Usage): ModelUsage | undefined {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined;
  const usage: ModelUsage = { inputTokens: inputTokens.total ?? 0, outputTokens: outputTokens.total ?? 0 };
  if (inputTokens.cacheWrite) usage.cacheCreationInputTokens = inputTokens.cacheWrite;
  if (inputTokens.cacheRead) usage.cacheReadInputTokens = inputTokens.cacheRead;
  return usage;
}
