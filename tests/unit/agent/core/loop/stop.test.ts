import { engineKit, lastChunk, specOf, Transcript, tool } from "@tests/fixtures/agent/engine-kit";
import { serverError } from "@tests/fixtures/agent/scripted-model";
import { describe, expect, it } from "vitest";

describe("stop", () => {
  it("ends a back-off at once", async () => {
    const kit = engineKit(() => ({ fail: { after: 0, error: serverError(429, 60_000) } }));
    await kit.engine.start("r1", specOf(), "hello");
    const reading = kit.read("r1");
    await kit.clock.settle();
    await kit.engine.stop("r1", "Stopped.");
    expect(lastChunk(await reading)).toMatchObject({ type: "error", errorCode: "cancelled" });
    expect(kit.model.requests).toHaveLength(1);
  });

  it("C139 reaches the model call, and keeps what it had said with a warning", async () => {
    const kit = engineKit(() => ({ thinking: "t", text: "abcdef", chunk: 1, delay: 100 }));
    await kit.engine.start("r1", specOf(), "hello");
    const reading = kit.read("r1");
    await kit.clock.advance(350);
    await kit.engine.stop("r1", "Stopped.");
    const batches = await reading;
    expect(kit.model.aborted).toEqual([true]);
    expect(Transcript.of(batches).messages).toEqual([{ text: "ab", thinking: "t" }]);
    expect(kit.store.messages.get("script-1/c1")?.at(-1)).toMatchObject({
      role: "assistant",
      parts: [
        { type: "thinking", text: "t" },
        { type: "text", text: "ab" },
      ],
      warning: "Stopped.",
      errorCode: "cancelled",
    });
  });

  it("C139 reaches a tool that runs: its call is answered, its handler told, and no further step made", async () => {
    const kit = engineKit(() => ({
      calls: [
        { id: "a", name: "look" },
        { id: "b", name: "look" },
      ],
    }));
    await kit.engine.start("r1", specOf({ tools: [tool("look")] }), "hello");
    const reading = kit.read("r1");
    await kit.clock.settle();
    await kit.engine.stop("r1", "Stopped.");
    const batches = await reading;
    expect(batches.flatMap((batch) => batch.cancelled)).toEqual(["a", "b"]);
    await kit.engine.deliver("r1", "a", { ok: true, value: "late" });
    expect(kit.model.requests).toHaveLength(1);
    expect(kit.events("r1").at(-1)?.type).toBe("run.stopped");
    const results = kit.events("r1").filter((event) => event.type === "tool.completed");
    expect(results.map((event) => event.type === "tool.completed" && event.result)).toEqual([
      expect.stringContaining("not known"),
      expect.stringContaining("before this call was made"),
    ]);
  });

  it("does not wait for a model client that ignores its signal", async () => {
    const kit = engineKit(() => ({}));
    const engine = kit.newEngine({
      resolveModel: async () => ({
        ...kit.model.asModel(),
        client: {
          stream: () => ({
            [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }),
          }),
        },
      }),
    });
    await engine.start("r1", specOf(), "hello");
    await kit.clock.settle();
    await engine.stop("r1", "Stopped.");
    expect(kit.events("r1").at(-1)?.type).toBe("run.stopped");
  });
});
