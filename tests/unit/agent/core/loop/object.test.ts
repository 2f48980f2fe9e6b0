import { engineKit, lastChunk, specOf } from "@tests/fixtures/agent/engine-kit";
import { describe, expect, it } from "vitest";

describe("structured output", () => {
  const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };

  it.each([
    ["plain", '{"n":1}'],
    ["fenced", 'Sure:\n```json\n{"n":1}\n```'],
    ["in a sentence", 'It is {"n":1}, I think.'],
  ])("reads an object that came %s", async (_how, text) => {
    const kit = engineKit(() => ({ text }));
    await kit.engine.start("r1", specOf({ schema }), "hello");
    expect((await kit.read("r1")).at(-1)?.reply?.object).toEqual({ n: 1 });
  });

  it("C104 tells the model once what is wrong, then fails", async () => {
    const kit = engineKit((_request, call) => ({ text: call === 0 ? "I'll help!" : '{"n":2}' }));
    await kit.engine.start("r1", specOf({ schema }), "hello");
    expect((await kit.read("r1")).at(-1)?.reply?.object).toEqual({ n: 2 });
    expect(JSON.stringify(kit.model.requests[1]?.messages.at(-1))).toContain("holds no JSON");

    const hopeless = engineKit(() => ({ text: '{"n":"two"}' }));
    await hopeless.engine.start("r1", specOf({ schema }), "hello");
    const batches = await hopeless.read("r1");
    expect(hopeless.model.requests).toHaveLength(2);
    expect(lastChunk(batches)).toMatchObject({ type: "error", errorCode: "api_error" });
  });
});
