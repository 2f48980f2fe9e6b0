import { DOCUMENT, engineKit, type Kit, specOf, Transcript, tool } from "@tests/fixtures/agent/engine-kit";
import { roundOf } from "@tests/fixtures/agent/scripted-model";
import { describe, expect, it } from "vitest";
import type { ToolDeclaration } from "@/agent/contract/conversation";
import type { RunSpec } from "@/agent/core/run/events";

const ANSWER = { text: "abcdefgh", chunk: 1, delay: 100 };

/** A run whose model asks for one call of a tool with the given effect, up to that call. */
async function atToolCall(effect: ToolDeclaration["effect"], spec: Partial<RunSpec>): Promise<Kit> {
  const kit = engineKit((request) =>
    roundOf(request) === 0 ? { calls: [{ id: "c", name: "look" }] } : { text: "So be it." },
  );
  await kit.engine.start("r1", specOf({ tools: [tool("look", effect)], ...spec }), "hello");
  await kit.clock.settle();
  return kit;
}

function callResult(kit: Kit): string | undefined {
  const found = kit.events("r1").find((event) => event.type === "tool.completed");
  return found?.type === "tool.completed" ? found.result : undefined;
}

describe("starting", () => {
  it("starts a turn once, however often it is asked for", async () => {
    const kit = engineKit(() => ANSWER);
    const [first, second] = await Promise.all([
      kit.engine.start("r1", specOf(), "hello"),
      kit.engine.start("r1", specOf(), "hello"),
    ]);
    expect(second).toEqual(first);
    await kit.engine.start("r1", specOf(), "hello");
    const reading = kit.read("r1");
    await kit.clock.advance(5000);
    await reading;
    await kit.engine.start("r1", specOf(), "hello");
    await kit.clock.settle();
    expect(kit.model.requests).toHaveLength(1);
  });

  it("refuses a second turn of a conversation while one is under way, and takes it right after", async () => {
    const kit = engineKit(() => ANSWER);
    await kit.engine.start("r1", specOf(), "hello");
    await expect(kit.engine.start("r2", specOf(), "again")).rejects.toMatchObject({
      name: "ConversationBusyError",
    });
    await kit.engine.start("r3", specOf({ conversationId: "script-1/other" }), "elsewhere");
    const reading = kit.read("r1", {
      onBatch: (batch) => {
        // The next turn begins the very moment in which this one says that it is done.
        if (batch.reply) void kit.engine.start("r2", specOf(), "again");
      },
    });
    await kit.clock.advance(1000);
    await reading;
    await kit.clock.settle();
    expect(kit.store.runs.get("r2")?.status).toBe("running");
  });

  it("does not remember a start that could not be written", async () => {
    const kit = engineKit(() => ({ text: "ok" }));
    const { create } = kit.store;
    kit.store.create = () => Promise.reject(new Error("The disk is full."));
    await expect(kit.engine.start("r1", specOf(), "hello")).rejects.toThrow("The disk is full.");
    kit.store.create = create;
    await kit.engine.start("r2", specOf(), "hello");
    expect((await kit.read("r2")).at(-1)?.reply?.content).toBe("ok");
  });
});

describe("readers", () => {
  it("may be two at once, and one that comes late", async () => {
    const kit = engineKit(() => ANSWER);
    await kit.engine.start("r1", specOf(), "hello");
    const first = kit.read("r1");
    await kit.clock.advance(350);
    const second = kit.read("r1");
    await kit.clock.advance(5000);
    const third = await kit.read("r1");
    for (const batches of [await first, await second, third]) {
      expect(Transcript.of(batches).messages).toEqual([{ text: "abcdefgh", thinking: "" }]);
      expect(batches.at(-1)?.reply?.content).toBe("abcdefgh");
    }
  });

  it("get a delta at once, and a burst in few batches with every delta in it", async () => {
    const text = Array.from({ length: 2000 }, (_, i) => String.fromCharCode(33 + (i % 90))).join("");
    const kit = engineKit(() => ({ text, chunk: 1 }));
    await kit.engine.start("r1", specOf(), "hello");
    const reading = kit.read("r1");
    await kit.clock.advance(100);
    const batches = await reading;
    expect(batches.length).toBeLessThan(10);
    const deltas = batches.flatMap((b) => b.chunks).filter((c) => c.type === "content_delta");
    expect(deltas).toHaveLength(2000);
    expect(deltas.map((c) => c.content).join("")).toBe(text);
  });

  it("are told of write calls in the document only that began the turn", async () => {
    const kit = await atToolCall("write", {});
    const seen = (documentId: string) => {
      const stop = new AbortController();
      const reading = kit.read("r1", { documentId, signal: stop.signal });
      return kit.clock.settle().then(() => {
        stop.abort();
        return reading.then((batches) => batches.flatMap((b) => b.toolRequests));
      });
    };
    expect(await seen("document-2")).toEqual([]);
    expect(await seen(DOCUMENT)).toHaveLength(1);

    const repeatable = await atToolCall("read", {});
    const other = repeatable.read("r1", {
      documentId: "document-2",
      until: ({ toolRequests }) => toolRequests.length > 0,
    });
    expect((await other).at(-1)?.toolRequests).toHaveLength(1);
  });

  it("of an unknown run get a NotFoundError", async () => {
    const kit = engineKit(() => ({}));
    await expect(kit.read("nope")).rejects.toMatchObject({ name: "NotFoundError" });
  });
});

describe("the outcome of a call", () => {
  it("is not taken before the call was asked for, nor for one that does not exist", async () => {
    const kit = engineKit(() => ({
      calls: [
        { id: "a", name: "look" },
        { id: "b", name: "look" },
      ],
    }));
    await kit.engine.start("r1", specOf({ tools: [tool("look")] }), "hello");
    await kit.clock.settle();
    const length = kit.events("r1").length;
    for (const callId of ["b", "c"]) await kit.engine.deliver("r1", callId, { ok: true, value: "forged" });
    await kit.engine.deliver("unknown", "a", { ok: true, value: "forged" });
    expect(kit.events("r1")).toHaveLength(length);
  });
});

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
    const kit = await atToolCall("write", {});
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
    const kit = await atToolCall("write", {});
    const engine = kit.newEngine();
    await engine.deliver("r1", "c", { ok: true, value: "kept" });
    await engine.deliver("r1", "c", { ok: true, value: "a second time" });
    const reading = kit.read("r1", { engine });
    await kit.clock.settle();
    expect((await reading).at(-1)?.reply?.toolCalls?.[0]?.result).toBe("kept");
  });

  it("cancels a run whose page did not come back, and answers its calls", async () => {
    const kit = await atToolCall("write", {});
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

describe("a journal that cannot be written", () => {
  it("fails the readers with the reason, and loses nothing: the next worker goes on", async () => {
    const kit = engineKit(() => ({ text: "ok" }));
    const { append } = kit.store;
    kit.store.append = () => Promise.reject(new Error("The disk is full."));
    await kit.engine.start("r1", specOf(), "hello");
    await expect(kit.read("r1")).rejects.toThrow("The disk is full.");
    kit.store.append = append;
    expect((await kit.read("r1", { engine: kit.newEngine() })).at(-1)?.reply?.content).toBe("ok");
  });
});
