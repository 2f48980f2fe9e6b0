import { type FullStack, fullStack } from "@tests/fixtures/agent/full-stack";
import { type Answer, roundOf } from "@tests/fixtures/agent/scripted-model";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ToolDefinition } from "@/agent/api/types";
import type { StreamChunk } from "@/agent/contract/conversation";
import type { ModelRequest } from "@/agent/core/models/types";

let stack: FullStack;

function start(answer: (request: ModelRequest, call: number) => Answer): FullStack {
  stack = fullStack(answer);
  return stack;
}

afterEach(async () => {
  expect(stack.errors).toEqual([]);
  expect(stack.reports).toEqual([]);
  await stack.close();
});

function tool(handler: ToolDefinition["handler"], patch: Partial<ToolDefinition> = {}): ToolDefinition {
  const parameters = { type: "object", properties: {} };
  return { name: "look", description: "Looks.", parameters, handler, ...patch };
}

async function gather(stream: AsyncIterable<StreamChunk>): Promise<StreamChunk[]> {
  const chunks: StreamChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

/** Calls the tool `look` in the first round, and says its result in the second. */
function lookThenSay(request: ModelRequest): Answer {
  if (roundOf(request) === 0) return { text: "Looking.", calls: [{ name: "look", arguments: '{"a":1}' }] };
  const last = request.messages.at(-1);
  return { text: last?.role === "tool" ? (last.content[0]?.result ?? "") : "" };
}

describe("chat", () => {
  it("answers, names the conversation, and remembers", async () => {
    const { conversation } = start((request) => ({ text: `${request.messages.length} messages` })).script(
      "s",
    );
    const conv = await conversation.create({ system: "You are a test." });
    expect(conv.title).toBe("");
    const first = await conv.chat("  What is\nthis? ");
    expect(first).toMatchObject({ content: "2 messages", usage: { inputTokens: 10, outputTokens: 5 } });
    expect(first.durationMs).toBeGreaterThanOrEqual(0);
    expect(first.runId).toMatch(/^[0-9a-f]{32}$/);
    expect(conv.title).toBe("What is this?");
    expect((await conv.chat("And now?")).content).toBe("4 messages");
    const [system] = stack.model.requests[0]?.messages ?? [];
    expect(system?.role === "system" && system.content).toMatch(/userscript.*You are a test\.$/s);
    expect(conv.modelId).toBe("m1");
  });

  it("runs the handlers of its tools, those of the turn before those of the conversation", async () => {
    const { conversation } = start(lookThenSay).script("s");
    const never = vi.fn();
    const conv = await conversation.create({ tools: [tool(never)] });
    const handler = vi.fn(async () => ({ seen: ["x", 1] }));
    const reply = await conv.chat("hi", { tools: [tool(handler)] });
    expect(handler).toHaveBeenCalledExactlyOnceWith({ a: 1 }, expect.any(AbortSignal));
    expect(never).not.toHaveBeenCalled();
    expect(reply.content).toBe('{"seen":["x",1]}');
    expect(reply.toolCalls).toEqual([
      {
        id: "call_0",
        name: "look",
        arguments: '{"a":1}',
        result: '{"seen":["x",1]}',
        status: "completed",
      },
    ]);
    expect(reply.usage).toEqual({ inputTokens: 20, outputTokens: 10 });
  });

  it.each([
    ["throws", () => Promise.reject(new TypeError("no such page")), "TypeError: no such page"],
    ["throws what is no error", () => Promise.reject("out of luck"), "out of luck"],
    ["returns a cycle", async () => cycle(), "circular"],
    ["returns a function", async () => () => 1, "no JSON form"],
    ["returns a BigInt", async () => 1n, "BigInt"],
  ])("tells the model when a tool %s", async (_what, handler, words) => {
    const { conversation } = start(lookThenSay).script("s");
    const conv = await conversation.create({ tools: [tool(handler)] });
    const reply = await conv.chat("hi");
    expect(reply.toolCalls?.[0]?.status).toBe("error");
    expect(reply.content).toContain(words);
  });

  it("gives a tool that returns nothing as null", async () => {
    const { conversation } = start(lookThenSay).script("s");
    const conv = await conversation.create({ tools: [tool(async () => undefined)] });
    expect((await conv.chat("hi")).content).toBe("null");
  });

  it("rejects with the code of the error, and goes on afterwards", async () => {
    const { conversation } = start((_request, call) => (call === 0 ? failing() : { text: "ok" })).script("s");
    const conv = await conversation.create();
    await expect(conv.chat("hi")).rejects.toMatchObject({
      name: "AgentError",
      code: "api_error",
      message: "The key is wrong.",
    });
    expect((await conv.chat("again")).content).toBe("ok");
  });

  it("refuses a second turn at the same time", async () => {
    const { conversation } = start(() => ({ text: "slow", delay: 50 })).script("s");
    const conv = await conversation.create();
    const first = conv.chat("one");
    await expect(conv.chat("two")).rejects.toMatchObject({ name: "ConversationBusyError" });
    expect((await first).content).toBe("slow");
  });

  it("refuses what makes no sense, before anything happens", async () => {
    const { conversation } = start(() => ({})).script("s");
    const conv = await conversation.create();
    await expect(conv.chat("  ")).rejects.toMatchObject({ name: "TypeError" });
    await expect(conv.chat("hi", { tools: [tool(async () => 1), tool(async () => 2)] })).rejects.toThrow(
      /named "look"/,
    );
    await expect(conv.chat("hi", { tools: [{ ...tool(async () => 1), name: "a b" }] })).rejects.toMatchObject(
      {
        name: "TypeError",
      },
    );
    await expect(conv.chat("hi", { budget: { costUsd: 1 } })).rejects.toMatchObject({
      name: "NotSupportedError",
    });
    const image = { type: "image" as const, attachmentId: "a", mimeType: "image/png" };
    await expect(conv.chat([image])).rejects.toMatchObject({ name: "NotSupportedError" });
    await expect(conversation.create({ maxIterations: 0 })).rejects.toMatchObject({ name: "TypeError" });
    const noHandler = { ...tool(async () => 1), handler: undefined } as unknown as ToolDefinition;
    await expect(conversation.create({ tools: [noHandler] })).rejects.toMatchObject({ name: "TypeError" });
    expect(stack.model.requests).toEqual([]);
    expect(await conv.getMessages()).toEqual([]);
  });

  it("gives an object that fits a schema", async () => {
    const { conversation } = start(() => ({ text: '{"n":3}' })).script("s");
    const conv = await conversation.create();
    const schema = { type: "object", properties: { n: { type: "number" } } };
    expect((await conv.chat("hi", { schema })).object).toEqual({ n: 3 });
  });
});

function failing(): Answer {
  return { fail: { after: 0, error: new Error("The key is wrong.") } };
}

function cycle(): object {
  const one: Record<string, unknown> = {};
  one.self = one;
  return one;
}

describe("chatStream", () => {
  it("yields deltas as they come, the first before the last is there", async () => {
    const { conversation } = start(() => ({ text: "abcdef", chunk: 1, delay: 15 })).script("s");
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
    const { conversation } = start(lookThenSay).script("s");
    const conv = await conversation.create({ tools: [tool(async () => "seen")] });
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
    const { conversation } = start(failing).script("s");
    const conv = await conversation.create();
    const chunks = await gather(await conv.chatStream("hi"));
    expect(chunks).toMatchObject([{ type: "error", error: "The key is wrong.", errorCode: "api_error" }]);
  });

  it("carries a burst of 2,000 deltas whole and in order", async () => {
    const text = Array.from({ length: 2000 }, (_, i) => `${i} `).join("");
    const { conversation } = start(() => ({ text, chunk: 4 })).script("s");
    const conv = await conversation.create();
    const chunks = await gather(await conv.chatStream("hi"));
    const deltas = chunks.filter((chunk) => chunk.type === "content_delta");
    expect(deltas.map((chunk) => chunk.content).join("")).toBe(text);
    expect(deltas).toHaveLength(Math.ceil(text.length / 4));
  });

  it("stops the turn when it is left early, keeping what came", async () => {
    const { conversation } = start(() => ({ text: "abcdef", chunk: 1, delay: 30 })).script("s");
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
    const { conversation } = start(lookThenSay).script("s");
    const handlerAborted = vi.fn();
    const abort = new AbortController();
    const slow = tool(async (_args, signal) => {
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
    const reply = await conv.chat("once more", { tools: [tool(async () => "quick")] });
    expect(reply.content).toBe("quick");
  });

  it("starts nothing for a signal that was aborted before", async () => {
    const { conversation } = start(() => ({ text: "no" })).script("s");
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
    const { conversation } = start(() => ({ text: "abcdefghij", chunk: 1, delay: 20 })).script("s");
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

describe("commands", () => {
  it("answer without the model, by name with or without the slash", async () => {
    const { conversation } = start(() => ({ text: "from the model" })).script("s");
    const greet = vi.fn(async (args: string) => `Hello ${args}`);
    const quiet = vi.fn(async () => undefined);
    const conv = await conversation.create({ commands: { greet, "/quiet": quiet } });
    expect(await conv.chat("/greet  the world\nand all ")).toEqual({
      content: "Hello the world\nand all",
      command: true,
    });
    expect(greet).toHaveBeenCalledWith("the world\nand all", conv);
    expect(await conv.chat("/quiet")).toEqual({ content: "", command: true });
    expect(await gather(await conv.chatStream("/greet you"))).toEqual([
      { type: "content_delta", content: "Hello you", command: true },
      { type: "done", command: true },
    ]);
    expect(stack.model.requests).toEqual([]);
    expect((await conv.chat("/unknown thing")).content).toBe("from the model");
    expect((await conv.chat("/constructor")).content).toBe("from the model");
  });

  it("/new and /reset empty the conversation; /compact says that it is not there yet", async () => {
    const { conversation } = start(() => ({ text: "ok" })).script("s");
    const conv = await conversation.create();
    for (const name of ["/new", "/reset"]) {
      await conv.chat("hi");
      expect(await conv.getMessages()).toHaveLength(2);
      expect(await conv.chat(name)).toEqual({ content: "", command: true });
      expect(await conv.getMessages()).toEqual([]);
      expect(conv.title).toBe("");
    }
    await expect(conv.chat("/compact")).rejects.toMatchObject({ name: "NotSupportedError" });
  });
});

describe("getMessages", () => {
  it("shows user, assistant with its calls, tool, assistant", async () => {
    const { conversation } = start((request) => ({ thinking: "hm", ...lookThenSay(request) })).script("s");
    const conv = await conversation.create({ id: "mine", tools: [tool(async () => "seen")] });
    await conv.chat([{ type: "text", text: "hi" }]);
    const messages = await conv.getMessages();
    const call = { id: "call_0", name: "look", arguments: '{"a":1}', result: "seen", status: "completed" };
    const common = { conversationId: "mine", id: expect.any(String), createtime: expect.any(Number) };
    const answer = {
      ...common,
      role: "assistant",
      thinking: { content: "hm" },
      modelId: "m1",
      usage: { inputTokens: 10, outputTokens: 5 },
      durationMs: expect.any(Number),
      firstTokenMs: expect.any(Number),
    };
    expect(messages).toEqual([
      { ...common, role: "user", content: [{ type: "text", text: "hi" }] },
      { ...answer, content: "Looking.", toolCalls: [call] },
      { ...common, role: "tool", content: "seen", toolCallId: "call_0" },
      { ...answer, content: "seen" },
    ]);
    expect(new Set(messages.map((message) => message.id)).size).toBe(4);
  });

  it("is empty after clear(), which ends a turn in flight", async () => {
    const { conversation } = start(() => ({ text: "abcdef", chunk: 1, delay: 30 })).script("s");
    const conv = await conversation.create();
    const chat = expect(conv.chat("hi")).rejects.toMatchObject({ code: "cancelled" });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await conv.clear();
    await chat;
    expect(await conv.getMessages()).toEqual([]);
    await conv.chat("again");
    expect(stack.model.requests.at(-1)?.messages).toHaveLength(2);
  });
});

describe("a conversation", () => {
  it("survives reload and worker: get() finds it with all it said", async () => {
    start(() => ({ text: "ok" }));
    const first = stack.script("s", "document-1").conversation;
    const made = await first.create({ system: "Sys." });
    await made.chat("hi");
    await made.save();
    stack.kill();
    const second = stack.script("s", "document-2").conversation;
    const found = await second.get(made.id);
    expect(found).toMatchObject({ id: made.id, title: "hi", modelId: "m1" });
    await found?.chat("more");
    expect(stack.model.requests[1]?.messages.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
    ]);
    expect(JSON.stringify(stack.model.requests[1]?.messages[0])).toContain("Sys.");
    expect(await second.get("nothing")).toBeNull();
  });

  it("is resumed by create() with its id, which changes the settings that are given", async () => {
    const { conversation } = start(() => ({ text: "ok" })).script("s");
    const conv = await conversation.create({ id: "mine", system: "One.", model: "a" });
    await conv.chat("hi");
    const again = await conversation.create({ id: "mine", system: "Two." });
    expect(again).toMatchObject({ id: "mine", title: "hi", modelId: "a" });
    await again.chat("more");
    expect(JSON.stringify(stack.model.requests[1]?.messages[0])).toMatch(/Two\./);
    expect(await again.getMessages()).toHaveLength(4);
    await expect(conversation.create({ id: "mine", ephemeral: true })).rejects.toThrow(/is kept/);
  });

  it("belongs to one script: another finds nothing, and may use the same id for its own", async () => {
    start(lookThenSay);
    const mine = stack.script("mine").conversation;
    const { conversation: theirs, rpc } = stack.script("theirs");
    let asked: (value: unknown) => void = () => undefined;
    const handler = () =>
      new Promise((resolve) => {
        asked = resolve;
      });
    const conv = await mine.create({ id: "main", tools: [tool(handler)] });
    const chat = conv.chat("secret");
    await vi.waitFor(async () => expect(await stack.worker().engine.list({})).toHaveLength(1));
    const [run] = await stack.worker().engine.list({});
    expect(await theirs.get("main")).toBeNull();
    const own = await theirs.create({ id: "main" });
    expect(await own.getMessages()).toEqual([]);
    const outcome = { ok: true, value: "forged" };
    await expect(
      rpc.call("agent.conversation.toolResult", { runId: run?.id, callId: "call_0", outcome }),
    ).rejects.toMatchObject({ name: "NotFoundError" });
    const turn = rpc.stream("agent.conversation.turn", {
      conversationId: "main",
      turnId: run?.id,
      content: "x",
    });
    await expect(turn.next()).rejects.toMatchObject({ name: "NotFoundError" });
    await expect(rpc.call("agent.conversation.messages", { conversationId: "other" })).rejects.toMatchObject({
      name: "NotFoundError",
    });
    await own.stop();
    await vi.waitFor(() => expect(asked).not.toBe(undefined));
    await vi.waitFor(() => asked("true result"));
    expect((await chat).content).toBe("true result");
  });

  it("says what this version does not have, by name", async () => {
    const { conversation } = start(() => ({})).script("s");
    const conv = await conversation.create();
    for (const call of [conv.attach(), conv.answer("a", "b"), conv.export("json")]) {
      await expect(call).rejects.toMatchObject({ name: "NotSupportedError" });
    }
    for (const call of [conversation.list(), conversation.remove("x")]) {
      await expect(call).rejects.toThrow(/does not support conversation\./);
    }
    await expect(conversation.create({ toolPolicy: { deny: ["*"] } })).rejects.toThrow("toolPolicy");
    await expect(conversation.create({ skills: ["x"] })).rejects.toThrow("skills");
    expect((await conversation.create({ skills: "auto" })).id).toBeTruthy();
  });
});

describe("an ephemeral conversation", () => {
  it("remembers across workers, and leaves no word in the database", async () => {
    const { conversation } = start((request) => ({
      text: `secret answer ${request.messages.length}`,
    })).script("s");
    const conv = await conversation.create({ ephemeral: true });
    expect((await conv.chat("secret question")).content).toBe("secret answer 2");
    stack.kill();
    expect((await conv.chat("secret again")).content).toBe("secret answer 4");
    expect(conv.title).toBe("secret question");
    expect((await conv.getMessages()).map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
    await vi.waitFor(async () => {
      const tables = await Promise.all(stack.db.tables.map((table) => table.toArray()));
      expect(JSON.stringify(tables)).not.toContain("secret");
    });
    await conv.clear();
    expect(await conv.getMessages()).toEqual([]);
  });
});
