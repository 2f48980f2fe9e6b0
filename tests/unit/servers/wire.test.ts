import { answerOf } from "@tests/servers/llm/answer";
import { anthropicStream } from "@tests/servers/llm/anthropic-wire";
import { openAiStream } from "@tests/servers/llm/openai-wire";
import { readChatRequest } from "@tests/servers/llm/request";
import type { ChatRequest, Protocol, Turn } from "@tests/servers/llm/types";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

/** The bytes themselves, which the official clients hide: pings, block order, what is joined again from the deltas. */

type Event = { type?: string; index?: number; [key: string]: unknown };

function request(protocol: Protocol): ChatRequest {
  return {
    ...readChatRequest(protocol, { model: "m", messages: [{ role: "user", content: "hi" }] }),
    attempt: 0,
  };
}

/** All frames of a turn, each parsed from its `data:` line. */
function frames(protocol: Protocol, turn: Turn): Event[] {
  const answer = answerOf(turn, request(protocol));
  const writer = protocol === "openai" ? openAiStream(answer, true) : anthropicStream(answer);
  const text = [
    ...writer.open(),
    ...answer.deltas.flatMap((delta) => writer.delta(delta)),
    ...writer.close(),
  ].join("");
  return text
    .split("\n\n")
    .filter((frame) => frame !== "" && frame !== "data: [DONE]")
    .map((frame) => {
      const data = frame.split("\n").at(-1) ?? "";
      const event = JSON.parse(data.replace(/^data: /, "")) as Event;
      if (protocol === "anthropic") expect(frame.split("\n")[0]).toBe(`event: ${event.type}`);
      return event;
    });
}

const anyTurn: fc.Arbitrary<Turn> = fc.record(
  {
    text: fc.oneof(fc.string({ unit: "binary" }), fc.array(fc.string({ minLength: 1 }), { minLength: 1 })),
    thinking: fc.string({ unit: "grapheme" }),
    toolCalls: fc.array(
      fc.record({ name: fc.constantFrom("f", "g"), args: fc.dictionary(fc.string(), fc.jsonValue()) }),
      {
        maxLength: 3,
      },
    ),
    chunking: fc.record({ deltaChars: fc.integer({ min: 1, max: 9 }) }),
  },
  { requiredKeys: [] },
);

const joined = (value: string | string[] | undefined) =>
  Array.isArray(value) ? value.join("") : (value ?? "");
const argsOf = (turn: Turn) => (turn.toolCalls ?? []).map((call) => JSON.stringify(call.args));

describe("the OpenAI stream", () => {
  it("puts together what the turn said, whatever the turn", () => {
    fc.assert(
      fc.property(anyTurn, (turn) => {
        let text = "";
        let thinking = "";
        const args: string[] = [];
        for (const frame of frames("openai", turn)) {
          const delta = (frame.choices as { delta: Record<string, unknown> }[])[0]?.delta ?? {};
          text += delta.content ?? "";
          thinking += delta.reasoning_content ?? "";
          for (const call of (delta.tool_calls ?? []) as {
            index: number;
            function: { arguments: string };
          }[]) {
            args[call.index] = (args[call.index] ?? "") + call.function.arguments;
          }
        }
        expect({ text, thinking, args }).toEqual({
          text: joined(turn.text),
          thinking: joined(turn.thinking),
          args: argsOf(turn),
        });
      }),
    );
  });
});

describe("the Anthropic stream", () => {
  it("opens, fills and closes one block after the other, whatever the turn", () => {
    fc.assert(
      fc.property(anyTurn, (turn) => {
        const events = frames("anthropic", turn);
        expect(events[0]?.type).toBe("message_start");
        expect(events.slice(-2).map((event) => event.type)).toEqual(["message_delta", "message_stop"]);
        let open: number | null = null;
        const blocks: { type: string; content: string }[] = [];
        for (const event of events.slice(1, -2)) {
          if (event.type === "ping") continue;
          if (event.type === "content_block_start") {
            expect(open).toBeNull();
            open = event.index ?? -1;
            expect(open).toBe(blocks.length);
            blocks.push({ type: (event.content_block as { type: string }).type, content: "" });
            continue;
          }
          expect(event.index).toBe(open);
          if (event.type === "content_block_stop") {
            open = null;
            continue;
          }
          const delta = event.delta as { text?: string; thinking?: string; partial_json?: string };
          const block = blocks.at(-1);
          if (block) block.content += delta.text ?? delta.thinking ?? delta.partial_json ?? "";
        }
        expect(open).toBeNull();
        const of = (type: string) =>
          blocks.filter((block) => block.type === type).map((block) => block.content);
        expect(of("text").join("")).toBe(joined(turn.text));
        expect(of("thinking").join("")).toBe(joined(turn.thinking));
        expect(of("tool_use")).toEqual(argsOf(turn));
      }),
    );
  });

  it("pings once after the first block has opened, and signs the thinking before its block closes", () => {
    const types = frames("anthropic", { thinking: "hm", text: "yes" }).map((event) => {
      const delta = event.delta as { type?: string } | undefined;
      return delta?.type ?? event.type;
    });
    expect(types).toEqual([
      "message_start",
      "content_block_start",
      "ping",
      "thinking_delta",
      "signature_delta",
      "content_block_stop",
      "content_block_start",
      "text_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
  });
});
