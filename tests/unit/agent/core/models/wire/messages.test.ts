import { describe, expect, it } from "vitest";
import { messagesDialect } from "@/agent/core/models/wire/messages-dialect";
import { block, frame, message, normalised, runWith } from "../harness";

const ANTHROPIC = { provider: "anthropic" };
const text = (s: string) => block(0, { type: "text", text: "" }, { type: "text_delta", text: s });
const failure = (kind: string, status: number | "", said = "") => ({
  type: "error",
  error: { type: `moggy-failure:${kind}:${status}`, message: said },
});
const clean = (body: string, end?: Error) => normalised(messagesDialect, body, undefined, end);
/** The beginning of an answer, up to and without its stop reason. */
const begun = (s: string) =>
  [{ type: "message_start", message: { usage: { input_tokens: 1 } } }, ...text(s)].map(frame).join("");

describe("Anthropic streams", () => {
  it("C098 an error in the middle ends the answer after its text", async () => {
    const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    const ping = 'event: ping\ndata: {"type": "ping"}\n\n';
    const outcome = await runWith(`${begun("half")}${ping}event: error\n${frame(overloaded)}`, ANTHROPIC);
    expect(outcome.text).toBe("half");
    expect(outcome.finish).toBeUndefined();
    expect(outcome.error).toMatchObject({
      name: "ModelError",
      status: 529,
      retryable: true,
      code: "api_error",
    });
    expect(String(outcome.error)).toContain("Overloaded");
  });

  it("C098 an error as the very first event is the same", async () => {
    const outcome = await runWith(
      frame({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
      ANTHROPIC,
    );
    expect(outcome.error).toMatchObject({ name: "ModelError", status: 529, retryable: true });
  });

  it("C098 a close without message_stop is a broken stream, unless the stop reason was given", async () => {
    expect((await clean(begun("half"))).at(-1)).toEqual(failure("broken-stream", ""));
    const delta = frame({
      type: "message_delta",
      delta: { stop_reason: "end_turn" },
      usage: { output_tokens: 1 },
    });
    expect((await clean(begun("all") + delta)).at(-1)).toEqual({ type: "message_stop" });
  });

  it("C097 no byte, or comments alone, are an error", async () => {
    expect(await clean("")).toEqual([failure("empty-answer", "")]);
    expect(await clean(": hello\n\n")).toEqual([failure("empty-answer", "")]);
  });

  it("events, blocks and deltas of a later version are passed over", async () => {
    const odd = message([
      { type: "weather_report", sunny: true },
      ...block(0, { type: "hologram", depth: 3 }, { type: "text_delta", text: "not this" }),
      ...block(
        1,
        { type: "text", text: "" },
        { type: "mood_delta", mood: "fine" },
        { type: "text_delta", text: "hi" },
      ),
    ]);
    const outcome = await runWith(odd, ANTHROPIC);
    expect(outcome.error).toBeUndefined();
    expect(outcome.text).toBe("hi");
  });

  it("counts and fields that an imitator leaves out are filled in", async () => {
    const body =
      frame({ type: "message_start", message: {} }) +
      [
        { type: "content_block_start", index: 0, content_block: { type: "text" } },
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hi" } },
        { type: "message_delta", delta: { stop_reason: "end_turn" } },
      ]
        .map(frame)
        .join("");
    const outcome = await runWith(body, ANTHROPIC);
    expect(outcome.error).toBeUndefined();
    expect(outcome.finish).toMatchObject({ reason: "stop", content: [{ type: "text", text: "hi" }] });
  });

  it("a tool call whose block is never closed is handed over", async () => {
    const body = message(
      block(
        0,
        { type: "tool_use", id: "t1", name: "one", input: {} },
        { type: "input_json_delta", partial_json: '{"x":1}' },
      ).slice(0, 2),
      "tool_use",
    );
    expect((await runWith(body, ANTHROPIC)).finish?.content).toEqual([
      { type: "tool-call", id: "t1", name: "one", arguments: '{"x":1}' },
    ]);
  });

  it("the type in the event line stands in for a missing one", async () => {
    const named = message(text("hi"))
      .split("\n\n")
      .filter(Boolean)
      .map((event) => {
        const { type, ...rest } = JSON.parse(event.replace("data: ", "")) as Record<string, unknown>;
        return `event: ${type}\ndata: ${JSON.stringify(rest)}\n\n`;
      });
    expect((await runWith(named.join(""), ANTHROPIC)).text).toBe("hi");
  });

  it("a whole answer in one piece of JSON is an answer", async () => {
    const whole = {
      id: "m",
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "S" },
        { type: "text", text: "hi" },
        { type: "tool_use", id: "t1", name: "one", input: { x: 1 } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 2, output_tokens: 3 },
    };
    expect((await runWith(JSON.stringify(whole), ANTHROPIC)).finish).toEqual({
      type: "finish",
      reason: "tool-calls",
      usage: { inputTokens: 2, outputTokens: 3 },
      content: [
        { type: "thinking", text: "hm", providerData: { anthropic: { signature: "S" } } },
        { type: "text", text: "hi" },
        { type: "tool-call", id: "t1", name: "one", arguments: '{"x":1}' },
      ],
    });
  });
});
