import Anthropic, { APIError, AuthenticationError, BadRequestError, RateLimitError } from "@anthropic-ai/sdk";
import { burst, Gate, type LlmServer, startLlmServer } from "@tests/servers/llm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

const KEY = "sk-ant-right";
const MIXED = '日本語 🐱👩‍👩‍👧 é — 中文。\n"quoted" \\ back';

const WEATHER: Anthropic.Tool = {
  name: "get_weather",
  description: "weather of a city",
  input_schema: { type: "object", properties: { city: { type: "string" } } },
};

let server: LlmServer;
let client: Anthropic;

beforeAll(async () => {
  server = await startLlmServer({ apiKey: KEY, models: ["c-1", "c-2"] });
  client = new Anthropic({ apiKey: KEY, baseURL: server.anthropicBaseUrl, maxRetries: 0 });
});
beforeEach(() => server.reset());
afterAll(() => server.close());

function ask(content: string | Anthropic.ContentBlockParam[] = "hello") {
  return { model: "c-1", max_tokens: 4096, messages: [{ role: "user" as const, content }] };
}

describe("Anthropic wire, read by the official client", () => {
  it("streams text with pings, blocks and usage", async () => {
    server.script([
      { text: "Hello there", usage: { inputTokens: 30, outputTokens: 2, cachedInputTokens: 10 } },
    ]);
    const raw = await client.messages.create({ ...ask(), stream: true });
    const types: string[] = [];
    for await (const event of raw) types.push(event.type);
    // The client itself hides pings; tests/unit/servers/wire.test.ts looks at the bytes.
    expect(types).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    server.script([
      { text: "Hello there", usage: { inputTokens: 30, outputTokens: 2, cachedInputTokens: 10 } },
    ]);
    const message = await client.messages.stream(ask()).finalMessage();
    expect(message.content).toEqual([{ type: "text", text: "Hello there" }]);
    expect(message.stop_reason).toBe("end_turn");
    expect(message.usage).toMatchObject({ input_tokens: 20, cache_read_input_tokens: 10, output_tokens: 2 });
  });

  it("streams thinking with its signature, text and parallel tool calls in one message", async () => {
    server.script([
      {
        thinking: "Let me see.",
        text: "Looking.",
        toolCalls: [
          { name: "get_weather", args: { city: "東京 🗼" } },
          { name: "get_weather", args: {} },
        ],
        chunking: { deltaChars: 2 },
      },
    ]);
    const message = await client.messages.stream({ ...ask(), tools: [WEATHER] }).finalMessage();
    expect(message.content.map((block) => block.type)).toEqual(["thinking", "text", "tool_use", "tool_use"]);
    expect(message.content[0]).toMatchObject({
      thinking: "Let me see.",
      signature: expect.stringMatching(/.{20}/),
    });
    expect(message.content[2]).toMatchObject({ name: "get_weather", input: { city: "東京 🗼" } });
    expect(message.content[3]).toMatchObject({ input: {} });
    expect(message.stop_reason).toBe("tool_use");
  });

  it("takes a whole tool round with thinking sent back unchanged, and refuses it changed or left out", async () => {
    server.script([
      { thinking: "hm", toolCalls: [{ name: "get_weather", args: { city: "Wien" } }] },
      { text: "Sunny." },
    ]);
    const thinking = { type: "enabled" as const, budget_tokens: 1024 };
    const first = await client.messages.create({ ...ask(), tools: [WEATHER], thinking });
    const call = first.content.find((block) => block.type === "tool_use");
    const follow = (assistant: Anthropic.ContentBlockParam[]) => ({
      ...ask(),
      tools: [WEATHER],
      thinking,
      messages: [
        ...ask().messages,
        { role: "assistant" as const, content: assistant },
        {
          role: "user" as const,
          content: [{ type: "tool_result" as const, tool_use_id: call?.id ?? "", content: "sun" }],
        },
      ],
    });
    const forged = first.content.map((block) =>
      block.type === "thinking" ? { ...block, thinking: "ha" } : block,
    );
    await expect(client.messages.create(follow(forged))).rejects.toThrow(/Invalid `signature`/);
    const without = first.content.filter((block) => block.type !== "thinking");
    await expect(client.messages.create(follow(without))).rejects.toThrow(/must start with a thinking block/);
    const second = await client.messages.create(follow(first.content));
    expect(second.content).toEqual([{ type: "text", text: "Sunny." }]);
  });

  it("answers whole when no stream is asked for", async () => {
    server.script([{ text: "cut", finish: "length" }]);
    const message = await client.messages.create(ask());
    expect(message).toMatchObject({
      stop_reason: "max_tokens",
      content: [{ text: "cut" }],
      role: "assistant",
    });
    expect(message._request_id).toMatch(/^req_/);
  });

  it.each([1, 2, 3, 7, [1, 500, 2], 4096])(
    "cuts bytes at %j without harm to text or input",
    async (bytes) => {
      server.script([
        {
          text: MIXED,
          toolCalls: [{ name: "get_weather", args: { city: MIXED } }],
          chunking: { bytes, deltaChars: 1 },
        },
      ]);
      const message = await client.messages.stream({ ...ask(), tools: [WEATHER] }).finalMessage();
      expect(message.content[0]).toMatchObject({ text: MIXED });
      expect(message.content[1]).toMatchObject({ input: { city: MIXED } });
    },
  );

  it("lets the first delta arrive before the last is sent", async () => {
    const gate = new Gate("mid");
    server.script([{ text: ["one", "two"], gate }]);
    const seen: string[] = [];
    const stream = client.messages.stream(ask()).on("text", (text) => {
      seen.push(text);
      if (seen.length === 1) expect(server.requests[0]?.outcome).toBe("pending");
      gate.release();
    });
    await stream.finalMessage();
    expect(seen).toEqual(["one", "two"]);
  });

  it("sends a burst of 2,000 deltas complete and in order", async () => {
    server.script([burst(2000)]);
    const text = await client.messages.stream(ask()).finalText();
    expect(text).toBe(Array.from({ length: 2000 }, (_, at) => `${at} `).join(""));
  });

  it("lists and finds models", async () => {
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toEqual(["c-1", "c-2"]);
    expect(await client.models.retrieve("c-2")).toMatchObject({ type: "model", id: "c-2" });
  });
});

describe("Anthropic errors, read by the official client", () => {
  it("refuses a wrong key with 401", async () => {
    const wrong = new Anthropic({ apiKey: "sk-ant-wrong", baseURL: server.anthropicBaseUrl, maxRetries: 0 });
    const error = await wrong.messages.create(ask()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AuthenticationError);
    expect((error as APIError).error).toMatchObject({
      type: "error",
      error: { type: "authentication_error" },
    });
    expect(String(error)).not.toContain("sk-ant-wrong");
    await expect(wrong.models.list()).rejects.toBeInstanceOf(AuthenticationError);
  });

  it("answers 429 with Retry-After, then the next turn", async () => {
    server.script([{ fault: { status: 429, headers: { "retry-after": "0.05" } } }, { text: "at last" }]);
    const patient = new Anthropic({ apiKey: KEY, baseURL: server.anthropicBaseUrl, maxRetries: 1 });
    expect((await patient.messages.create(ask())).content).toEqual([{ type: "text", text: "at last" }]);
    server.script([{ fault: { status: 429, headers: { "retry-after": "3" } } }]);
    const error = await client.messages.create(ask()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RateLimitError);
    expect((error as APIError).headers?.get("retry-after")).toBe("3");
  });

  it.each([
    [500, "api_error"],
    [529, "overloaded_error"],
    [413, "request_too_large"],
  ])("answers %i as %s", async (status, type) => {
    server.script([{ fault: { status } }]);
    const error = await client.messages.create(ask()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status, error: { error: { type } } });
  });

  it("breaks a stream by an error event, without message_stop", async () => {
    server.script([{ text: ["a", "b", "c"], fault: { errorFrameAfterDeltas: 2 } }]);
    let text = "";
    const error = await client.messages
      .stream(ask())
      .on("text", (piece) => {
        text += piece;
      })
      .finalMessage()
      .catch((thrown: unknown) => thrown);
    expect(text).toBe("ab");
    expect(error).toBeInstanceOf(APIError);
    expect(String(error)).toContain("overloaded_error");
  });

  it("drops a stream, and ends an empty one", async () => {
    server.script([{ text: ["a", "b"], fault: { dropAfterDeltas: 1 } }, { fault: { emptyStream: true } }]);
    await expect(client.messages.stream(ask()).finalMessage()).rejects.toBeInstanceOf(Error);
    await expect(client.messages.stream(ask()).finalMessage()).rejects.toThrow(/without sending any chunks/);
    expect(server.counters).toMatchObject({ faults: 2, aborted: 0 });
  });

  it("refuses what the vendor refuses: pairing, empty blocks, names, order", async () => {
    server.script(() => ({ text: "should not be asked" }));
    const use = { type: "tool_use" as const, id: "t1", name: "f", input: {} };
    const result = { type: "tool_result" as const, tool_use_id: "t1", content: "x" };
    const turns = (...contents: Anthropic.ContentBlockParam[][]) => ({
      ...ask(),
      messages: contents.map((content, at) => ({
        role: at % 2 ? ("assistant" as const) : ("user" as const),
        content,
      })),
    });
    const hi = { type: "text" as const, text: "hi" };
    const bad: [RegExp, Anthropic.MessageCreateParamsNonStreaming][] = [
      [/without `tool_result` blocks immediately after: t1/, turns([hi], [use], [hi])],
      [/without `tool_result` blocks immediately after: t1/, turns([hi], [use])],
      [/unexpected `tool_use_id`/, turns([hi], [hi], [result])],
      [/must be non-empty/, turns([{ type: "text", text: "" }])],
      [/non-empty content/, turns([hi], [], [hi])],
      [/at least one message/, { ...ask(), messages: [] }],
      [/first message must use the/, { ...ask(), messages: [{ role: "assistant", content: "x" }] }],
      [/should match pattern/, { ...ask(), tools: [{ ...WEATHER, name: "a b" }] }],
      [/must be unique/, { ...ask(), tools: [WEATHER, WEATHER] }],
      [/budget_tokens/, { ...ask(), thinking: { type: "enabled", budget_tokens: 10 } }],
      [/greater than/, { ...ask(), thinking: { type: "enabled", budget_tokens: 5000 } }],
    ];
    for (const [message, params] of bad) {
      const error = await client.messages.create(params).catch((thrown: unknown) => thrown);
      expect(error, String(message)).toBeInstanceOf(BadRequestError);
      expect(String(error)).toMatch(message);
    }
    expect(server.counters.chats).toBe(0);
  });

  it("needs max_tokens and anthropic-version, which the client always sends", async () => {
    const post = (body: unknown, headers: Record<string, string>) =>
      fetch(`${server.url}/v1/messages`, {
        method: "POST",
        headers: { "x-api-key": KEY, ...headers },
        body: JSON.stringify(body),
      }).then(async (res) => [res.status, await res.text()]);
    const { max_tokens: _none, ...noLimit } = ask();
    expect(await post(noLimit, { "anthropic-version": "2023-06-01" })).toEqual([
      400,
      expect.stringContaining("max_tokens"),
    ]);
    expect(await post(ask(), {})).toEqual([400, expect.stringContaining("anthropic-version")]);
  });

  it("answers an unknown route with 404 in the vendor's shape", async () => {
    const error = await client.beta.files.list().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      status: 404,
      error: { type: "error", error: { type: "not_found_error" } },
    });
  });
});
