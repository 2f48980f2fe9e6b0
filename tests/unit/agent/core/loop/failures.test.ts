import { chunkTypes, engineKit, lastChunk, specOf, Transcript } from "@tests/fixtures/agent/engine-kit";
import { serverError } from "@tests/fixtures/agent/scripted-model";
import { describe, expect, it } from "vitest";
import { ModelError, type ModelEvent } from "@/agent/core/models/types";

/** A stream that ends in the middle of an answer. */
async function* cutOff(): AsyncGenerator<ModelEvent> {
  yield { type: "text", text: "o" };
}

describe("a failing model", () => {
  it("is tried again after 429 and 5xx, and its failed answer is replaced", async () => {
    const kit = engineKit((_request, call) =>
      call === 0
        ? { text: "Hel", chunk: 1, delay: 5, fail: { after: 2, error: serverError(503) } }
        : { text: "Hello" },
    );
    await kit.engine.start("r1", specOf(), "hello");
    const reading = kit.read("r1");
    await kit.clock.advance(5000);
    const batches = await reading;
    expect(chunkTypes(batches)).toEqual([
      "content_delta",
      "content_delta",
      "new_message",
      "system_warning",
      "content_delta",
      "done",
    ]);
    expect(Transcript.of(batches).messages).toEqual([{ text: "Hello", thinking: "" }]);
    expect(batches.at(-1)?.reply?.content).toBe("Hello");
    expect(kit.store.messages.get("script-1/c1")?.map((message) => message.role)).toEqual([
      "user",
      "assistant",
    ]);
  });

  it("waits as long as Retry-After says", async () => {
    const kit = engineKit((_request, call) =>
      call === 0 ? { fail: { after: 0, error: serverError(429, 20_000) } } : { text: "ok" },
    );
    await kit.engine.start("r1", specOf(), "hello");
    const reading = kit.read("r1");
    await kit.clock.advance(19_999);
    expect(kit.model.requests).toHaveLength(1);
    await kit.clock.advance(1);
    expect(kit.model.requests).toHaveLength(2);
    expect((await reading).at(-1)?.reply?.content).toBe("ok");
  });

  it("waits longer each time and gives up after five tries, keeping what came", async () => {
    const kit = engineKit(() => ({ text: "par", fail: { after: 1, error: serverError(500) } }));
    await kit.engine.start("r1", specOf(), "hello");
    const reading = kit.read("r1");
    await kit.clock.advance(60_000);
    const batches = await reading;
    const asked = kit.events("r1").filter((event) => event.type === "model.requested");
    const waits = asked.slice(1).map((event, i) => event.at - (asked[i]?.at ?? 0));
    expect(waits).toEqual([375, 750, 1500, 3000]);
    expect(lastChunk(batches)).toMatchObject({ type: "error", errorCode: "api_error" });
    expect(Transcript.of(batches).messages).toEqual([{ text: "par", thinking: "" }]);
    expect(kit.store.messages.get("script-1/c1")?.at(-1)).toMatchObject({
      role: "assistant",
      parts: [{ type: "text", text: "par" }],
      errorCode: "api_error",
    });
  });

  it.each([
    ["auth", 401],
    ["api_error", 400],
    ["context_too_large", 413],
  ] as const)("is not tried again after %s (%i)", async (code, status) => {
    const error = new ModelError("No.", { code, status, retryable: false });
    const kit = engineKit(() => ({ fail: { after: 0, error } }));
    await kit.engine.start("r1", specOf(), "hello");
    const batches = await kit.read("r1");
    expect(kit.model.requests).toHaveLength(1);
    expect(batches.at(-1)?.chunks).toMatchObject([{ type: "error", error: "No.", errorCode: code }]);
  });

  it("is tried again when its stream ends without an end", async () => {
    const kit = engineKit(() => ({ text: "ok" }));
    let calls = 0;
    const engine = kit.newEngine({
      resolveModel: async () => ({
        ...kit.model.asModel(),
        client: {
          stream: (request, signal) => (++calls === 1 ? cutOff() : kit.model.stream(request, signal)),
        },
      }),
    });
    await engine.start("r1", specOf(), "hello");
    const reading = kit.read("r1", { engine });
    await kit.clock.advance(2000);
    expect((await reading).at(-1)?.reply?.content).toBe("ok");
  });

  it("says no_model when there is none", async () => {
    const kit = engineKit(() => ({}));
    const engine = kit.newEngine({
      resolveModel: () =>
        Promise.reject(Object.assign(new Error("No model is set up."), { code: "no_model" })),
    });
    await engine.start("r1", specOf(), "hello");
    expect(lastChunk(await kit.read("r1", { engine }))).toMatchObject({
      type: "error",
      error: "No model is set up.",
      errorCode: "no_model",
    });
  });
});
