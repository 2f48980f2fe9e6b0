import { type LlmServer, startLlmServer } from "@tests/servers/llm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ModelInput, ModelTest } from "@/agent/contract/models";
import { FORM, KEY, modelService } from "./model-fakes";

const never = new AbortController().signal;

let server: LlmServer;
beforeAll(async () => {
  server = await startLlmServer({ apiKey: KEY, models: ["m-1"], onlyListedModels: true, echoWrongKey: true });
});
beforeEach(() => server.reset());
afterAll(() => server.close());

const wires: [string, () => ModelInput][] = [
  ["openai-compatible", () => ({ ...FORM, apiBaseUrl: server.openaiBaseUrl })],
  ["anthropic", () => ({ ...FORM, provider: "anthropic", apiBaseUrl: server.anthropicV1BaseUrl })],
];

describe.each(wires)("the test button with %s", (_wire, form) => {
  const test = (more: Partial<ModelInput> = {}) => modelService().service.test({ ...form(), ...more }, never);

  it("shows the reply and how long it took, from one small request", async () => {
    server.script([{ thinking: "Hm.", text: " OK " }]);
    const outcome = await test();
    expect(outcome).toEqual({
      ok: true,
      reply: "OK",
      firstTokenMs: expect.any(Number),
      totalMs: expect.any(Number),
    });
    expect(server.counters.chats).toBe(1);
    expect(server.requests[0]?.body).toMatchObject({ max_tokens: 512, model: "m-1" });
  });

  it("tells a wrong key, without showing it", async () => {
    const outcome = await test({ apiKey: "sk-wrong-key-000000" });
    expect(outcome).toMatchObject({ ok: false, diagnosis: "wrong-key", params: { status: "401" } });
    expect(JSON.stringify(outcome)).not.toContain("sk-wrong-key");
  });

  it("tells a missing model", async () => {
    expect(await test({ model: "m-2" })).toMatchObject({
      ok: false,
      diagnosis: "model-missing",
      params: { model: "m-2", status: "404" },
    });
  });

  it("tells a base URL that lacks /v1, and names the right one", async () => {
    const outcome = await test({ apiBaseUrl: server.url });
    expect(outcome).toMatchObject({
      ok: false,
      diagnosis: "wrong-url",
      params: { suggestion: `${server.url}/v1` },
    });
    // Nothing was added silently.
    expect(server.requests[0]?.path.startsWith("/v1")).toBe(false);
  });

  it("tells a host that is not there", async () => {
    expect(await test({ apiBaseUrl: "http://127.0.0.1:9/v1" })).toMatchObject({
      ok: false,
      diagnosis: "unreachable",
      params: { host: "127.0.0.1:9", status: "" },
    });
  });

  it.each([
    [429, "rate-limited"],
    [500, "server-error"],
    [503, "server-error"],
    [400, "other"],
  ] as const)("tells %i as %s, and asks once", async (status, diagnosis) => {
    server.script([{ fault: { status } }]);
    expect(await test()).toMatchObject({ ok: false, diagnosis, params: { status: String(status) } });
    expect(server.counters.chats).toBe(1);
  });

  it("tells an empty or broken answer as a fault of the host", async () => {
    server.script([{ fault: { emptyStream: true } }, { text: "a b", fault: { dropAfterDeltas: 1 } }]);
    expect(await test()).toMatchObject({ ok: false, diagnosis: "server-error" });
    expect(await test()).toMatchObject({ ok: false, diagnosis: "server-error" });
  });
});

describe("the test button", () => {
  type Answers = (path: string) => Response;
  const against = (answers: Answers, more: Partial<ModelInput> = {}): Promise<ModelTest> => {
    const { service } = modelService(async (url) => answers(new URL(String(url)).pathname));
    return service.test({ ...FORM, ...more }, never);
  };
  const page = (status = 200) =>
    new Response("<!doctype html><p>Hello", { status, headers: { "content-type": "text/html" } });
  const list = (...ids: string[]) => Response.json({ data: ids.map((id) => ({ id })) });

  it("tells a host that refuses an extension's origin, as Ollama does", async () => {
    expect(await against(() => new Response("", { status: 403 }))).toMatchObject({
      diagnosis: "origin-refused",
    });
    const cors = {
      type: "error",
      error: { type: "authentication_error", message: "CORS requests are not allowed" },
    };
    const reply = () => Response.json(cors, { status: 401 });
    expect(await against(reply, { provider: "anthropic" })).toMatchObject({ diagnosis: "origin-refused" });
  });

  it("tells a web page from an API, and finds the API beside it", async () => {
    expect(await against(() => page())).toMatchObject({
      diagnosis: "not-an-api",
      params: { suggestion: "" },
    });
    const beside = (path: string) => (path.startsWith("/v1/") ? list("m-1") : page());
    expect(await against(beside, { apiBaseUrl: "http://host.test" })).toMatchObject({
      diagnosis: "not-an-api",
      params: { suggestion: "http://host.test/v1" },
    });
    const without = (path: string) => (path.startsWith("/v1/") ? page(404) : list("m-1"));
    expect(await against(without)).toMatchObject({
      diagnosis: "wrong-url",
      params: { suggestion: "http://host.test" },
    });
  });

  it("C104 JSON that is no answer is not an API", async () => {
    expect(await against(() => Response.json({ status: "ok" }))).toMatchObject({ diagnosis: "not-an-api" });
  });

  it("asks the list what a bare 404 means", async () => {
    const bare =
      (...ids: string[]) =>
      (path: string) =>
        path.endsWith("/models") ? list(...ids) : new Response("404 page not found", { status: 404 });
    expect(await against(bare("other"))).toMatchObject({ diagnosis: "model-missing" });
    expect(await against(bare("m-1"))).toMatchObject({ diagnosis: "wrong-url" });
  });

  it("a host that asks for a key where its list would be is an API too", async () => {
    const locked = (path: string) =>
      path.startsWith("/v1/")
        ? Response.json({ error: "no" }, { status: 401 })
        : new Response("", { status: 404 });
    expect(await against(locked, { apiBaseUrl: "http://host.test" })).toMatchObject({
      diagnosis: "wrong-url",
      params: { suggestion: "http://host.test/v1" },
    });
  });

  it("tells a redirect", async () => {
    const moved = new Response(null, { status: 301, headers: { location: "https://host.test/v1" } });
    expect(await against(() => moved)).toMatchObject({ diagnosis: "wrong-url", params: { status: "301" } });
  });

  it("ends when the person goes away", async () => {
    const abort = new AbortController();
    const hanging: typeof fetch = (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    const { service } = modelService(hanging);
    const outcome = service.test(FORM, abort.signal);
    abort.abort();
    await expect(outcome).rejects.toMatchObject({ name: "AbortError" });
  });

  it("uses the stored key when none is typed", async () => {
    const seen: (string | null)[] = [];
    const { service } = modelService(async (_url, init) => {
      seen.push(new Headers(init?.headers).get("authorization"));
      return new Response("", { status: 500 });
    });
    const { id } = await service.save(FORM);
    const { apiKey: _, ...form } = FORM;
    await service.test({ ...form, id }, never);
    expect(seen).toEqual([`Bearer ${KEY}`]);
  });
});
