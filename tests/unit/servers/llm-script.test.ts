import { type ChatRequest, type LlmServer, startLlmServer, type Turn } from "@tests/servers/llm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

let server: LlmServer;

beforeAll(async () => {
  server = await startLlmServer();
});
beforeEach(() => server.reset());
afterAll(() => server.close());

type Message = { role: string; content: string; [key: string]: unknown };

const user = (content: string): Message => ({ role: "user", content });

/** A plain request, so that these tests depend on no client. Answers the OpenAI message, or the error's text. */
async function ask(messages: Message[], extra: Record<string, unknown> = {}, base = server.url) {
  const res = await fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "m", messages, ...extra }),
  });
  const body = (await res.json()) as {
    choices?: { message: Message & { tool_calls?: { id: string }[] } }[];
    error?: { message: string };
  };
  return { status: res.status, message: body.choices?.[0]?.message, error: body.error?.message };
}

async function streamText(messages: Message[], signal?: AbortSignal): Promise<string> {
  const res = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "m", stream: true, messages }),
    signal: signal ?? null,
  });
  return await res.text();
}

async function askAnthropic(content: string) {
  const res = await fetch(`${server.url}/v1/messages`, {
    method: "POST",
    headers: { "anthropic-version": "2023-06-01" },
    body: JSON.stringify({ model: "m", max_tokens: 10, messages: [user(content)] }),
  });
  return (await res.json()) as { content: { text: string }[] };
}

describe("a script in order", () => {
  it("gives each request the first turn left that fits it", async () => {
    server.script([
      { text: "for anthropic", match: { protocol: "anthropic" } },
      { text: "about cats", match: { contains: "cats" } },
      { text: "anything" },
      { text: "by function", match: (request: ChatRequest) => request.messages.length === 2 },
    ]);
    expect((await ask([user("dogs")])).message?.content).toBe("anything");
    expect((await ask([user("cats")])).message?.content).toBe("about cats");
    expect((await askAnthropic("x")).content[0]?.text).toBe("for anthropic");
    expect(server.remainingTurns).toBe(1);
    expect((await ask([user("dogs")])).status).toBe(400);
    expect((await ask([{ role: "system", content: "s" }, user("x")])).message?.content).toBe("by function");
    expect(server.remainingTurns).toBe(0);
  });

  it("may be a function of the request", async () => {
    server.script((request) => ({
      text: `${request.lastUserText}/${request.assistantTurns}/${request.attempt}`,
    }));
    expect((await ask([user("a")])).message?.content).toBe("a/0/0");
    expect((await ask([user("a")])).message?.content).toBe("a/0/1");
    const longer = [user("a"), { role: "assistant", content: "b" }, user("c")];
    expect((await ask(longer)).message?.content).toBe("c/1/0");
  });
});

describe("a script by state", () => {
  const turns: Turn[] = [{ toolCalls: [{ name: "f", args: { n: 1 } }] }, { text: "done" }];

  it("gives a repeated request the same answer, with new call ids, and the next state the next turn", async () => {
    server.scriptByState(turns);
    const first = (await ask([user("go")])).message?.tool_calls?.[0];
    const again = (await ask([user("go")])).message?.tool_calls?.[0];
    expect({ ...again, id: "" }).toEqual({ ...first, id: "" });
    expect(again?.id).not.toBe(first?.id);
    for (const call of [first, again]) {
      const history = [
        user("go"),
        { role: "assistant", content: "", tool_calls: [call] },
        { role: "tool", content: "ok", tool_call_id: call?.id },
      ];
      expect((await ask(history)).message?.content).toBe("done");
    }
    // The ids differ and the conversation is the same: one key for both.
    expect(server.requests[2]?.key).toBe(server.requests[3]?.key);
  });

  it("asks a function once per state, also for requests at the same time, and ignores system prompts", async () => {
    let asked = 0;
    server.scriptByState((request) => {
      asked += 1;
      return { text: `${request.lastUserText} ${asked}` };
    });
    const both = await Promise.all([
      ask([user("x")]),
      ask([{ role: "system", content: "it is noon" }, user("x")]),
    ]);
    expect(both.map((answer) => answer.message?.content)).toEqual(["x 1", "x 1"]);
    expect((await ask([user("y")])).message?.content).toBe("y 2");
    expect((await ask([user("x")])).message?.content).toBe("x 1");
  });

  it("lifts a fault after so many requests of that state", async () => {
    server.scriptByState([{ text: "well", fault: { status: 503, times: 2 } }]);
    const statuses = [];
    for (let at = 0; at < 3; at += 1) statuses.push((await ask([user("x")])).status);
    expect(statuses).toEqual([503, 503, 200]);
  });
});

describe("delays and records", () => {
  it("waits before the headers and between deltas", async () => {
    server.script([{ text: ["a", "b", "c"], delays: { beforeHeadersMs: 40, betweenMs: 30 } }]);
    await streamText([user("x")]);
    const record = server.requests[0];
    if (!record?.headersSentAt || !record.firstDeltaAt || !record.lastDeltaAt)
      throw new Error("no times recorded");
    expect(record.headersSentAt - record.receivedAt).toBeGreaterThan(35);
    expect(record.lastDeltaAt - record.firstDeltaAt).toBeGreaterThan(55);
    expect(record).toMatchObject({ outcome: "complete", deltasSent: 3, aborted: false });
  });

  it.each([
    ["before the headers", { delays: { beforeHeadersMs: 60_000 } }, 0],
    ["between deltas", { delays: { betweenMs: 60_000 } }, 1],
    ["at a gate", { gate: "never" }, 1],
    ["at a gate before the first delta", { gate: { gate: "never", afterDeltas: 0 } }, 0],
  ])("notices a client that leaves %s", async (_where, part, deltas) => {
    server.script([{ text: ["a", "b"], ...part }]);
    const abort = new AbortController();
    const text = streamText([user("x")], abort.signal);
    await expect.poll(() => server.counters.inFlight).toBe(1);
    await expect.poll(() => server.requests[0]?.deltasSent).toBe(deltas);
    abort.abort();
    await expect(text).rejects.toMatchObject({ name: "AbortError" });
    await expect.poll(() => server.counters.inFlight).toBe(0);
    expect(server.requests[0]).toMatchObject({ aborted: true, outcome: "aborted", deltasSent: deltas });
    expect(server.counters).toMatchObject({ aborted: 1, complete: 0 });
  });

  it("records body, headers, Origin and Referer", async () => {
    server.script([{ text: "x" }]);
    await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { origin: "https://site.test", referer: "https://site.test/p", "x-mine": "1" },
      body: JSON.stringify({ model: "m", messages: [user("hi")] }),
    });
    expect(server.requests[0]).toMatchObject({
      method: "POST",
      path: "/v1/chat/completions",
      origin: "https://site.test",
      referer: "https://site.test/p",
      headers: { "x-mine": "1" },
      body: { messages: [user("hi")] },
      status: 200,
    });
  });

  it("refuses a body that is no JSON object, and keeps it as it came", async () => {
    for (const body of ["{", "[]", "3"]) {
      const res = await fetch(`${server.url}/v1/chat/completions`, { method: "POST", body });
      expect(res.status).toBe(400);
    }
    expect(server.requests.map((request) => request.body)).toEqual(["{", [], 3]);
  });

  it.each<[string, Turn]>([
    ["fault", { text: ["a"], fault: { dropAfterDeltas: 5 } }],
    ["gate", { text: ["a"], gate: { gate: "g", afterDeltas: 2 } }],
  ])(
    "a %s that is due after the last delta is an error of the test's script, and breaks the answer",
    async (_what, turn) => {
      server.script([turn]);
      await expect(streamText([user("x")])).rejects.toThrow();
    },
  );

  it("a request that outlives a reset does not count in the next test", async () => {
    server.script([{ text: ["a", "b"], gate: "g" }]);
    const text = streamText([user("x")]);
    await server.gate("g").reached;
    server.reset();
    expect(await text).toContain("[DONE]");
    expect(server.counters).toMatchObject({ requests: 0, complete: 0, inFlight: 0 });
  });
});
