import { isRecord } from "../../errors/vendor-error";
import { data, type Quirk } from "../events";

const EVENTS = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
]);
const BLOCKS = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);
const DELTAS = new Set(["text_delta", "thinking_delta", "signature_delta", "input_json_delta"]);

/**
 * Anthropic may add events, blocks and deltas at any time and asks clients to pass over what they do not know
 * ("Streaming Messages", "Other events"); the provider package would end the answer instead. A type that only stands in the
 * `event:` line is put where it belongs.
 */
export function messagesEvents(): Quirk {
  const skipped = new Set<unknown>();
  return (event) => {
    if (event.kind !== "data") return [event];
    const type = typeof event.json.type === "string" ? event.json.type : event.name;
    if (type === undefined || !EVENTS.has(type)) return [];
    const { index, content_block: block, delta } = event.json;
    if (type === "content_block_start") {
      if (!isRecord(block) || !BLOCKS.has(String(block.type))) {
        skipped.add(index);
        return [];
      }
      skipped.delete(index);
    }
    if (type.startsWith("content_block_") && skipped.has(index)) return [];
    if (type === "content_block_delta" && !(isRecord(delta) && DELTAS.has(String(delta.type)))) return [];
    return [event.json.type === type ? event : data({ ...event.json, type }, event.name)];
  };
}
