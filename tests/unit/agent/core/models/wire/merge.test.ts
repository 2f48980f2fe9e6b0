import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatDialect } from "@/agent/core/models/wire/chat-dialect";
import { piecesOf, splitPieces } from "@/agent/core/models/wire/merge";
import { block, chunk, frame, message, normalised, runWith } from "../harness";

const END = `${chunk({}, "stop")}data: [DONE]\n\n`;
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 4 });

describe("deltas that come with one read", () => {
  it("become one frame for the provider package, and what carries more stays apart", async () => {
    const body =
      chunk({ role: "assistant", content: "" }) +
      chunk({ content: "a" }) +
      chunk({ content: "b", reasoning: null }) +
      chunk({ content: "c", tool_calls: [{ id: "x", function: { name: "t", arguments: "{}" } }] }) +
      chunk({ reasoning: "d" }) +
      chunk({ content: "e" }, "stop");
    const out = (await normalised(chatDialect, body)) as { choices: { delta: Record<string, unknown> }[] }[];
    expect(out.slice(0, -1).map((json) => json.choices[0]?.delta)).toMatchObject([
      { role: "assistant" },
      { content: "ab" },
      { content: "c" },
      { reasoning: "d" },
      { content: "e" },
    ]);
    expect(out.map(piecesOf)).toEqual([undefined, [1, 1], undefined, undefined, undefined, undefined]);
  });

  const kinds = fc.array(fc.tuple(fc.constantFrom("text", "thinking"), text), { maxLength: 30 });
  const sizes = fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 5 });
  const wires = {
    "openai-compatible": (deltas: [string, string][]) =>
      deltas.map(([kind, s]) => chunk({ [kind === "text" ? "content" : "reasoning_content"]: s })).join("") +
      END,
    anthropic: (deltas: [string, string][]) => {
      const blocks = deltas.flatMap(([kind, s], i) =>
        kind === "text"
          ? block(
              i,
              { type: "text", text: "" },
              { type: "text_delta", text: s },
              { type: "text_delta", text: s },
            )
          : block(i, { type: "thinking", thinking: "" }, { type: "thinking_delta", thinking: s }),
      );
      return message(blocks);
    },
  };

  it.each(Object.entries(wires))(
    "reach the reader one by one as they were sent, over %s",
    async (provider, write) => {
      await fc.assert(
        fc.asyncProperty(kinds, sizes, async (deltas, cuts) => {
          const sent = deltas.flatMap(([type, s]) =>
            provider === "anthropic" && type === "text"
              ? [
                  { type, text: s },
                  { type, text: s },
                ]
              : [{ type, text: s }],
          );
          const { events, error } = await runWith(write(deltas), { provider }, cuts);
          // An answer of nothing at all is an error on one wire only.
          if (deltas.length === 0) return;
          expect(error).toBeUndefined();
          expect(events.slice(0, -1)).toEqual(sent);
        }),
        { numRuns: 40 },
      );
    },
  );

  it("are left whole when a host sends lengths of its own", async () => {
    const odd = frame({
      choices: [{ index: 0, delta: { content: "abc" }, finish_reason: null }],
      moggy_pieces: [1, 9],
    });
    expect((await runWith(odd + END)).events[0]).toEqual({ type: "text", text: "abc" });
    expect(splitPieces("abc", [1, 2])).toEqual(["a", "bc"]);
    expect(piecesOf({ moggy_pieces: [-1, 4] })).toBeUndefined();
  });
});
