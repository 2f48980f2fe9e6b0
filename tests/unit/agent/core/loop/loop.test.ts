import { chunkTypes, engineKit, lastChunk, specOf, Transcript, tool } from "@tests/fixtures/agent/engine-kit";
import { roundOf } from "@tests/fixtures/agent/scripted-model";
import { describe, expect, it } from "vitest";
import type { TurnBatch } from "@/agent/contract/conversation";

describe("a turn", () => {
  it("streams an answer and ends with usage and duration", async () => {
    const kit = engineKit(() => ({ thinking: "hm", text: "Hello there", chunk: 5, delay: 10 }));
    await kit.engine.start("r1", specOf(), "hello");
    let batches: TurnBatch[] = [];
    const reading = kit.read("r1").then((read) => {
      batches = read;
    });
    await kit.clock.advance(1000);
    await reading;
    expect(chunkTypes(batches)).toEqual([
      "thinking_delta",
      "content_delta",
      "content_delta",
      "content_delta",
      "done",
    ]);
    expect(batches.at(-1)?.reply).toEqual({
      content: "Hello there",
      thinking: "hm",
      usage: { inputTokens: 10, outputTokens: 5 },
      durationMs: 40,
      runId: "r1",
    });
    expect(lastChunk(batches)).toMatchObject({
      type: "done",
      usage: { inputTokens: 10, outputTokens: 5 },
      durationMs: 40,
    });
    expect(kit.held.size).toBe(0);
  });

  it("runs a tool of the script and goes on with its result", async () => {
    const kit = engineKit((request) =>
      roundOf(request) === 0
        ? { text: "Let me see.", calls: [{ name: "look", arguments: '{"n":2}' }] }
        : { text: "It is 4." },
    );
    await kit.engine.start("r1", specOf({ tools: [tool("look")] }), "hello");
    const batches = await kit.read("r1", {
      onBatch: ({ toolRequests: [request] }) => {
        if (request) void kit.engine.deliver("r1", request.callId, { ok: true, value: { square: 4 } });
      },
    });
    expect(batches.flatMap((batch) => batch.toolRequests)).toEqual([
      { runId: "r1", callId: "call_0", name: "look", args: { n: 2 } },
    ]);
    expect(chunkTypes(batches)).toEqual([
      "content_delta",
      "tool_call",
      "tool_call_complete",
      "new_message",
      "content_delta",
      "done",
    ]);
    const call = {
      id: "call_0",
      name: "look",
      arguments: '{"n":2}',
      result: '{"square":4}',
      status: "completed",
    };
    expect(batches.at(-1)?.reply).toMatchObject({
      content: "It is 4.",
      toolCalls: [call],
      usage: { inputTokens: 20, outputTokens: 10 },
    });
    expect(kit.model.requests[1]?.messages.slice(-2)).toEqual([
      {
        role: "assistant",
        content: [
          { type: "text", text: "Let me see." },
          { type: "tool-call", id: "call_0", name: "look", arguments: '{"n":2}' },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            callId: "call_0",
            name: "look",
            result: '{"square":4}',
            isError: false,
          },
        ],
      },
    ]);
    // The intent was on disk before the call went out, and each step of a round was one write.
    const intent = kit.store.appends.find((a) => a.events.some((e) => e.type === "tool.requested"));
    expect(intent?.durable).toBe(true);
    expect(kit.store.appends.map((a) => a.events.map((e) => e.type))).toEqual([
      ["run.started", "model.requested"],
      ["model.completed", "tool.requested"],
      ["tool.completed", "model.requested"],
      ["model.completed", "run.completed"],
    ]);
  });

  it("answers unknown tools and wrong arguments itself, and lets the model try again", async () => {
    const kit = engineKit((request) =>
      roundOf(request) === 0
        ? {
            calls: [
              { id: "a", name: "nope" },
              { id: "b", name: "look", arguments: '{"n":' },
              { id: "c", name: "look", arguments: '{"n":"two"}' },
              { id: "d", name: "look", arguments: "[1]" },
            ],
          }
        : { text: "Sorry." },
    );
    await kit.engine.start("r1", specOf({ tools: [tool("look")] }), "hello");
    const batches = await kit.read("r1");
    const results = batches.at(-1)?.reply?.toolCalls ?? [];
    expect(results.map((call) => call.status)).toEqual(["error", "error", "error", "error"]);
    expect(results[0]?.result).toContain('no tool "nope"');
    expect(results[1]?.result).toContain("not JSON");
    expect(results[2]?.result).toContain("#/n");
    expect(results[3]?.result).toContain("must be a JSON object");
    expect(batches.flatMap((batch) => batch.toolRequests)).toEqual([]);
  });

  it("C095 takes empty arguments as none, also for a tool that is called twice in a round", async () => {
    const kit = engineKit((request) =>
      roundOf(request) === 0
        ? {
            calls: [
              { id: "", name: "look" },
              { id: "", name: "look", arguments: "" },
            ],
          }
        : { text: "Done." },
    );
    await kit.engine.start("r1", specOf({ tools: [tool("look", "read")] }), "hello");
    const asked: unknown[] = [];
    await kit.read("r1", {
      onBatch: ({ toolRequests }) => {
        for (const { callId, args } of toolRequests) {
          asked.push([callId, args]);
          void kit.engine.deliver("r1", callId, { ok: true, value: undefined });
        }
      },
    });
    expect(asked).toEqual([
      ["call_0_1", {}],
      ["call_0_2", {}],
    ]);
  });

  it("runs calls that only read side by side, and those that write alone and in order", async () => {
    const calls = [
      { id: "r1", name: "read" },
      { id: "r2", name: "read" },
      { id: "w1", name: "write" },
      { id: "w2", name: "write" },
      { id: "r3", name: "read" },
    ];
    const kit = engineKit((request) => (roundOf(request) === 0 ? { calls } : { text: "ok" }));
    await kit.engine.start("run", specOf({ tools: [tool("read", "read"), tool("write")] }), "hello");
    const groups: string[][] = [];
    await kit.read("run", {
      onBatch: ({ toolRequests }) => {
        if (toolRequests.length > 0) groups.push(toolRequests.map((request) => request.callId));
        // Outcomes come in another order than the calls.
        for (const { callId } of [...toolRequests].reverse()) {
          void kit.engine.deliver("run", callId, { ok: true, value: callId });
        }
      },
    });
    expect(groups).toEqual([["r1", "r2"], ["w1"], ["w2"], ["r3"]]);
    const results = kit.model.requests[1]?.messages.at(-1);
    expect(results?.role === "tool" && results.content.map((part) => part.result)).toEqual(
      calls.map((call) => call.id),
    );
  });

  it("keeps call ids of different rounds apart when the host repeats them", async () => {
    const kit = engineKit((request) =>
      roundOf(request) < 2 ? { calls: [{ id: "call_0", name: "look" }] } : { text: "ok" },
    );
    await kit.engine.start("r1", specOf({ tools: [tool("look")] }), "hello");
    const ids: string[] = [];
    await kit.read("r1", {
      onBatch: ({ toolRequests: [request] }) => {
        if (!request) return;
        ids.push(request.callId);
        void kit.engine.deliver("r1", request.callId, { ok: true, value: ids.length });
      },
    });
    expect(new Set(ids).size).toBe(2);
    const shown = kit.model.requests[2]?.messages.filter((message) => message.role === "tool");
    expect(shown?.flatMap((message) => (message.role === "tool" ? message.content : []))).toMatchObject([
      { callId: ids[0], result: "1" },
      { callId: ids[1], result: "2" },
    ]);
  });

  it("shows tool results only as far as 100,000 characters, and says so", async () => {
    const kit = engineKit((request) =>
      roundOf(request) === 0 ? { calls: [{ name: "look" }] } : { text: "ok" },
    );
    await kit.engine.start("r1", specOf({ tools: [tool("look")] }), "hello");
    const batches = await kit.read("r1", {
      onBatch: ({ toolRequests: [request] }) => {
        if (request) void kit.engine.deliver("r1", request.callId, { ok: true, value: "x".repeat(150_000) });
      },
    });
    const result = batches.at(-1)?.reply?.toolCalls?.[0]?.result ?? "";
    expect(result.length).toBeLessThan(100_200);
    expect(result).toContain("150000 characters");
  });

  it("C136 flags an answer that was cut off by the token limit", async () => {
    const kit = engineKit(() => ({ text: "And the rest is", finish: "length" }));
    await kit.engine.start("r1", specOf(), "hello");
    const batches = await kit.read("r1");
    expect(chunkTypes(batches)).toEqual(["content_delta", "system_warning", "done"]);
    expect(batches.at(-1)?.reply?.warning).toContain("cut off");
    expect(kit.store.messages.get("script-1/c1")?.at(-1)?.warning).toContain("cut off");
  });

  it("ends with max_iterations when the model never stops calling", async () => {
    const kit = engineKit(() => ({ calls: [{ name: "look" }] }));
    await kit.engine.start("r1", specOf({ tools: [tool("look")], maxIterations: 3 }), "hello");
    const batches = await kit.read("r1", {
      onBatch: ({ toolRequests: [request] }) => {
        if (request) void kit.engine.deliver("r1", request.callId, { ok: true, value: 1 });
      },
    });
    expect(kit.model.requests).toHaveLength(3);
    expect(lastChunk(batches)).toMatchObject({ type: "error", errorCode: "max_iterations" });
    expect(batches.at(-1)?.reply).toBeUndefined();
  });

  it.each([
    ["rounds", { rounds: 2 }, 2],
    ["tokens", { tokens: 30 }, 2],
  ])("ends with budget_exceeded over its budget of %s", async (_name, budget, rounds) => {
    const kit = engineKit(() => ({ calls: [{ name: "look" }] }));
    await kit.engine.start("r1", specOf({ tools: [tool("look")], budget }), "hello");
    const batches = await kit.read("r1", {
      onBatch: ({ toolRequests: [request] }) => {
        if (request) void kit.engine.deliver("r1", request.callId, { ok: true, value: 1 });
      },
    });
    expect(kit.model.requests).toHaveLength(rounds);
    expect(lastChunk(batches)).toMatchObject({ type: "error", errorCode: "budget_exceeded" });
  });

  it("ends a model call at once when its wall time is spent, keeping what it said", async () => {
    const kit = engineKit(() => ({ text: "abcdef", chunk: 1, delay: 100 }));
    await kit.engine.start("r1", specOf({ budget: { wallMs: 350 } }), "hello");
    const reading = kit.read("r1");
    await kit.clock.advance(1000);
    const batches = await reading;
    expect(lastChunk(batches)).toMatchObject({ type: "error", errorCode: "budget_exceeded" });
    expect(Transcript.of(batches).messages).toEqual([{ text: "abc", thinking: "" }]);
    expect(kit.model.aborted).toEqual([true]);
  });
});
