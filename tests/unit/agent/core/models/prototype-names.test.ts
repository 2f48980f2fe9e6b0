import { describe, expect, it } from "vitest";
import { statusOfVendorError } from "@/agent/core/models/errors/classify";
import { openaiCompatible } from "@/agent/core/models/providers/openai-compatible";
import { messagesDialect } from "@/agent/core/models/wire/messages-dialect";
import { messagesShape } from "@/agent/core/models/wire/quirks/messages-shape";

describe.each(["constructor", "toString", "__proto__"])(
  "a host that says %s where a name is looked up",
  (name) => {
    it("has no extras for such a call, unless it sent some", () => {
      expect(openaiCompatible.callData?.({ moggy: { calls: {} } }, name)).toBeUndefined();
      const calls = Object.fromEntries([[name, { extra_content: 1 }]]);
      expect(openaiCompatible.callData?.({ moggy: { calls } }, name)).toBeDefined();
    });

    it("has said nothing of a status, and no text", () => {
      expect(statusOfVendorError({ text: "", type: name, code: name })).toBeUndefined();
      const json = { type: "content_block_delta", index: 0, delta: { type: name, text: "x" } };
      expect(messagesDialect.texts.read(json)).toBeNull();
      const start = { type: "content_block_start", index: 0, content_block: { type: name } };
      const event = { kind: "data" as const, json: start };
      expect(messagesShape()(event)).toEqual([event]);
    });
  },
);
