import { atToolCall, DOCUMENT, engineKit, specOf, Transcript, tool } from "@tests/fixtures/agent/engine-kit";
import { describe, expect, it } from "vitest";

const ANSWER = { text: "abcdefgh", chunk: 1, delay: 100 };

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
    const kit = await atToolCall("write");
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

    const repeatable = await atToolCall("read");
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
