import { gather, lookThenSay, lookTool, refused, stacksOfFile } from "@tests/fixtures/agent/script-kit";
import { describe, expect, it, vi } from "vitest";
import type { StreamChunk } from "@/agent/contract/conversation";

const start = stacksOfFile();

describe("chatStream", () => {
  it("yields deltas as they come, the first before the last is there", async () => {
    const stack = start(() => ({ text: "abcdef", chunk: 1, delay: 15 }));
    const { conversation } = stack.script("s");
    const conv = await conversation.create();
    const times: number[] = [];
    const began = performance.now();
    for await (const chunk of await conv.chatStream("hi")) {
      if (chunk.type === "content_delta") times.push(performance.now() - began);
    }
    expect(times).toHaveLength(6);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(40);
  });

  it("has tool calls, new_message between rounds, and ends with done", async () => {
    const stack = start(lookThenSay);
    const { conversation } = stack.script("s");
    const conv = await conversation.create({ tools: [lookTool(async () => "seen")] });
    const chunks = await gather(await conv.chatStream("hi"));
    expect(chunks.map((chunk) => chunk.type)).toEqual([
      "content_delta",
      "tool_call",
      "tool_call_complete",
      "new_message",
      "content_delta",
      "done",
    ]);
    expect(chunks[1]?.toolCall).toEqual({
      id: "call_0",
      name: "look",
      arguments: '{"a":1}',
      status: "pending",
    });
    expect(chunks[2]?.toolCall).toMatchObject({ result: "seen", status: "completed" });
    expect(chunks.at(-1)?.usage).toEqual({ inputTokens: 20, outputTokens: 10 });
    expect(conv.title).toBe("hi");
  });

  it("ends after an error chunk", async () => {
    const stack = start(refused);
    const { conversation } = stack.script("s");
    const conv = await conversation.create();
    const chunks = await gather(await conv.chatStream("hi"));
    expect(chunks).toMatchObject([{ type: "error", error: "The key is wrong.", errorCode: "api_error" }]);
  });

  it("carries a burst of 2,000 deltas whole and in order", async () => {
    const text = Array.from({ length: 2000 }, (_, i) => `${i} `).join("");
    const stack = start(() => ({ text, chunk: 4 }));
    const { conversation } = stack.script("s");
    const conv = await conversation.create();
    const chunks = await gather(await conv.chatStream("hi"));
    const deltas = chunks.filter((chunk) => chunk.type === "content_delta");
    expect(deltas.map((chunk) => chunk.content).join("")).toBe(text);
    expect(deltas).toHaveLength(Math.ceil(text.length / 4));
  });

  it("stops the turn when it is left early, keeping what came", async () => {
    const stack = start(() => ({ text: "abcdef", chunk: 1, delay: 30 }));
    const { conversation } = stack.script("s");
    const conv = await conversation.create();
    for await (const chunk of await conv.chatStream("hi")) if (chunk.type === "content_delta") break;
    await vi.waitFor(async () => {
      const last = (await conv.getMessages()).at(-1);
      expect(last).toMatchObject({
        role: "assistant",
        warning: "The turn was stopped.",
        errorCode: "cancelled",
      });
      expect(last?.content).toMatch(/^ab?c?$/);
    });
    expect(stack.model.aborted).toEqual([true]);
  });
});

describe("stopping", () => {
  it("rejects with AbortError when the signal aborts, and ends model call and tools", async () => {
    const stack = start(lookThenSay);
    const { conversation } = stack.script("s");
    const handlerAborted = vi.fn();
    const abort = new AbortController();
    const slow = lookTool(async (_args, signal) => {
      signal.addEventListener("abort", handlerAborted);
      abort.abort();
      return new Promise(() => undefined);
    });
    const conv = await conversation.create({ tools: [slow] });
    await expect(conv.chat("hi", { signal: abort.signal })).rejects.toMatchObject({ name: "AbortError" });
    expect(handlerAborted).toHaveBeenCalledOnce();
    await vi.waitFor(async () =>
      expect(await stack.worker().engine.list({ status: "stopped" })).toHaveLength(1),
    );
    expect(stack.model.requests).toHaveLength(1);
    const reply = await conv.chat("once more", { tools: [lookTool(async () => "quick")] });
    expect(reply.content).toBe("quick");
  });

  it("starts nothing for a signal that was aborted before", async () => {
    const stack = start(() => ({ text: "no" }));
    const { conversation } = stack.script("s");
    const conv = await conversation.create();
    await expect(conv.chat("hi", { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
    await expect(gather(await conv.chatStream("hi", { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(await conv.getMessages()).toEqual([]);
  });

  it("stop() ends the turn: chat() rejects as cancelled, and the partial answer stays", async () => {
    const stack = start(() => ({ text: "abcdefghij", chunk: 1, delay: 20 }));
    const { conversation } = stack.script("s");
    const conv = await conversation.create();
    const stream = await conv.chatStream("hi");
    const chunks: StreamChunk[] = [];
    for await (const chunk of stream) {
      chunks.push(chunk);
      if (chunks.length === 3) await conv.stop();
    }
    expect(chunks.at(-1)).toMatchObject({ type: "error", errorCode: "cancelled" });
    const text = chunks.map((chunk) => (chunk.type === "content_delta" ? chunk.content : "")).join("");
    expect((await conv.getMessages()).at(-1)?.content).toBe(text);
    await conv.stop();

    const chat = conv.chat("again");
    await new Promise((resolve) => setTimeout(resolve, 50));
    const rejected = expect(chat).rejects.toMatchObject({ name: "AbortError", code: "cancelled" });
    await conv.stop();
    await rejected;
  });
});
