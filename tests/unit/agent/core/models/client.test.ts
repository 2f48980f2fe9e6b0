import { type LlmServer, startLlmServer, type Turn } from "@tests/servers/llm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createModelClient } from "@/agent/core/models/client";
import { ModelError, type ModelMessage, type ResolvedModel } from "@/agent/core/models/types";
import { KEY, model, request, run, runWith, user } from "./harness";

/** Both wires against a server over real sockets; what it sends is verified with the vendors' own clients elsewhere. */

let server: LlmServer;
beforeAll(async () => {
  server = await startLlmServer({ apiKey: KEY, requireReasoning: true });
});
beforeEach(() => server.reset());
afterAll(() => server.close());

const MIXED = "日本語 🐱👩‍👩‍👧 é 中文。";
const wires: [string, () => ResolvedModel][] = [
  ["openai-compatible", () => model({ apiBaseUrl: server.openaiBaseUrl })],
  [
    "anthropic",
    () => model({ provider: "anthropic", apiBaseUrl: server.anthropicV1BaseUrl, maxTokens: 1000 }),
  ],
];

describe.each(wires)("a client of %s", (wire, target) => {
  const ask = (turn: Turn, asked = request(), signal?: AbortSignal) => {
    server.script([turn]);
    return run(target(), fetch, asked, signal);
  };

  it("gives text, thinking, calls and usage, in the order in which they come", async () => {
    const turn: Turn = {
      thinking: "Let me see.",
      text: MIXED,
      toolCalls: [
        { name: "get_weather", args: { city: MIXED } },
        { name: "get_weather", args: {} },
      ],
      usage: { inputTokens: 40, outputTokens: 9, cachedInputTokens: 30 },
      chunking: { deltaChars: 2, bytes: [1, 3, 7] },
    };
    const { events, finish, error } = await ask(turn);
    expect(error).toBeUndefined();
    const kinds = events.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1]);
    expect(kinds).toEqual(["thinking", "text", "tool-call", "finish"]);
    expect(finish?.reason).toBe("tool-calls");
    expect(finish?.usage).toEqual({ inputTokens: 40, outputTokens: 9, cacheReadInputTokens: 30 });
    const [thinking, text, first, second] = finish?.content ?? [];
    expect(thinking).toMatchObject({ type: "thinking", text: "Let me see." });
    expect(text).toEqual({ type: "text", text: MIXED });
    expect(first).toMatchObject({ name: "get_weather", arguments: JSON.stringify({ city: MIXED }) });
    expect(second).toMatchObject({ name: "get_weather", arguments: "{}" });
    expect(events.filter((e) => e.type === "tool-call").map((e) => e.call)).toEqual([first, second]);
  });

  it("gives the first delta before the host has sent the last", async () => {
    server.script([{ text: ["first ", "last"], gate: "hold" }]);
    const stream = createModelClient(target(), { fetch }).stream(request(), new AbortController().signal);
    const iterator = stream[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toEqual({ type: "text", text: "first " });
    server.gate("hold").release();
    expect((await iterator.next()).value).toEqual({ type: "text", text: "last" });
  });

  it("sends a tool round so that the host takes it, thinking included (C100)", async () => {
    const turns: Turn[] = [
      { thinking: "Hm.", text: "I look.", toolCalls: [{ name: "get_weather", args: { city: "Oslo" } }] },
      { text: "Rain." },
    ];
    server.script(turns);
    const { finish } = await run(target(), fetch);
    const call = finish?.content.find((part) => part.type === "tool-call");
    if (!finish || !call) throw new Error("no tool call came");
    const messages: ModelMessage[] = [
      { role: "system", content: "Be brief." },
      user("hi"),
      { role: "assistant", content: finish.content },
      {
        role: "tool",
        content: [{ type: "tool-result", callId: call.id, name: call.name, result: "rain", isError: false }],
      },
    ];
    const second = await run(target(), fetch, request(messages, { cache: true }));
    expect(second.error).toBeUndefined();
    expect(second.text).toBe("Rain.");
  });

  it.each([
    ["a wrong key", { status: 401 }, { code: "auth", failure: "key", status: 401, retryable: false }],
    [
      "too many requests",
      { status: 429, headers: { "retry-after": "7" } },
      { code: "rate_limit", retryable: true, retryAfterMs: 7000 },
    ],
    [
      "a fault of the host",
      { status: 500 },
      { code: "api_error", failure: "server", status: 500, retryable: true },
    ],
    ["an overloaded host", { status: 529 }, { failure: "server", retryable: true }],
    [
      "a bad request",
      { status: 400 },
      { code: "api_error", failure: "request", status: 400, retryable: false },
    ],
    ["an empty stream", { emptyStream: true }, { failure: "empty-answer", retryable: true }],
    ["a drop before the first delta", { dropAfterDeltas: 0 }, { failure: "broken-stream", retryable: true }],
  ] as const)("%s is told apart, and asked once", async (_name, fault, expected) => {
    const { error, finish } = await ask({ text: "never", fault });
    expect(finish).toBeUndefined();
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject(expected);
    expect(server.counters.chats).toBe(1);
  });

  it("keeps what came before a drop or an error frame", async () => {
    for (const fault of [{ dropAfterDeltas: 2 }, { errorFrameAfterDeltas: 2 }] as const) {
      server.reset();
      const { text, error } = await ask({ text: ["one ", "two ", "three"], fault });
      expect(text).toBe("one two ");
      expect(error).toMatchObject({ name: "ModelError", retryable: true });
    }
  });

  it("a host that is not there cannot be reached", async () => {
    const { error } = await run({ ...target(), apiBaseUrl: "http://127.0.0.1:9/v1" }, fetch);
    expect(error).toMatchObject({ name: "ModelError", failure: "network", retryable: true });
    expect((error as ModelError).status).toBeUndefined();
  });

  it("an abort ends it with an AbortError, and the host sees that", async () => {
    server.script([{ text: ["one ", "two"], fault: { hangAfterDeltas: 1 } }]);
    const abort = new AbortController();
    const stream = createModelClient(target(), { fetch }).stream(request(), abort.signal);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const event of stream) {
        if (event.type === "text") seen.push(event.text);
        abort.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
    expect(seen).toEqual(["one "]);
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
  });

  it("an abort before the headers, or before the call, is an AbortError too", async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 30);
    const { error } = await ask({ fault: { hangBeforeHeaders: true } }, request(), abort.signal);
    expect(error).toMatchObject({ name: "AbortError" });
    expect((await run(target(), fetch, request(), abort.signal)).error).toMatchObject({ name: "AbortError" });
    expect(server.counters.chats).toBe(1);
  });

  it("a reader that stops early frees the connection", async () => {
    server.script([{ text: ["one ", "two"], fault: { hangAfterDeltas: 1 } }]);
    for await (const event of createModelClient(target(), { fetch }).stream(
      request(),
      new AbortController().signal,
    )) {
      expect(event.type).toBe("text");
      break;
    }
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
  });

  it("2,000 deltas in a burst arrive complete and in order", async () => {
    const deltas = Array.from({ length: 2000 }, (_, i) => `${i} `);
    const { text, events } = await ask({ text: deltas });
    expect(text).toBe(deltas.join(""));
    expect(events.filter((e) => e.type === "text")).toHaveLength(2000);
  });

  it("the length limit and an answer without usage are reported as they are", async () => {
    expect((await ask({ text: "cut", finish: "length" })).finish?.reason).toBe("length");
    const { finish } = await ask({ text: "x", usage: null });
    if (wire === "openai-compatible") expect(finish).not.toHaveProperty("usage");
  });
});

describe("a client", () => {
  it("gives one id to one call of the conversation, when a host counts from zero each time", async () => {
    const used: ModelMessage = {
      role: "assistant",
      content: [{ type: "tool-call", id: "call_0", name: "t", arguments: "{}" }],
    };
    server.script([{ toolCalls: [{ name: "t", args: {}, id: "call_0" }] }]);
    const tool: ModelMessage = {
      role: "tool",
      content: [{ type: "tool-result", callId: "call_0", name: "t", result: "", isError: false }],
    };
    const asked = request([user("hi"), used, tool]);
    const { finish } = await run(model({ apiBaseUrl: server.openaiBaseUrl }), fetch, asked);
    expect(finish?.content).toEqual([{ type: "tool-call", id: "call_0_2", name: "t", arguments: "{}" }]);
  });

  it("says which providers there are when a config names another", () => {
    expect(() => createModelClient(model({ provider: "carrier-pigeon" }), { fetch })).toThrow(
      /openai-compatible, anthropic/,
    );
  });

  it("C136 an answer that the host cut by length is never a finished one", async () => {
    const { finish } = await runWith(
      'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"length"}]}\n\n',
    );
    expect(finish?.reason).toBe("length");
  });
});
