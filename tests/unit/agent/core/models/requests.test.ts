import { describe, expect, it } from "vitest";
import type { ModelMessage, ModelRequest, ResolvedModel } from "@/agent/core/models/types";
import { answering, block, chunk, KEY, message, model, request, run, type Sent, sse, user } from "./harness";

const DONE = `${chunk({ content: "ok" })}${chunk({}, "stop")}`;
const ANTHROPIC = { provider: "anthropic" };

/** What is sent for a request. */
async function sentFor(asked: ModelRequest, more: Partial<ResolvedModel> = {}): Promise<Sent> {
  const { fetch, sent } = answering(() => sse(more.provider === "anthropic" ? message([]) : DONE));
  const { error } = await run(model(more), fetch, asked);
  if (error) throw error;
  const [first] = sent;
  if (!first || sent.length !== 1) throw new Error(`${sent.length} requests were sent`);
  return first;
}

const call = (id: string, args: string, providerData?: Record<string, unknown>) =>
  ({
    type: "tool-call",
    id,
    name: "get_weather",
    arguments: args,
    ...(providerData ? { providerData } : {}),
  }) as const;
const result = (callId: string, text: string, isError = false): ModelMessage => ({
  role: "tool",
  content: [{ type: "tool-result", callId, name: "get_weather", result: text, isError }],
});

describe("a request to an OpenAI-compatible host", () => {
  it("carries the key, no cookie, no cached answer, no follow-up of redirects, no versions of packages", async () => {
    const { url, headers, init } = await sentFor(request());
    expect(url).toBe("http://host.test/v1/chat/completions");
    expect(headers).toEqual({ authorization: `Bearer ${KEY}`, "content-type": "application/json" });
    expect(init).toMatchObject({
      method: "POST",
      cache: "no-store",
      credentials: "omit",
      redirect: "manual",
    });
  });

  it("without a key sends no empty one", async () => {
    expect((await sentFor(request(), { apiKey: "" })).headers).not.toHaveProperty("authorization");
  });

  it("asks for usage, and for the length that the config or the request allows", async () => {
    expect((await sentFor(request())).body).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
    expect((await sentFor(request())).body).not.toHaveProperty("max_tokens");
    expect((await sentFor(request(), { maxTokens: 50 })).body).toMatchObject({ max_tokens: 50 });
    expect((await sentFor(request([user("x")], { maxTokens: 9 }), { maxTokens: 50 })).body).toMatchObject({
      max_tokens: 9,
    });
  });

  it("uses the newer name of the length limit at OpenAI itself", async () => {
    const { body } = await sentFor(request(), { apiBaseUrl: "https://api.openai.com/v1", maxTokens: 50 });
    expect(body).toMatchObject({ max_completion_tokens: 50 });
    expect(body).not.toHaveProperty("max_tokens");
  });

  it("makes one system message at the front, and leaves empty texts out", async () => {
    const messages: ModelMessage[] = [
      { role: "system", content: "One." },
      user(""),
      user("hi"),
      { role: "system", content: "Two." },
      { role: "assistant", content: [{ type: "text", text: " " }] },
    ];
    expect((await sentFor(request(messages))).body.messages).toEqual([
      { role: "system", content: "One.\n\nTwo." },
      { role: "user", content: "hi" },
    ]);
  });

  it("sends tool rounds back: arguments as they were, none as {}, broken ones as a member", async () => {
    const messages: ModelMessage[] = [
      user("hi"),
      { role: "assistant", content: [call("a", '{ "city":"Oslo" }'), call("b", ""), call("c", '{"city":')] },
      result("a", "rain"),
      result("b", "no city", true),
      result("c", "broken", true),
    ];
    const { body } = await sentFor(request(messages));
    const [, assistant, first] = body.messages as { tool_calls: { function: { arguments: string } }[] }[];
    const args = assistant?.tool_calls.map((c) => c.function.arguments);
    expect(args).toEqual(['{ "city":"Oslo" }', "{}", '{"INVALID_JSON":"{\\"city\\":"}']);
    expect(first).toEqual({ role: "tool", tool_call_id: "a", content: "rain" });
  });

  it("C100 sends reasoning back beside tool calls, under the name it came with, and never on a finished answer", async () => {
    for (const field of ["reasoning_content", "reasoning"]) {
      const stream =
        chunk({ [field]: "Hm." }) +
        chunk({ tool_calls: [{ id: "a", function: { name: "get_weather", arguments: "{}" } }] });
      const { finish } = await run(model(), answering(() => sse(stream + chunk({}, "tool_calls"))).fetch);
      const content = finish?.content ?? [];
      const { body } = await sentFor(request([user("hi"), { role: "assistant", content }, result("a", "x")]));
      expect((body.messages as unknown[])[1]).toMatchObject({ role: "assistant", [field]: "Hm." });
      const noCalls = content.filter(({ type }) => type !== "tool-call");
      const last = await sentFor(
        request([
          user("hi"),
          { role: "assistant", content: [...noCalls, { type: "text", text: "t" }] },
          user("x"),
        ]),
      );
      expect((last.body.messages as unknown[])[1]).toEqual({ role: "assistant", content: "t" });
    }
  });

  it("C101 sends what no standard names on a tool call back verbatim", async () => {
    const extra = {
      extra_content: { google: { thought_signature: "S==" }, deep: [1, { a: null }] },
      signature: 7,
    };
    const head = { id: "a", ...extra, function: { name: "get_weather", arguments: "", strictness: "high" } };
    const stream =
      chunk({ tool_calls: [head] }) +
      chunk({ tool_calls: [{ function: { arguments: '{"city":"Oslo"}' }, late: true }] });
    const { finish } = await run(model(), answering(() => sse(stream + chunk({}, "tool_calls"))).fetch);
    const stored = structuredClone(finish?.content ?? []);
    const { body } = await sentFor(
      request([user("hi"), { role: "assistant", content: stored }, result("a", "x")]),
    );
    expect((body.messages as { tool_calls: unknown[] }[])[1]?.tool_calls).toEqual([
      {
        id: "a",
        type: "function",
        ...extra,
        late: true,
        function: { name: "get_weather", arguments: '{"city":"Oslo"}', strictness: "high" },
      },
    ]);
  });

  it("leaves another vendor's thinking and fields out", async () => {
    const content = [
      { type: "thinking", text: "Hm.", providerData: { anthropic: { signature: "S" } } } as const,
      call("a", "{}", { anthropic: { x: 1 } }),
    ];
    const { body } = await sentFor(request([user("hi"), { role: "assistant", content }, result("a", "x")]));
    expect((body.messages as unknown[])[1]).toEqual({
      role: "assistant",
      content: null,
      tool_calls: [{ id: "a", type: "function", function: { name: "get_weather", arguments: "{}" } }],
    });
  });

  it("without tools sends no list of them", async () => {
    expect((await sentFor(request([user("hi")], { tools: [] }))).body).not.toHaveProperty("tools");
  });
});

describe("a request to Anthropic", () => {
  it("carries key, version and the word that it comes from a browser on purpose", async () => {
    const { url, headers, init } = await sentFor(request(), ANTHROPIC);
    expect(url).toBe("http://host.test/v1/messages");
    expect(headers).toEqual({
      "x-api-key": KEY,
      "anthropic-version": "2023-06-01",
      "anthropic-dangerous-direct-browser-access": "true",
      "content-type": "application/json",
    });
    expect(init).toMatchObject({ cache: "no-store", redirect: "manual" });
  });

  it("sends tool rounds as objects, errors marked", async () => {
    const messages: ModelMessage[] = [
      user("hi"),
      { role: "assistant", content: [call("a", '{"city":"Oslo"}'), call("b", "nonsense")] },
      result("a", "rain"),
      result("b", "broken", true),
    ];
    const { body } = await sentFor(request(messages), ANTHROPIC);
    expect(body.messages).toMatchObject([
      { role: "user" },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "a", input: { city: "Oslo" } },
          { type: "tool_use", id: "b", input: { INVALID_JSON: "nonsense" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "rain" },
          { type: "tool_result", tool_use_id: "b", content: "broken", is_error: true },
        ],
      },
    ]);
  });

  it("sends signed and redacted thinking back as it came, and leaves other thinking out", async () => {
    const body = message(
      [
        ...block(
          0,
          { type: "thinking", thinking: "" },
          { type: "thinking_delta", thinking: "Hm." },
          { type: "signature_delta", signature: "SIG" },
        ),
        ...block(1, { type: "redacted_thinking", data: "XYZ" }),
        ...block(2, { type: "thinking", thinking: "" }, { type: "signature_delta", signature: "S2" }),
        ...block(3, { type: "tool_use", id: "a", name: "get_weather", input: {} }),
      ],
      "tool_use",
    );
    const { finish } = await run(model(ANTHROPIC), answering(() => sse(body)).fetch);
    const content = [
      ...structuredClone(finish?.content ?? []),
      { type: "thinking" as const, text: "foreign" },
    ];
    const { body: sent } = await sentFor(
      request([user("hi"), { role: "assistant", content }, result("a", "x")]),
      ANTHROPIC,
    );
    expect((sent.messages as { content: unknown }[])[1]?.content).toEqual([
      { type: "thinking", thinking: "Hm.", signature: "SIG" },
      { type: "redacted_thinking", data: "XYZ" },
      { type: "thinking", thinking: "", signature: "S2" },
      { type: "tool_use", id: "a", name: "get_weather", input: {} },
    ]);
  });

  it("marks what may be cached: system prompt and the last two turns; tools where there is no system prompt", async () => {
    const turns: ModelMessage[] = [
      user("one"),
      { role: "assistant", content: [call("a", "{}")] },
      result("a", "x"),
      { role: "assistant", content: [{ type: "text", text: "two" }] },
      user("three"),
    ];
    const points = (value: unknown) => JSON.stringify(value).split('"cache_control"').length - 1;
    const system = { role: "system", content: "Be brief." } as const;
    const { body } = await sentFor(request([system, ...turns], { cache: true }), ANTHROPIC);
    expect(points(body.system)).toBe(1);
    expect((body.messages as unknown[]).map(points)).toEqual([0, 0, 1, 0, 1]);
    expect(points(body.tools)).toBe(0);
    const bare = await sentFor(request(turns, { cache: true }), ANTHROPIC);
    expect(points(bare.body.tools)).toBe(1);
    expect(points((await sentFor(request([system, ...turns]), ANTHROPIC)).body)).toBe(0);
  });

  it("reports what was read from and written to the cache, and counts it as input", async () => {
    const start = {
      input_tokens: 10,
      cache_creation_input_tokens: 20,
      cache_read_input_tokens: 30,
      output_tokens: 1,
    };
    const body = message([]).replace('{"input_tokens":7,"output_tokens":1}', JSON.stringify(start));
    const { finish } = await run(model(ANTHROPIC), answering(() => sse(body)).fetch);
    expect(finish?.usage).toEqual({
      inputTokens: 60,
      outputTokens: 5,
      cacheCreationInputTokens: 20,
      cacheReadInputTokens: 30,
    });
  });
});

describe("a redirect", () => {
  it("is not followed, so that the key goes to nobody else", async () => {
    const { fetch, sent } = answering(
      () => new Response(null, { status: 307, headers: { location: "https://other.test/" } }),
    );
    for (const provider of ["openai-compatible", "anthropic"]) {
      const { error } = await run(model({ provider }), fetch);
      expect(error).toMatchObject({ failure: "redirect", status: 307, retryable: false });
    }
    expect(sent.map(({ url }) => new URL(url).host)).toEqual(["host.test", "host.test"]);
  });
});

describe("fetch", () => {
  it("is not called as a method, which a browser's refuses", async () => {
    let receiver: unknown = "not called";
    const strict = async function (this: unknown) {
      receiver = this;
      return sse(DONE);
    };
    await run(model(), strict as typeof fetch);
    expect(receiver).toBeUndefined();
  });
});
