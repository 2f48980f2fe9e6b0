import type { MetadataExtractor } from "@ai-sdk/openai-compatible";
import type { JSONObject } from "@ai-sdk/provider";
import { isRecord } from "../errors/vendor-error";
import type { Metadata } from "./provider";

const KEY = "moggy";
const STANDARD = new Set(["index", "id", "type", "function"]);
const STANDARD_FUNCTION = new Set(["name", "arguments"]);
const REASONING_FIELDS = ["reasoning_content", "reasoning"] as const;

/** What an answer carried beside its standard members. */
export interface ChatAnswerExtras {
  /** The member that the reasoning came in. */
  reasoningField?: string;
  /** By call id: the members of a tool call that no standard names, such as Google's `extra_content` (C101). */
  calls: ReadonlyMap<string, Record<string, unknown>>;
}

/** Reads back what {@link chatExtras} left in the metadata of an answer. */
export function answerExtras(metadata: Metadata): ChatAnswerExtras {
  const found = metadata?.[KEY];
  // A map, since a host may name a call "constructor".
  const calls = new Map<string, Record<string, unknown>>();
  for (const [id, extra] of Object.entries(isRecord(found?.calls) ? found.calls : {})) {
    if (isRecord(extra)) calls.set(id, extra);
  }
  const field = found?.reasoningField;
  return typeof field === "string" ? { reasoningField: field, calls } : { calls };
}

/** Collects, from the cleaned frames, what the provider package drops. A member that comes twice is taken from the last frame. */
export const chatExtras: MetadataExtractor = {
  extractMetadata: async () => undefined,
  createStreamExtractor() {
    const byIndex = new Map<unknown, { id: string; extra: Record<string, unknown> }>();
    let reasoningField: string | undefined;
    return {
      processChunk(chunk) {
        const delta = deltaOf(chunk);
        if (!delta) return;
        reasoningField ??= REASONING_FIELDS.find(
          (name) => typeof delta[name] === "string" && delta[name] !== "",
        );
        if (!Array.isArray(delta.tool_calls)) return;
        for (const call of delta.tool_calls.filter(isRecord)) {
          if (typeof call.id === "string") byIndex.set(call.index, { id: call.id, extra: {} });
          const known = byIndex.get(call.index);
          if (known) Object.assign(known.extra, extraOf(call, known.extra));
        }
      },
      buildMetadata() {
        const calls = Object.fromEntries(
          [...byIndex.values()]
            .filter(({ extra }) => Object.keys(extra).length > 0)
            .map(({ id, extra }) => [id, extra as JSONObject]),
        );
        return { [KEY]: { calls, ...(reasoningField ? { reasoningField } : {}) } };
      },
    };
  },
};

function deltaOf(chunk: unknown): Record<string, unknown> | null {
  const choices = isRecord(chunk) ? chunk.choices : undefined;
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isRecord(first) && isRecord(first.delta) ? first.delta : null;
}

function extraOf(call: Record<string, unknown>, before: Record<string, unknown>): Record<string, unknown> {
  const extra = without(call, STANDARD);
  const inner = isRecord(call.function) ? without(call.function, STANDARD_FUNCTION) : {};
  if (Object.keys(inner).length === 0) return extra;
  return { ...extra, function: { ...(isRecord(before.function) ? before.function : {}), ...inner } };
}

function without(value: Record<string, unknown>, names: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
}
