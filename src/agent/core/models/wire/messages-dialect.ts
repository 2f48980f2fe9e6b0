import { isRecord } from "../errors/vendor-error";
import type { Dialect } from "./dialect";
import { inBandError } from "./in-band";
import { errorFrames } from "./quirks/error-frames";
import { messagesEvents } from "./quirks/messages-events";
import { messagesFinish } from "./quirks/messages-finish";
import { messagesShape } from "./quirks/messages-shape";

const TEXT_FIELDS: ReadonlyMap<unknown, string> = new Map([
  ["text_delta", "text"],
  ["thinking_delta", "thinking"],
]);

/** Anthropic messages. */
export const messagesDialect: Dialect = {
  quirks: [errorFrames, messagesEvents, messagesShape, messagesFinish],
  texts: {
    read({ type, index, delta }) {
      if (type !== "content_block_delta" || !isRecord(delta)) return null;
      const text = delta[TEXT_FIELDS.get(delta.type) ?? ""];
      return typeof text === "string" && text !== ""
        ? { part: `${String(index)} ${String(delta.type)}`, text }
        : null;
    },
    write(json, text) {
      const delta = isRecord(json.delta) ? json.delta : {};
      return { ...json, delta: { ...delta, [TEXT_FIELDS.get(delta.type) ?? ""]: text } };
    },
  },
  failureFrame: (failure) => ({ type: "error", error: inBandError(failure) }),
  end: null,
  framesOfWhole(body) {
    if (!Array.isArray(body.content) || body.role !== "assistant") return null;
    const { content, stop_reason, stop_sequence, usage, ...message } = body;
    const blocks = (content as unknown[])
      .filter(isRecord)
      .flatMap((block, index) => [
        { type: "content_block_start", index, content_block: emptyBlock(block) },
        ...deltasOf(block).map((delta) => ({ type: "content_block_delta", index, delta })),
        { type: "content_block_stop", index },
      ]);
    return [
      { type: "message_start", message: { ...message, usage } },
      ...blocks,
      { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
      { type: "message_stop" },
    ];
  },
};

function emptyBlock(block: Record<string, unknown>): Record<string, unknown> {
  if (block.type === "text") return { type: "text", text: "" };
  if (block.type === "thinking") return { type: "thinking", thinking: "" };
  if (block.type === "tool_use") return { ...block, input: {} };
  return block;
}

function deltasOf(block: Record<string, unknown>): Record<string, unknown>[] {
  if (block.type === "text") return [{ type: "text_delta", text: block.text }];
  if (block.type === "tool_use")
    return [{ type: "input_json_delta", partial_json: JSON.stringify(block.input ?? {}) }];
  if (block.type !== "thinking") return [];
  const thinking = { type: "thinking_delta", thinking: block.thinking };
  return block.signature ? [thinking, { type: "signature_delta", signature: block.signature }] : [thinking];
}
