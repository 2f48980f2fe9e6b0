import { atToolCall, callResult, engineKit, specOf, Transcript } from "@tests/fixtures/agent/engine-kit";
import { describe, expect, it } from "vitest";

const ANSWER = { text: "abcdefgh", chunk: 1, delay: 100 };

describe("a new worker", () => {
  it("repeats a model call, replaces what its readers had of the old one, and leaves no trace of it in the messages", async () => {
    const kit = engineKit(() => ANSWER);
    await kit.engine.start("r1", specOf(), "hello");
    const early = kit.read("r1", { until: (batch) => batch.cursor.text >= 3 });
    await kit.clock.advance(350);
    const before = await early;
    const engine = kit.newEngine();
    const cursor = before.at(-1)?.cursor;
    const reading = kit.read("r1", { engine, cursor });
    await kit.clock.advance(2000);
    const after = await reading;
    expect(after[0]?.chunks[0]).toEqual({ type: "new_message", replaces: true });
    expect(Transcript.of([...before, ...after]).messages).toEqual([{ text: "abcdefgh", thinking: "" }]);
    expect(kit.store.messages.get("script-1/c1")?.map((m) => m.role)).toEqual(["user", "assistant"]);
  });

  it("has the run to itself: the old one can write no more", async () => {
    const kit = engineKit(() => ANSWER);
    await kit.engine.start("r1", specOf(), "hello");
    const old = kit.read("r1");
    const failed = expect(old).rejects.toMatchObject({ name: "LeaseLostError" });
    await kit.clock.settle();
    const engine = kit.newEngine();
    await engine.resumeAll();
    const reading = kit.read("r1", { engine });
    await kit.clock.advance(5000);
    await failed;
    expect((await reading).at(-1)?.reply?.content).toBe("abcdefgh");
    expect(kit.events("r1").filter((event) => event.type === "model.completed")).toHaveLength(1);
    expect(kit.reports).toEqual([]);
  });

  it("takes a tool outcome that the page has kept", async () => {
    const kit = await atToolCall("write");
    const engine = kit.newEngine();
    await engine.deliver("r1", "c", { ok: true, value: "kept" });
    await engine.deliver("r1", "c", { ok: true, value: "a second time" });
    const reading = kit.read("r1", { engine });
    await kit.clock.settle();
    expect((await reading).at(-1)?.reply?.toolCalls?.[0]?.result).toBe("kept");
  });

  it("cancels a run whose page did not come back, and answers its calls", async () => {
    const kit = await atToolCall("write");
    await kit.newEngine().resumeAll();
    await kit.clock.advance(30_001);
    expect(kit.store.runs.get("r1")?.status).toBe("stopped");
    expect(callResult(kit)).toContain("not known");
  });

  it("gives a run up that took the worker down with it again and again", async () => {
    const kit = engineKit(() => ANSWER);
    await kit.engine.start("r1", specOf(), "hello");
    for (let i = 0; i < 52; i++) await kit.newEngine().resumeAll();
    await kit.clock.settle();
    expect(kit.store.runs.get("r1")).toMatchObject({ status: "error", errorCode: "api_error" });
  });

  it("is not kept from its other runs by a damaged one", async () => {
    const kit = engineKit(() => ANSWER);
    await kit.engine.start("bad", specOf(), "hello");
    await kit.engine.start("good", specOf({ conversationId: "script-1/c2" }), "hello");
    kit.store.events.get("bad")?.splice(0, 1);
    const engine = kit.newEngine();
    const reading = kit.read("good", { engine });
    await kit.clock.advance(5000);
    expect((await reading).at(-1)?.reply?.content).toBe("abcdefgh");
    expect(kit.store.runs.get("bad")?.status).toBe("error");
    expect(kit.reports).toHaveLength(1);
  });
});
