import { isRecord } from "../../errors/vendor-error";
import { data, type Quirk } from "../events";

/** Fills in what hosts that imitate Anthropic leave out and the provider package insists on: counts of tokens and empty fields. */
export function messagesShape(): Quirk {
  return (event) => {
    if (event.kind !== "data") return [event];
    const { json } = event;
    if (json.type === "message_start") {
      const message = isRecord(json.message) ? json.message : {};
      if (hasCount(message.usage, "input_tokens") && isEmptyList(message.content)) return [event];
      // Content that comes here would come again as blocks.
      const { content: _repeated, ...rest } = message;
      return [
        data({ ...json, message: { ...rest, usage: withCount(message.usage, "input_tokens") } }, event.name),
      ];
    }
    if (json.type === "message_delta") {
      const delta = isRecord(json.delta) ? json.delta : {};
      if (delta === json.delta && hasCount(json.usage, "output_tokens")) return [event];
      return [data({ ...json, delta, usage: withCount(json.usage, "output_tokens") }, event.name)];
    }
    if (json.type === "content_block_start" && isRecord(json.content_block)) {
      const { content_block: block } = json;
      const missing = EMPTY.get(block.type);
      if (!missing || missing in block) return [event];
      return [data({ ...json, content_block: { ...block, [missing]: "" } }, event.name)];
    }
    return [event];
  };
}

const EMPTY: ReadonlyMap<unknown, string> = new Map([
  ["text", "text"],
  ["thinking", "thinking"],
  ["redacted_thinking", "data"],
]);

function isEmptyList(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function hasCount(usage: unknown, name: string): boolean {
  return isRecord(usage) && typeof usage[name] === "number";
}

function withCount(usage: unknown, name: string): Record<string, unknown> {
  const counts = isRecord(usage) ? usage : {};
  return typeof counts[name] === "number" ? counts : { ...counts, [name]: 0 };
}
