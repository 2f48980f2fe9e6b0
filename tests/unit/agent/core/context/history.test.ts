import { specOf } from "@tests/fixtures/agent/engine-kit";
import { describe, expect, it } from "vitest";
import { modelMessages } from "@/agent/core/context/history";
import type { StoredMessage } from "@/agent/core/context/messages";
import type { RunEvent } from "@/agent/core/run/events";
import { fold, type RunState } from "@/agent/core/run/state";

function stored(seq: number, patch: Partial<StoredMessage>): StoredMessage {
  return {
    conversationId: "c",
    seq,
    id: `m${seq}`,
    runId: "before",
    role: "user",
    content: "",
    createtime: 0,
    ...patch,
  };
}

function stateOf(...events: RunEvent[]): RunState {
  let state: RunState | null = null;
  let seq = 0;
  for (const event of [{ type: "run.started", spec: specOf({ content: "now" }) } as RunEvent, ...events]) {
    state = fold(state, { ...event, runId: "r", seq: ++seq, at: seq });
  }
  if (!state) throw new Error("no state");
  return state;
}

const call = (id: string) => ({ type: "tool-call" as const, id, name: "look", arguments: "{}" });

describe("what the model is shown", () => {
  it("is the system prompt, the conversation, and the turn", () => {
    const history = [
      stored(0, { content: "first" }),
      stored(1, { role: "assistant", parts: [{ type: "text", text: "answer" }] }),
    ];
    expect(modelMessages(history, stateOf())).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "first" }] },
      { role: "assistant", content: [{ type: "text", text: "answer" }] },
      { role: "user", content: [{ type: "text", text: "now" }] },
    ]);
  });

  it("C134 never has a call without a result, nor a result without its call", () => {
    const history = [
      stored(0, { content: "first" }),
      stored(1, { role: "assistant", parts: [call("a"), call("b"), call("c")] }),
      stored(2, { role: "tool", content: "B", toolCallId: "b", toolName: "look" }),
      stored(3, { role: "tool", content: "A", toolCallId: "a", toolName: "look", isError: true }),
      stored(4, { role: "tool", content: "stray", toolCallId: "z" }),
    ];
    const messages = modelMessages(history, stateOf());
    expect(messages[3]).toMatchObject({
      role: "tool",
      content: [
        { callId: "a", result: "A", isError: true },
        { callId: "b", result: "B", isError: false },
        { callId: "c", result: expect.stringContaining("not known"), isError: true },
      ],
    });
    expect(JSON.stringify(messages)).not.toContain("stray");
  });

  it("keeps results apart that have the same call id in different turns", () => {
    const turn = (run: string, seq: number) => [
      stored(seq, { runId: run, role: "assistant", parts: [call("call_0")] }),
      stored(seq + 1, { runId: run, role: "tool", content: run, toolCallId: "call_0" }),
    ];
    const messages = modelMessages([...turn("one", 0), ...turn("two", 2)], stateOf());
    expect(messages.flatMap((m) => (m.role === "tool" ? m.content.map((part) => part.result) : []))).toEqual([
      "one",
      "two",
    ]);
  });

  it("keeps the reasoning of whole answers with what the vendor wants back, and drops that of broken ones", () => {
    const thinking = { type: "thinking" as const, text: "hm", providerData: { signature: "s" } };
    const text = { type: "text" as const, text: "said" };
    const history = [
      stored(0, { role: "assistant", parts: [thinking, text] }),
      stored(1, {
        role: "assistant",
        parts: [{ type: "thinking", text: "cut" }, text],
        errorCode: "cancelled",
      }),
      stored(2, { role: "assistant", parts: [], errorCode: "api_error" }),
      stored(3, { role: "assistant", parts: [{ type: "text", text: "" }] }),
    ];
    expect(modelMessages(history, stateOf()).filter((m) => m.role === "assistant")).toEqual([
      { role: "assistant", content: [thinking, text] },
      { role: "assistant", content: [text] },
    ]);
  });

  it("C101 keeps fields of a call that only its vendor knows", () => {
    const signed = { ...call("a"), providerData: { extra_content: { google: { thought_signature: "x" } } } };
    const state = stateOf(
      { type: "model.requested", attempt: "1", round: 0, try: 0 },
      { type: "model.completed", attempt: "1", modelId: "m", content: [signed], finish: "tool-calls" },
    );
    expect(modelMessages([], state)[2]).toEqual({ role: "assistant", content: [signed] });
  });
});
