import { lookThenSay, lookTool, refused, stacksOfFile } from "@tests/fixtures/agent/script-kit";
import { describe, expect, it, vi } from "vitest";
import type { ToolDefinition } from "@/agent/api/types";

const start = stacksOfFile();

describe("chat", () => {
  it("answers, names the conversation, and remembers", async () => {
    const stack = start((request) => ({ text: `${request.messages.length} messages` }));
    const { conversation } = stack.script("s");
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

  it("remembers in an ephemeral conversation too, however long keeping its messages takes", async () => {
    const stack = start((request) => ({ text: `${request.messages.length} messages` }));
    const { set } = stack.session;
    vi.spyOn(stack.session, "set").mockImplementation(async (key, value) => {
      for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
      await set(key, value);
    });
    const conv = await stack.script("s").conversation.create({ ephemeral: true });
    const answers: unknown[] = [];
    for (const question of ["one", "two", "three"]) answers.push((await conv.chat(question)).content);
    expect(answers).toEqual(["2 messages", "4 messages", "6 messages"]);
  });

  it("runs the handlers of its tools, those of the turn before those of the conversation", async () => {
    const stack = start(lookThenSay);
    const { conversation } = stack.script("s");
    const never = vi.fn();
    const conv = await conversation.create({ tools: [lookTool(never)] });
    const handler = vi.fn(async () => ({ seen: ["x", 1] }));
    const reply = await conv.chat("hi", { tools: [lookTool(handler)] });
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
    ["throws a symbol", () => Promise.reject(Symbol("odd")), "Symbol(odd)"],
    ["throws what has no text", () => Promise.reject(Object.create(null)), "threw what has no text"],
    [
      "throws an error that cannot be read",
      () =>
        Promise.reject(
          Object.defineProperty(new Error("x"), "message", {
            get() {
              throw new Error("no");
            },
          }),
        ),
      "threw what has no text",
    ],
    [
      "is no async function and throws",
      (() => {
        throw new Error("at once");
      }) as () => Promise<never>,
      "at once",
    ],
    ["throws very much", () => Promise.reject(new Error("x".repeat(300_000))), "[Cut: 300007 characters"],
  ])("tells the model when a tool %s", async (_what, handler, words) => {
    const stack = start(lookThenSay);
    const { conversation } = stack.script("s");
    const conv = await conversation.create({ tools: [lookTool(handler)] });
    const reply = await conv.chat("hi");
    expect(reply.toolCalls?.[0]?.status).toBe("error");
    expect(reply.content).toContain(words);
  });

  it.each([
    ["text", "x".repeat(300_000), 300_000],
    ["an object", { a: "x".repeat(300_000) }, 300_008],
  ])("cuts very long %s before it goes to the worker, and says so once", async (_what, value, length) => {
    const stack = start(lookThenSay);
    const { conversation } = stack.script("s");
    const conv = await conversation.create({ tools: [lookTool(async () => value)] });
    const { content } = await conv.chat("hi");
    expect(String(content).length).toBeLessThanOrEqual(100_000);
    expect(String(content).split("[Cut: ")).toEqual([
      expect.any(String),
      expect.stringContaining(`${length} characters`),
    ]);
  });

  it("gives a tool that returns nothing as null", async () => {
    const stack = start(lookThenSay);
    const { conversation } = stack.script("s");
    const conv = await conversation.create({ tools: [lookTool(async () => undefined)] });
    expect((await conv.chat("hi")).content).toBe("null");
  });

  it("rejects with the code of the error, and goes on afterwards", async () => {
    const stack = start((_request, call) => (call === 0 ? refused() : { text: "ok" }));
    const { conversation } = stack.script("s");
    const conv = await conversation.create();
    await expect(conv.chat("hi")).rejects.toMatchObject({
      name: "AgentError",
      code: "api_error",
      message: "The key is wrong.",
    });
    expect((await conv.chat("again")).content).toBe("ok");
  });

  it("refuses a second turn at the same time", async () => {
    const stack = start(() => ({ text: "slow", delay: 50 }));
    const { conversation } = stack.script("s");
    const conv = await conversation.create();
    const first = conv.chat("one");
    await expect(conv.chat("two")).rejects.toMatchObject({ name: "ConversationBusyError" });
    expect((await first).content).toBe("slow");
  });

  it("refuses what makes no sense, before anything happens", async () => {
    const stack = start(() => ({}));
    const { conversation } = stack.script("s");
    const conv = await conversation.create();
    await expect(conv.chat("  ")).rejects.toMatchObject({ name: "TypeError" });
    await expect(
      conv.chat("hi", { tools: [lookTool(async () => 1), lookTool(async () => 2)] }),
    ).rejects.toThrow(/named "look"/);
    await expect(
      conv.chat("hi", { tools: [{ ...lookTool(async () => 1), name: "a b" }] }),
    ).rejects.toMatchObject({
      name: "TypeError",
    });
    await expect(conv.chat("hi", { budget: { costUsd: 1 } })).rejects.toMatchObject({
      name: "NotSupportedError",
    });
    const image = { type: "image" as const, attachmentId: "a", mimeType: "image/png" };
    await expect(conv.chat([image])).rejects.toMatchObject({ name: "NotSupportedError" });
    await expect(conversation.create({ maxIterations: 0 })).rejects.toMatchObject({ name: "TypeError" });
    const noHandler = { ...lookTool(async () => 1), handler: undefined } as unknown as ToolDefinition;
    await expect(conversation.create({ tools: [noHandler] })).rejects.toMatchObject({ name: "TypeError" });
    for (const tools of [{}, "look", [null], [undefined]] as unknown as ToolDefinition[][]) {
      await expect(conversation.create({ tools })).rejects.toThrow(/must be a list|has no handler function/);
    }
    const cyclic = lookTool(async () => 1, { parameters: cycle() as Record<string, unknown> });
    await expect(conv.chat("hi", { tools: [cyclic] })).rejects.toMatchObject({ name: "TypeError" });
    await expect(conv.chat("hi", { schema: cycle() as Record<string, unknown> })).rejects.toMatchObject({
      name: "TypeError",
    });
    expect(stack.model.requests).toEqual([]);
    expect(await conv.getMessages()).toEqual([]);
  });

  it("gives an object that fits a schema", async () => {
    const stack = start(() => ({ text: '{"n":3}' }));
    const { conversation } = stack.script("s");
    const conv = await conversation.create();
    const schema = { type: "object", properties: { n: { type: "number" } } };
    expect((await conv.chat("hi", { schema })).object).toEqual({ n: 3 });
  });
});

function cycle(): object {
  const one: Record<string, unknown> = {};
  one.self = one;
  return one;
}
