import type { ModelDiagnosis, ModelTest } from "@/agent/contract/models";
import { createModelClient } from "@/agent/core/models/client";
import { isApiAnswer, listModels } from "@/agent/core/models/list";
import { ModelError, type ModelFailure, type ResolvedModel } from "@/agent/core/models/types";

export interface TestDeps {
  fetch: typeof fetch;
  now(): number;
}

const PROMPT = "This is a connection test. Reply with the single word OK.";
/** Room for a model that thinks before it answers; the answer itself is a word. */
const MAX_TOKENS = 512;
const TIMEOUT_MS = 30_000;
const PROBE_TIMEOUT_MS = 5_000;
const REPLY_CHARS = 200;

const DIAGNOSES: Partial<Record<ModelFailure, ModelDiagnosis>> = {
  key: "wrong-key",
  origin: "origin-refused",
  redirect: "wrong-url",
  "wrong-url": "wrong-url",
  "not-an-api": "not-an-api",
  "model-missing": "model-missing",
  "rate-limit": "rate-limited",
  quota: "rate-limited",
  server: "server-error",
  "broken-stream": "server-error",
  "empty-answer": "server-error",
  network: "unreachable",
};

/** Sends one tiny request and says how it went. Rejects only when `signal` is aborted. */
export async function testModel(
  model: ResolvedModel,
  deps: TestDeps,
  signal: AbortSignal,
): Promise<ModelTest> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await ask(model, deps, AbortSignal.any([signal, timeout]));
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) {
      const detail = `No answer came within ${TIMEOUT_MS / 1000} seconds.`;
      return { ok: false, diagnosis: "unreachable", params: params(model), detail };
    }
    if (!(error instanceof ModelError)) throw error;
    return diagnose(error, model, deps, signal);
  }
}

async function ask(model: ResolvedModel, deps: TestDeps, signal: AbortSignal): Promise<ModelTest> {
  const start = performance.now();
  let firstTokenMs: number | undefined;
  let reply = "";
  const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: PROMPT }] }];
  const request = {
    messages,
    tools: [],
    cache: false,
    maxTokens: Math.min(MAX_TOKENS, model.maxTokens ?? MAX_TOKENS),
  };
  for await (const event of createModelClient(model, deps).stream(request, signal)) {
    if (event.type === "text" || event.type === "thinking") firstTokenMs ??= performance.now() - start;
    if (event.type === "text") reply += event.text;
  }
  const totalMs = performance.now() - start;
  return {
    ok: true,
    reply: reply.trim().slice(0, REPLY_CHARS),
    firstTokenMs: Math.round(firstTokenMs ?? totalMs),
    totalMs: Math.round(totalMs),
  };
}

async function diagnose(
  error: ModelError,
  model: ResolvedModel,
  deps: TestDeps,
  signal: AbortSignal,
): Promise<ModelTest> {
  const found = (diagnosis: ModelDiagnosis, suggestion = ""): ModelTest => ({
    ok: false,
    diagnosis,
    params: params(model, error.status, suggestion),
    detail: error.message,
  });
  if (error.failure !== "wrong-url" && error.failure !== "not-an-api") {
    return found(DIAGNOSES[error.failure] ?? "other");
  }
  const probe = AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]);
  // A bare 404 may mean the model as well as the address: the list of models tells.
  const offered = error.failure === "wrong-url" ? await tryList(model, deps, probe) : null;
  if (offered && offered !== "api")
    return found(offered.includes(model.model) ? "wrong-url" : "model-missing");
  return found(DIAGNOSES[error.failure] ?? "other", await suggestBaseUrl(model, deps, probe));
}

/** The base URL with or without `/v1`, when a model API answers there and not at the one that was entered; "" else. */
async function suggestBaseUrl(model: ResolvedModel, deps: TestDeps, signal: AbortSignal): Promise<string> {
  const { apiBaseUrl } = model;
  const other = /\/v\d+$/.test(apiBaseUrl) ? apiBaseUrl.replace(/\/v\d+$/, "") : `${apiBaseUrl}/v1`;
  const answer = await tryList({ ...model, apiBaseUrl: other }, deps, signal);
  return answer ? other : "";
}

/** The models that a host offers, "api" when it is an API that will not say, null when it is none. */
async function tryList(
  model: ResolvedModel,
  deps: TestDeps,
  signal: AbortSignal,
): Promise<string[] | "api" | null> {
  try {
    return await listModels(model, deps, signal);
  } catch (error) {
    // Only a probe: what it finds or not is the result, and the failure that led here is reported.
    return isApiAnswer(error) ? "api" : null;
  }
}

function params(model: ResolvedModel, status?: number, suggestion = ""): Record<string, string> {
  return {
    host: new URL(model.apiBaseUrl).host,
    baseUrl: model.apiBaseUrl,
    model: model.model,
    status: status === undefined ? "" : String(status),
    suggestion,
  };
}
