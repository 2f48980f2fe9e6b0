import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type LlmServer, startLlmServer } from "@tests/servers/llm";
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

describe("the control routes and the effect counter", () => {
  const post = (path: string, body: unknown = {}) =>
    fetch(`${server.url}${path}`, { method: "POST", body: JSON.stringify(body) });

  it("take a script, open its gate, show the requests, and forget", async () => {
    await post("/__control/script", { turns: [{ text: ["a", "b"], gate: "g" }] });
    const text = streamText([user("x")]);
    await server.gate("g").reached;
    const released = await fetch(`${server.url}/__control/gate/release?name=g`);
    expect(await released.json()).toEqual({ name: "g" });
    expect(await text).toContain("[DONE]");
    const seen = await (await fetch(`${server.url}/__control/requests`)).json();
    expect(seen).toMatchObject({
      requests: [{ outcome: "complete" }],
      counters: { chats: 1 },
      remainingTurns: 0,
    });
    await post("/__control/reset");
    const after = await (await fetch(`${server.url}/__control/requests`)).json();
    expect(after).toMatchObject({ requests: [], counters: { requests: 0 }, effects: {} });
  });

  it("take a script by state", async () => {
    await post("/__control/script", { turns: [{ text: "same" }], byState: true });
    expect((await ask([user("x")])).message?.content).toBe("same");
    expect((await ask([user("x")])).message?.content).toBe("same");
  });

  it("refuse a misspelt turn by name, and an unknown route", async () => {
    const bad = await post("/__control/script", { turns: [{ text: "x", fualt: { status: 500 } }] });
    expect(bad.status).toBe(400);
    expect(await bad.text()).toContain("fualt");
    expect((await post("/__control/nothing")).status).toBe(404);
    expect((await fetch(`${server.url}/__control/gate/release`)).status).toBe(400);
  });

  it("count every effect by id, also when the caller does not wait for the answer", async () => {
    await post("/effect/pay%2F1", { n: 1 });
    const abort = new AbortController();
    const cut = fetch(`${server.url}/effect/pay%2F1`, { method: "POST", body: "{}", signal: abort.signal });
    await expect.poll(() => server.effects.count("pay/1")).toBe(2);
    abort.abort();
    // It may have been answered before the abort; either way the effect was done.
    await Promise.allSettled([cut]);
    const effects = await (await fetch(`${server.url}/effects`)).json();
    expect(effects).toMatchObject({ "pay/1": { count: 2, bodies: ['{"n":1}', "{}"] } });
    expect(server.effects.count("other")).toBe(0);
  });

  it("can be read by a page of any origin, as the vendors' routes cannot", async () => {
    const origin = { headers: { origin: "https://site.test" } };
    const effects = await fetch(`${server.url}/effects`, origin);
    expect(effects.headers.get("access-control-allow-origin")).toBe("*");
    const models = await fetch(`${server.url}/v1/models`, origin);
    expect(models.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("can be left out", async () => {
    const bare = await startLlmServer({ control: false, script: [{ text: "x" }] });
    try {
      expect((await fetch(`${bare.url}/effects`)).status).toBe(404);
      expect((await fetch(`${bare.url}/__control/requests`)).status).toBe(404);
      expect((await ask([user("x")], {}, bare.url)).message?.content).toBe("x");
    } finally {
      await bare.close();
    }
  });
});

describe("options", () => {
  it("DeepSeek's rule: reasoning before a tool call must come back (C100)", async () => {
    const strict = await startLlmServer({
      requireReasoning: true,
      script: [{ thinking: "hm", toolCalls: [{ name: "f" }] }, { text: "done" }],
    });
    try {
      const message = (await ask([user("x")], {}, strict.url)).message;
      if (!message) throw new Error("no first answer");
      const result = { role: "tool", content: "ok", tool_call_id: message.tool_calls?.[0]?.id };
      const { reasoning_content: _lost, ...without } = message;
      expect(await ask([user("x"), without as Message, result], {}, strict.url)).toMatchObject({
        status: 400,
        error: expect.stringContaining("reasoning_content"),
      });
      expect((await ask([user("x"), message, result], {}, strict.url)).message?.content).toBe("done");
    } finally {
      await strict.close();
    }
  });

  it("only the listed models, a forgetful ledger, and a wrong key that is echoed", async () => {
    const picky = await startLlmServer({
      models: ["a"],
      onlyListedModels: true,
      keepRequests: 2,
      apiKey: "right",
      echoWrongKey: true,
    });
    try {
      expect(await ask([user("x")], {}, picky.url)).toMatchObject({ status: 401 });
      const headers = { authorization: "Bearer sk-leaky" };
      const res = await fetch(`${picky.url}/v1/models`, { headers });
      expect(await res.text()).toContain("sk-leaky");
      const body = JSON.stringify({ model: "b", messages: [user("x")] });
      const unknown = await fetch(`${picky.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: "Bearer right" },
        body,
      });
      expect([unknown.status, await unknown.text()]).toEqual([
        404,
        expect.stringContaining("model_not_found"),
      ]);
      expect(picky.requests.map((request) => request.index)).toEqual([1, 2]);
    } finally {
      await picky.close();
    }
  });
});

it("runs as a child process that says its addresses on the first line and ends on SIGTERM", async () => {
  const child = spawn(process.execPath, ["--import", "tsx", "tests/servers/llm/main.ts"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, FAKE_LLM_API_KEY: "k" },
  });
  try {
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    const { openaiBaseUrl } = JSON.parse(line) as { openaiBaseUrl: string };
    const models = await fetch(`${openaiBaseUrl}/models`, { headers: { authorization: "Bearer k" } });
    expect(models.status).toBe(200);
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    expect((await exit)[0]).toBe(0);
  } finally {
    child.kill("SIGKILL");
  }
});
