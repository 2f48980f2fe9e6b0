import { lookThenSay, lookTool, stacksOfFile } from "@tests/fixtures/agent/script-kit";
import { describe, expect, it, vi } from "vitest";

const start = stacksOfFile();

describe("getMessages", () => {
  it("shows user, assistant with its calls, tool, assistant", async () => {
    const stack = start((request) => ({ thinking: "hm", ...lookThenSay(request) }));
    const { conversation } = stack.script("s");
    const conv = await conversation.create({ id: "mine", tools: [lookTool(async () => "seen")] });
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
    const stack = start(() => ({ text: "abcdef", chunk: 1, delay: 30 }));
    const { conversation } = stack.script("s");
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
    const stack = start(() => ({ text: "ok" }));
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
    const stack = start(() => ({ text: "ok" }));
    const { conversation } = stack.script("s");
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
    const stack = start(lookThenSay);
    const mine = stack.script("mine").conversation;
    const { conversation: theirs, rpc } = stack.script("theirs");
    let asked: (value: unknown) => void = () => undefined;
    const handler = () =>
      new Promise((resolve) => {
        asked = resolve;
      });
    const conv = await mine.create({ id: "main", tools: [lookTool(handler)] });
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
    const stack = start(() => ({}));
    const { conversation } = stack.script("s");
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
    const stack = start((request) => ({
      text: `secret answer ${request.messages.length}`,
    }));
    const { conversation } = stack.script("s");
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
