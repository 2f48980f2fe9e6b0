import { atToolCall, callResult, engineKit, specOf } from "@tests/fixtures/agent/engine-kit";
import { describe, expect, it } from "vitest";

describe("a page that goes away", () => {
  it("has 30 s, then its turn is cancelled and what it said kept", async () => {
    const kit = engineKit(() => ({ text: "x".repeat(1000), chunk: 1, delay: 1000 }));
    await kit.engine.start("r1", specOf(), "hello");
    const stop = new AbortController();
    const reading = kit.read("r1", { signal: stop.signal });
    await kit.clock.advance(60_000);
    expect(kit.store.runs.get("r1")?.status).toBe("running");
    stop.abort();
    await reading;
    await kit.clock.advance(29_000);
    const back = new AbortController();
    const again = kit.read("r1", { signal: back.signal });
    await kit.clock.advance(5000);
    expect(kit.store.runs.get("r1")?.status).toBe("running");
    back.abort();
    await again;
    await kit.clock.advance(30_001);
    expect(kit.store.runs.get("r1")).toMatchObject({ status: "stopped", errorCode: "cancelled" });
    expect(kit.held.size).toBe(0);
  });

  it("does not matter to a background run", async () => {
    const kit = engineKit(() => ({ text: "x".repeat(100), chunk: 1, delay: 1000 }));
    await kit.engine.start("r1", specOf({ background: true }), "hello");
    await kit.clock.advance(200_000);
    expect(kit.store.runs.get("r1")?.status).toBe("done");
  });

  it("leaves a write call of a background run with an unknown outcome, which the model is told after 30 s", async () => {
    const kit = await atToolCall("write", { background: true });
    await kit.read("r1", { until: ({ toolRequests }) => toolRequests.length > 0 });
    await kit.clock.advance(29_000);
    expect(callResult(kit)).toBeUndefined();
    await kit.clock.advance(2000);
    expect(callResult(kit)).toContain(
      "outcome unknown: the page that runs this tool is gone. Look before you repeat",
    );
    await kit.clock.settle();
    expect(kit.store.runs.get("r1")?.status).toBe("done");
  });

  it("leaves a call that may be repeated waiting for the script for 5 minutes", async () => {
    const kit = await atToolCall("idempotent", { background: true });
    await kit.read("r1", { until: ({ toolRequests }) => toolRequests.length > 0 });
    await kit.clock.advance(240_000);
    const batches = await kit.read("r1", {
      onBatch: ({ toolRequests: [request] }) => {
        if (request) void kit.engine.deliver("r1", request.callId, { ok: true, value: "seen" });
      },
    });
    expect(batches.at(-1)?.reply?.toolCalls?.[0]?.result).toBe("seen");

    const given = await atToolCall("idempotent", { background: true });
    await given.clock.advance(300_001);
    expect(callResult(given)).toContain("was not made");
  });

  it("keeps the worker awake for a tool for 5 minutes, not for ever", async () => {
    const kit = await atToolCall("write");
    const stop = new AbortController();
    const reading = kit.read("r1", { signal: stop.signal });
    await kit.clock.advance(299_000);
    expect(kit.held.size).toBe(1);
    await kit.clock.advance(2000);
    expect(kit.held.size).toBe(0);
    expect(kit.store.runs.get("r1")?.status).toBe("running");
    stop.abort();
    await reading;
  });
});
