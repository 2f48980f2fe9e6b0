import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { httpFailure, modelError } from "@/agent/core/models/errors/model-failure";
import { redact } from "@/agent/core/models/errors/redact";
import { retryAfterMs } from "@/agent/core/models/errors/retry-after";
import { streamErrorOf, vendorErrorOf } from "@/agent/core/models/errors/vendor-error";
import type { ModelFailure } from "@/agent/core/models/types";
import { answering, KEY, model, run, sse } from "./harness";

const NOW = Date.parse("2026-01-01T00:00:00Z");

function judge(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return modelError(httpFailure({ status, headers: new Headers(headers) }, text, NOW), model());
}

const openai = (message: string, code: string | null = null, type = "invalid_request_error") => ({
  error: { message, type, param: null, code },
});
const anthropic = (type: string, message: string) => ({ type: "error", error: { type, message } });
const HTML = { "content-type": "text/html; charset=utf-8" };
const PAGE = "<!DOCTYPE html><html><body>404</body></html>";

describe("failures with a status", () => {
  const cases: [string, number, unknown, Record<string, string>, ModelFailure, string, boolean][] = [
    [
      "OpenAI, wrong key",
      401,
      openai("Incorrect API key provided: sk-x.", "invalid_api_key"),
      {},
      "key",
      "auth",
      false,
    ],
    [
      "Anthropic, wrong key",
      401,
      anthropic("authentication_error", "invalid x-api-key"),
      {},
      "key",
      "auth",
      false,
    ],
    [
      "Anthropic, an Origin without the header",
      401,
      anthropic(
        "authentication_error",
        "CORS requests must set 'anthropic-dangerous-direct-browser-access' header",
      ),
      {},
      "origin",
      "auth",
      false,
    ],
    [
      "Google, wrong key",
      400,
      [
        {
          error: {
            code: 400,
            message: "API key not valid. Please pass a valid API key.",
            status: "INVALID_ARGUMENT",
          },
        },
      ],
      {},
      "key",
      "auth",
      false,
    ],
    [
      "Anthropic, no permission",
      403,
      anthropic("permission_error", "Your API key may not use this"),
      {},
      "key",
      "auth",
      false,
    ],
    ["Ollama, foreign origin", 403, "", {}, "origin", "auth", false],
    ["a forbidding web page", 403, PAGE, HTML, "not-an-api", "api_error", false],
    [
      "OpenAI, no such model",
      404,
      openai("The model `gpt-9` does not exist or you do not have access to it.", "model_not_found"),
      {},
      "model-missing",
      "api_error",
      false,
    ],
    [
      "Anthropic, no such model",
      404,
      anthropic("not_found_error", "model: claude-99"),
      {},
      "model-missing",
      "api_error",
      false,
    ],
    [
      "Ollama, model not pulled",
      404,
      { error: { message: 'model "llama9" not found, try pulling it first', type: "api_error" } },
      {},
      "model-missing",
      "api_error",
      false,
    ],
    ["DeepSeek, no such model", 400, openai("Model Not Exist"), {}, "model-missing", "api_error", false],
    [
      "OpenRouter, no such model",
      400,
      { error: { message: "x/y is not a valid model ID", code: 400 } },
      {},
      "model-missing",
      "api_error",
      false,
    ],
    ["wrong path, plain", 404, "404 page not found", {}, "wrong-url", "api_error", false],
    ["wrong path, a page", 404, PAGE, HTML, "wrong-url", "api_error", false],
    ["wrong path, JSON", 404, { detail: "Not Found" }, {}, "wrong-url", "api_error", false],
    ["wrong method", 405, { detail: "Method Not Allowed" }, {}, "wrong-url", "api_error", false],
    [
      "OpenAI, context",
      400,
      openai("This model's maximum context length is 8192 tokens.", "context_length_exceeded"),
      {},
      "context",
      "context_too_large",
      false,
    ],
    [
      "Anthropic, context",
      400,
      anthropic("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
      {},
      "context",
      "context_too_large",
      false,
    ],
    [
      "llama.cpp, context",
      400,
      openai("the request exceeds the available context size. try increasing the context size"),
      {},
      "context",
      "context_too_large",
      false,
    ],
    [
      "too large a body",
      413,
      anthropic("request_too_large", "Request exceeds the maximum size"),
      {},
      "request",
      "api_error",
      false,
    ],
    [
      "rate limit",
      429,
      openai("Rate limit reached", "rate_limit_exceeded", "requests"),
      {},
      "rate-limit",
      "rate_limit",
      true,
    ],
    [
      "no quota",
      429,
      openai(
        "You exceeded your current quota, please check your plan and billing details.",
        "insufficient_quota",
      ),
      {},
      "quota",
      "rate_limit",
      false,
    ],
    ["no money", 402, openai("Insufficient Balance"), {}, "quota", "rate_limit", false],
    [
      "Anthropic, no credit",
      400,
      anthropic("invalid_request_error", "Your credit balance is too low to access the API."),
      {},
      "quota",
      "rate_limit",
      false,
    ],
    [
      "bad parameters",
      422,
      { detail: [{ loc: ["body"], msg: "field required" }] },
      {},
      "request",
      "api_error",
      false,
    ],
    ["time-out of the request", 408, "", {}, "request", "api_error", true],
    ["a gateway's page", 502, PAGE, HTML, "server", "api_error", true],
    [
      "Anthropic, overloaded",
      529,
      anthropic("overloaded_error", "Overloaded"),
      {},
      "server",
      "api_error",
      true,
    ],
  ];

  it.each(cases)("%s", (_name, status, body, headers, failure, code, retryable) => {
    expect(judge(status, body, headers)).toMatchObject({ failure, status, code, retryable });
  });

  it("the message says who, what, the host's own words, and what to do", () => {
    const { message } = judge(401, openai("Incorrect API key."));
    expect(message).toBe(
      "host.test refused the API key of “Mine” (HTTP 401). It says: “Incorrect API key.” Check the key in Moggy's options, under Models.",
    );
    const none = modelError({ failure: "key", status: 401 }, model({ apiKey: "" })).message;
    expect(none).toContain("has none");
  });

  it("a web page is never quoted, and long words are cut", () => {
    expect(judge(404, PAGE, HTML).message).not.toContain("<");
    expect(judge(500, "x".repeat(5000)).message.length).toBeLessThan(800);
  });
});

describe("the key", () => {
  it("is never in a message, whatever a host says", async () => {
    // Marked, so that no word of ours can be the key by chance.
    const key = fc.stringMatching(/^[\x21-\x7e]{1,60}$/).map((text) => `K~${text}~`);
    await fc.assert(
      fc.asyncProperty(key, fc.constantFrom(401, 403, 429, 500, 404, 400), async (apiKey, status) => {
        const said = `No: Bearer ${apiKey}, ?key=${encodeURIComponent(apiKey)}&x`;
        const { fetch } = answering(
          () => new Response(JSON.stringify({ error: { message: said } }), { status }),
        );
        const { error } = await run(model({ apiKey }), fetch);
        expect((error as Error).message).toContain("[key]");
        expect((error as Error).message).not.toContain(apiKey);
        expect(JSON.stringify(error)).not.toContain(JSON.stringify(apiKey).slice(1, -1));
      }),
      { numRuns: 100 },
    );
  });

  it("is taken out of errors inside a stream too", async () => {
    const { fetch } = answering(() => sse(`data: {"error":{"message":"bad ${KEY}"}}\n\n`));
    expect(String((await run(model(), fetch)).error)).toContain("bad [key]");
  });

  it("too short to be one hides nothing", () => {
    expect(redact("a b c", "b")).toBe("a b c");
  });
});

describe("retryAfterMs", () => {
  it.each([
    [{ "retry-after": "7" }, 7000],
    [{ "retry-after": "1.5" }, 1500],
    [{ "retry-after-ms": "250", "retry-after": "1" }, 250],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
    [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    [{ "retry-after": "99999999" }, 3_600_000],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-3" }, undefined],
    [{}, undefined],
  ])("%o is %s", (headers, expected) => {
    expect(retryAfterMs(new Headers(headers as Record<string, string>), NOW)).toBe(expected);
  });
});

describe("vendorErrorOf", () => {
  it("finds words in any shape, and none where there are none", () => {
    expect(vendorErrorOf({ errors: [{ message: "a" }, { message: "b" }] })?.text).toBe("a; b");
    expect(vendorErrorOf({ error: { code: 7 } })?.text).toBe('{"code":7}');
    expect(vendorErrorOf({ ok: false })).toBeNull();
    expect(vendorErrorOf([])).toBeNull();
    expect(vendorErrorOf("text")).toBeNull();
    expect(streamErrorOf({ message: "part of an answer" })).toBeNull();
  });
});
