import { engineKit, specOf } from "@tests/fixtures/agent/engine-kit";
import { describe, expect, it } from "vitest";

describe("an ephemeral run", () => {
  it("is erased when its end was read, its messages handed over before", async () => {
    const kit = engineKit(() => ({ text: "secret" }));
    await kit.engine.start("r1", specOf({ ephemeral: true }), "hello");
    await kit.read("r1");
    await kit.clock.settle();
    expect(kit.events("r1")).toEqual([]);
    expect(kit.store.messages.get("script-1/c1")).toEqual([]);
    expect(kit.kept.get("r1")?.map((message) => message.role)).toEqual(["user", "assistant"]);
    // The name stays for a while, so that the same turn is not done twice.
    await kit.engine.start("r1", specOf({ ephemeral: true }), "hello");
    await expect(kit.read("r1")).rejects.toMatchObject({ name: "NotFoundError" });
    expect(kit.model.requests).toHaveLength(1);
    await kit.clock.advance(3_600_001);
    await kit.newEngine().resumeAll();
    expect(kit.store.runs.has("r1")).toBe(false);
  });

  it("waits a minute for a reader that lost its connection", async () => {
    const kit = engineKit(() => ({ text: "secret" }));
    await kit.engine.start("r1", specOf({ ephemeral: true }), "hello");
    await kit.clock.advance(59_000);
    expect(kit.events("r1").at(-1)?.type).toBe("run.completed");
    await kit.clock.advance(2000);
    expect(kit.events("r1")).toEqual([]);
  });

  it("is not erased when its messages could not be handed over", async () => {
    const kit = engineKit(() => ({ text: "secret" }));
    const engine = kit.newEngine({ keepEphemeral: () => Promise.reject(new Error("full")) });
    await engine.start("r1", specOf({ ephemeral: true }), "hello");
    await kit.read("r1", { engine });
    await kit.clock.settle();
    expect(kit.reports).toHaveLength(1);
    await kit.newEngine().resumeAll();
    await kit.clock.advance(61_000);
    expect(kit.kept.has("r1")).toBe(true);
    expect(kit.events("r1")).toEqual([]);
  });
});
