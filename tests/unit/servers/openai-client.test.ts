import { burst, Gate, type LlmServer, startLlmServer } from "@tests/servers/llm";
import OpenAI, {
  APIConnectionError,
  APIError,
  AuthenticationError,
  BadRequestError,
  RateLimitError,
} from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

const KEY = "sk-right-key-0123456789";
const MIXED = '日本語のテキスト 🐱👩‍👩‍👧 and é, naïve — 中文。\n"quoted" \\ back';

const WEATHER: OpenAI.Chat.ChatCompletionTool = {
  type: "function",
  function: {
    name: "get_weather",
    description: "weather of a city",
    parameters: { type: "object", properties: { city: { type: "string" } } },
  },
};

let server: LlmServer;
let client: OpenAI;

beforeAll(async () => {
  server = await startLlmServer({ apiKey: KEY, models: ["m-1", "m-2"] });
  client = new OpenAI({ apiKey: KEY, baseURL: server.openaiBaseUrl, maxRetries: 0 });
});
beforeEach(() => server.reset());
afterAll(() => server.close());

function ask(content = "hello") {
  return { model: "m-1", messages: [{ role: "user" as const, content }] };
}

/** Streams one answer and collects what the client parsed. */
async function stream(extra: Partial<OpenAI.Chat.ChatCompletionCreateParamsStreaming> = {}) {
  const chunks: OpenAI.Chat.ChatCompletionChunk[] = [];
  let error: unknown;
  try {
    const events = await client.chat.completions.create({ ...ask(), ...extra, stream: true });
    for await (const chunk of events) chunks.push(chunk);
  } catch (thrown) {
    error = thrown;
  }
  const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");
  const finish = chunks.map((chunk) => chunk.choices[0]?.finish_reason).findLast((reason) => reason != null);
  return { chunks, text, finish, error };
}

describe("OpenAI wire, read by the official client", () => {
  it("streams text in deltas with a finish reason and, asked for, usage in a last chunk without choices", async () => {
    server.script([
      { text: "Hello there, world", usage: { inputTokens: 11, outputTokens: 3, cachedInputTokens: 4 } },
    ]);
    const { chunks, text, finish } = await stream({ stream_options: { include_usage: true } });
    expect(text).toBe("Hello there, world");
    expect(finish).toBe("stop");
    const last = chunks.at(-1);
    expect(last?.choices).toEqual([]);
    expect(last?.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 });
    expect(last?.usage?.prompt_tokens_details?.cached_tokens).toBe(4);
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
  });

  it("sends no usage that was not asked for", async () => {
    server.script([{ text: "x" }]);
    const { chunks } = await stream();
    expect(chunks.some((chunk) => chunk.usage)).toBe(false);
  });

  it("streams parallel tool calls that the client's own accumulator puts together", async () => {
    const calls = [
      { name: "get_weather", args: { city: "東京 🗼", days: [1, 2] } },
      { name: "get_weather", args: { city: "Wien" } },
    ];
    server.script([{ text: "Looking.", toolCalls: calls, chunking: { deltaChars: 3 } }]);
    const runner = client.chat.completions.stream({ ...ask(), tools: [WEATHER] });
    const message = await runner.finalMessage();
    expect(message.content).toBe("Looking.");
    expect(
      message.tool_calls?.map((call) => call.type === "function" && JSON.parse(call.function.arguments)),
    ).toEqual(calls.map((call) => call.args));
    expect(new Set(message.tool_calls?.map((call) => call.id)).size).toBe(2);
    const completion = await runner.finalChatCompletion();
    expect(completion.choices[0]?.finish_reason).toBe("tool_calls");
  });

  it("answers whole when no stream is asked for: text, reasoning, tool calls, length", async () => {
    server.script([
      { text: "cut off", thinking: "hm", finish: "length" },
      { toolCalls: [{ name: "get_weather", rawArgs: "", extra: { extra_content: { mark: 1 } } }] },
    ]);
    const first = await client.chat.completions.create(ask());
    expect(first.choices[0]).toMatchObject({
      finish_reason: "length",
      message: { role: "assistant", content: "cut off", reasoning_content: "hm" },
    });
    expect(first.usage?.total_tokens).toBeGreaterThan(0);
    const second = await client.chat.completions.create({ ...ask(), tools: [WEATHER] });
    expect(second.choices[0]?.message).toMatchObject({
      content: null,
      tool_calls: [{ function: { name: "get_weather", arguments: "" }, extra_content: { mark: 1 } }],
    });
  });

  it("sends reasoning before text, in a field of its own", async () => {
    server.script([{ thinking: ["Let me ", "see."], text: "Yes." }]);
    const { chunks, text } = await stream();
    const reasoning = chunks.map((chunk) => {
      const delta = chunk.choices[0]?.delta as { reasoning_content?: string } | undefined;
      return delta?.reasoning_content ?? "";
    });
    expect(reasoning.join("")).toBe("Let me see.");
    expect(text).toBe("Yes.");
  });

  it.each([1, 2, 3, 7, [1, 500, 2], 4096])(
    "cuts bytes at %j without harm to text or arguments",
    async (bytes) => {
      server.script([
        {
          text: MIXED,
          toolCalls: [{ name: "get_weather", args: { city: MIXED } }],
          chunking: { bytes, deltaChars: 1 },
        },
      ]);
      const runner = client.chat.completions.stream({ ...ask(), tools: [WEATHER] });
      const message = await runner.finalMessage();
      expect(message.content).toBe(MIXED);
      const call = message.tool_calls?.[0];
      expect(call?.type === "function" && JSON.parse(call.function.arguments)).toEqual({ city: MIXED });
    },
  );

  it("lets the first delta arrive before the last is sent", async () => {
    const gate = new Gate("mid");
    server.script([{ text: ["one", "two"], gate }]);
    const events = await client.chat.completions.create({ ...ask(), stream: true });
    const seen: string[] = [];
    for await (const chunk of events) {
      const content = chunk.choices[0]?.delta.content;
      if (!content) continue;
      seen.push(content);
      if (seen.length === 1) {
        await gate.reached;
        expect(server.requests[0]).toMatchObject({ outcome: "pending", deltasSent: 1 });
        gate.release();
      }
    }
    expect(seen).toEqual(["one", "two"]);
  });

  it("sends a burst of 2,000 deltas complete and in order", async () => {
    server.script([burst(2000)]);
    const { chunks, text } = await stream();
    expect(chunks.filter((chunk) => chunk.choices[0]?.delta.content)).toHaveLength(2000);
    expect(text).toBe(Array.from({ length: 2000 }, (_, at) => `${at} `).join(""));
  });

  it("lists and finds models", async () => {
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toEqual(["m-1", "m-2"]);
    expect((await client.models.retrieve("m-2")).id).toBe("m-2");
    await expect(client.models.retrieve("m-9")).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
    });
  });
});

describe("OpenAI errors, read by the official client", () => {
  it("refuses a wrong key with 401 in the vendor's words, masked", async () => {
    const wrong = new OpenAI({
      apiKey: "sk-wrong-key-9876543210",
      baseURL: server.openaiBaseUrl,
      maxRetries: 0,
    });
    const error = await wrong.chat.completions.create(ask()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, code: "invalid_api_key" });
    expect(String(error)).not.toContain("sk-wrong-key-9876543210");
    await expect(wrong.models.list()).rejects.toBeInstanceOf(AuthenticationError);
    expect(server.counters.rejected).toBe(2);
  });

  it("answers 429 with Retry-After, which the client waits for, then the next turn", async () => {
    server.script([{ fault: { status: 429, headers: { "retry-after": "0.05" } } }, { text: "at last" }]);
    const patient = new OpenAI({ apiKey: KEY, baseURL: server.openaiBaseUrl, maxRetries: 1 });
    const answer = await patient.chat.completions.create(ask());
    expect(answer.choices[0]?.message.content).toBe("at last");
    expect(server.requests.map((request) => request.status)).toEqual([429, 200]);
    server.script([{ fault: { status: 429, headers: { "retry-after": "3" } } }]);
    const error = await client.chat.completions.create(ask()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RateLimitError);
    expect((error as APIError).headers?.get("retry-after")).toBe("3");
  });

  it("answers 500, with a body of its own or the vendor's", async () => {
    server.script([
      { fault: { status: 500 } },
      { fault: { status: 502, body: "<html>bad gateway</html>", headers: { "content-type": "text/html" } } },
    ]);
    await expect(client.chat.completions.create(ask())).rejects.toMatchObject({
      status: 500,
      type: "server_error",
    });
    await expect(client.chat.completions.create(ask())).rejects.toMatchObject({ status: 502 });
  });

  it("breaks a stream by an error frame after the deltas before it", async () => {
    server.script([
      { text: ["a", "b", "c"], fault: { errorFrameAfterDeltas: 2, error: { message: "engine lost" } } },
    ]);
    const { text, error } = await stream();
    expect(text).toBe("ab");
    expect(error).toBeInstanceOf(APIError);
    expect(String(error)).toContain("engine lost");
    expect(server.requests[0]).toMatchObject({ outcome: "fault", aborted: false, deltasSent: 2 });
  });

  it("drops a stream in the middle", async () => {
    server.script([{ text: ["a", "b", "c"], fault: { dropAfterDeltas: 1 } }]);
    const { text, error } = await stream();
    expect(text).toBe("a");
    expect(error).toBeInstanceOf(Error);
    expect(server.counters).toMatchObject({ faults: 1, aborted: 0 });
  });

  it("drops and halves an answer that is not streamed", async () => {
    server.script([{ text: "never whole", fault: { dropAfterDeltas: 1 } }]);
    await expect(client.chat.completions.create(ask())).rejects.toBeInstanceOf(Error);
    server.script([{ text: "x", fault: { emptyStream: true } }]);
    await expect(client.chat.completions.create(ask())).rejects.toBeInstanceOf(APIConnectionError);
  });

  it("hangs until the client leaves, and records that it left", async () => {
    server.script([{ text: ["a", "b"], fault: { hangAfterDeltas: 1 } }]);
    const abort = new AbortController();
    const events = await client.chat.completions.create({ ...ask(), stream: true }, { signal: abort.signal });
    let text = "";
    for await (const chunk of events) {
      text += chunk.choices[0]?.delta.content ?? "";
      if (text) abort.abort();
    }
    expect(text).toBe("a");
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
    expect(server.counters.inFlight).toBe(0);
  });

  it("hangs before the headers", async () => {
    server.script([{ fault: { hangBeforeHeaders: true } }]);
    const error = await client.chat.completions
      .create(ask(), { timeout: 60 })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(APIConnectionError);
    await expect.poll(() => server.counters.aborted).toBe(1);
  });

  it("sends an empty stream, and raw frames as they are", async () => {
    server.script([
      { fault: { emptyStream: true } },
      { fault: { raw: [": comment\n\n", 'data: {"choices":', "[]}\n\n", "data: [DONE]\n\n"] } },
    ]);
    expect(await stream()).toMatchObject({ chunks: [], text: "" });
    expect((await stream()).chunks).toEqual([{ choices: [] }]);
  });

  it("refuses what the vendor refuses: an unanswered call, a stray result, a bad tool name, no messages", async () => {
    server.script(() => ({ text: "should not be asked" }));
    const call = { id: "c1", type: "function" as const, function: { name: "f", arguments: "{}" } };
    const assistant = { role: "assistant" as const, content: null, tool_calls: [call] };
    const user = { role: "user" as const, content: "hi" };
    const bad: [RegExp, OpenAI.Chat.ChatCompletionCreateParamsNonStreaming][] = [
      [/did not have response messages: c1/, { model: "m", messages: [user, assistant, user] }],
      [/did not have response messages: c1/, { model: "m", messages: [user, assistant] }],
      [
        /must be a response/,
        { model: "m", messages: [user, { role: "tool", tool_call_id: "c9", content: "x" }] },
      ],
      [/empty array/, { model: "m", messages: [] }],
      [/does not match pattern/, { ...ask(), tools: [{ type: "function", function: { name: "a.b" } }] }],
      [/unique/, { ...ask(), tools: [WEATHER, WEATHER] }],
    ];
    for (const [message, params] of bad) {
      const error = await client.chat.completions.create(params).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(BadRequestError);
      expect(String(error)).toMatch(message);
    }
    expect(server.counters).toMatchObject({ chats: 0, rejected: bad.length });
  });

  it("answers an unknown route with 404 in the vendor's shape", async () => {
    const error = await client.embeddings
      .create({ model: "m", input: "x" })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 404, type: "invalid_request_error" });
    expect(String(error)).toContain("Invalid URL (POST /v1/embeddings)");
  });

  it("says so, without a retry, when the script has no turn left", async () => {
    const patient = new OpenAI({ apiKey: KEY, baseURL: server.openaiBaseUrl, maxRetries: 3 });
    await expect(patient.chat.completions.create(ask("what now"))).rejects.toThrow(
      /no turn for this request.*what now/,
    );
    expect(server.counters).toMatchObject({ unscripted: 1, chats: 1 });
  });
});
