import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV3, LanguageModelV3Prompt, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { type LlmServer, startLlmServer, type Turn } from "@tests/servers/llm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

/** The provider packages that the product itself uses must read both wires. */

const KEY = "sk-right";
const MIXED = "日本語 🐱👩‍👩‍👧 é 中文。";

let server: LlmServer;

beforeAll(async () => {
  server = await startLlmServer({ apiKey: KEY });
});
beforeEach(() => server.reset());
afterAll(() => server.close());

const models: [string, () => LanguageModelV3][] = [
  [
    "openai-compatible",
    () =>
      createOpenAICompatible({
        name: "fake",
        apiKey: KEY,
        baseURL: server.openaiBaseUrl,
        includeUsage: true,
      }).chatModel("fake-model"),
  ],
  ["anthropic", () => createAnthropic({ apiKey: KEY, baseURL: server.anthropicV1BaseUrl })("fake-model")],
];

const PROMPT: LanguageModelV3Prompt = [{ role: "user", content: [{ type: "text", text: "hi" }] }];
const TOOL = {
  type: "function" as const,
  name: "get_weather",
  description: "weather",
  inputSchema: { type: "object" as const, properties: { city: { type: "string" as const } } },
};

async function run(model: LanguageModelV3, prompt = PROMPT): Promise<LanguageModelV3StreamPart[]> {
  const { stream } = await model.doStream({ prompt, tools: [TOOL] });
  const parts: LanguageModelV3StreamPart[] = [];
  for await (const part of stream as unknown as AsyncIterable<LanguageModelV3StreamPart>) parts.push(part);
  return parts;
}

const textOf = (parts: LanguageModelV3StreamPart[]) =>
  parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");

describe.each(models)("@ai-sdk/%s reads the fake", (_name, model) => {
  const turn: Turn = {
    thinking: "Let me see.",
    text: MIXED,
    toolCalls: [
      { name: "get_weather", args: { city: MIXED } },
      { name: "get_weather", args: {} },
    ],
    usage: { inputTokens: 40, outputTokens: 9 },
  };

  it.each([undefined, 1, 5])("text, reasoning, parallel calls and usage, bytes cut at %s", async (bytes) => {
    server.script([bytes === undefined ? turn : { ...turn, chunking: { bytes } }]);
    const parts = await run(model());
    expect(textOf(parts)).toBe(MIXED);
    expect(parts.map((part) => (part.type === "reasoning-delta" ? part.delta : "")).join("")).toBe(
      "Let me see.",
    );
    const calls = parts.filter((part) => part.type === "tool-call");
    expect(calls.map((call) => JSON.parse(call.input))).toEqual([{ city: MIXED }, {}]);
    const finish = parts.find((part) => part.type === "finish");
    expect(finish).toMatchObject({
      finishReason: { unified: "tool-calls" },
      usage: { inputTokens: { total: 40 }, outputTokens: { total: 9 } },
    });
    expect(parts.some((part) => part.type === "error")).toBe(false);
  });

  it("a whole tool round: the history that the package sends back is accepted", async () => {
    server.script([
      { text: "Looking.", toolCalls: [{ name: "get_weather", args: { city: "Wien" } }] },
      { text: "Sunny." },
    ]);
    const first = await run(model());
    const call = first.find((part) => part.type === "tool-call");
    const id = { toolCallId: call?.toolCallId ?? "", toolName: "get_weather" };
    const second = await run(model(), [
      ...PROMPT,
      {
        role: "assistant",
        content: [
          { type: "text", text: "Looking." },
          { type: "tool-call", ...id, input: { city: "Wien" } },
        ],
      },
      { role: "tool", content: [{ type: "tool-result", ...id, output: { type: "text", value: "sun" } }] },
    ]);
    expect(textOf(second)).toBe("Sunny.");
    expect(server.counters).toMatchObject({ chats: 2, rejected: 0 });
  });

  it("an error frame in the stream is an error part, after the text before it", async () => {
    server.script([
      { text: ["a", "b", "c"], fault: { errorFrameAfterDeltas: 2, error: { message: "engine lost" } } },
    ]);
    const parts = await run(model());
    expect(textOf(parts)).toBe("ab");
    const error = parts.find((part) => part.type === "error");
    expect(JSON.stringify(error)).toContain("engine lost");
  });

  it("an HTTP error carries status, headers and the vendor's message", async () => {
    server.script([{ fault: { status: 429, headers: { "retry-after": "7" } } }]);
    await expect(model().doStream({ prompt: PROMPT })).rejects.toMatchObject({
      name: "AI_APICallError",
      statusCode: 429,
      responseHeaders: { "retry-after": "7" },
      message: expect.stringContaining("429"),
    });
  });

  it("a dropped stream rejects the reader", async () => {
    server.script([{ text: ["a", "b"], fault: { dropAfterDeltas: 1 } }]);
    await expect(run(model())).rejects.toThrow();
  });

  it("answers whole", async () => {
    server.script([turn]);
    const { content, usage } = await model().doGenerate({ prompt: PROMPT });
    expect(content.filter((part) => part.type === "text")).toEqual([{ type: "text", text: MIXED }]);
    expect(usage.outputTokens.total).toBe(9);
  });
});
