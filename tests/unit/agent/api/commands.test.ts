import { gather, stacksOfFile } from "@tests/fixtures/agent/script-kit";
import { describe, expect, it, vi } from "vitest";

const start = stacksOfFile();

describe("commands", () => {
  it("answer without the model, by name with or without the slash", async () => {
    const stack = start(() => ({ text: "from the model" }));
    const { conversation } = stack.script("s");
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
    const stack = start(() => ({ text: "ok" }));
    const { conversation } = stack.script("s");
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
