import type { IncomingMessage, ServerResponse } from "node:http";
import { flatHeaders, requestUrl, sendJson } from "../http/exchange";
import type { WireError } from "./answer";
import {
  anthropicBody,
  anthropicErrorBody,
  anthropicModel,
  anthropicModelList,
  anthropicStream,
} from "./anthropic-wire";
import { checkAnthropic } from "./check-anthropic";
import { checkOpenAi } from "./check-openai";
import { openAiBody, openAiErrorBody, openAiModel, openAiModelList, openAiStream } from "./openai-wire";
import type { Wire } from "./play";
import type { Protocol, RecordedRequest } from "./types";

/** How one vendor answers what is not a turn of the script. */
interface Vendor {
  protocol: Protocol;
  keyOf(headers: Record<string, string>): string | undefined;
  check(body: Record<string, unknown>, headers: Record<string, string>): WireError | undefined;
  wrongKey(key: string | undefined, echo: boolean): WireError;
  noModel(model: string): WireError;
  unknown(asked: string): WireError;
}

/** Where a request goes. `model` is the id of `GET /v1/models/:id`. */
export type Route = Vendor & ({ kind: "chat" | "models" | "unknown" } | { kind: "model"; model: string });

const OPENAI: Vendor = {
  protocol: "openai",
  keyOf: bearer,
  check: checkOpenAi,
  wrongKey: (key, echo) => ({
    status: 401,
    message:
      key === undefined
        ? "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth."
        : `Incorrect API key provided: ${echo ? key : masked(key)}.`,
    code: key === undefined ? null : "invalid_api_key",
  }),
  noModel: (model) => ({
    status: 404,
    message: `The model \`${model}\` does not exist or you do not have access to it.`,
    code: "model_not_found",
  }),
  unknown: (asked) => ({ status: 404, message: `Invalid URL (${asked})` }),
};

const ANTHROPIC: Vendor = {
  protocol: "anthropic",
  keyOf: (headers) => headers["x-api-key"] ?? bearer(headers),
  check: checkAnthropic,
  wrongKey: (key, echo) => ({
    status: 401,
    message:
      key === undefined ? "x-api-key header is required" : `invalid x-api-key${echo ? `: ${key}` : ""}`,
  }),
  noModel: (model) => ({ status: 404, message: `model: ${model}` }),
  unknown: () => ({ status: 404, message: "Not found" }),
};

/** Decides vendor and route. The model list is on the same path for both: the vendor's own headers tell them apart. */
export function routeOf(req: IncomingMessage): Route {
  const { pathname } = requestUrl(req);
  const headers = flatHeaders(req.headers);
  const asked = `${req.method} ${pathname}`;
  if (asked === "POST /v1/chat/completions") return { ...OPENAI, kind: "chat" };
  if (asked === "POST /v1/messages") return { ...ANTHROPIC, kind: "chat" };
  const isAnthropic =
    "anthropic-version" in headers || "x-api-key" in headers || pathname.startsWith("/v1/messages");
  const vendor = isAnthropic ? ANTHROPIC : OPENAI;
  if (asked === "GET /v1/models") return { ...vendor, kind: "models" };
  if (asked.startsWith("GET /v1/models/")) {
    return { ...vendor, kind: "model", model: decodeURIComponent(pathname.slice("/v1/models/".length)) };
  }
  return { ...vendor, kind: "unknown" };
}

/** Answers `GET /v1/models` or `GET /v1/models/:id`. */
export function sendModels(res: ServerResponse, route: Route, models: string[]): void {
  const openai = route.protocol === "openai";
  if (route.kind === "model")
    sendJson(res, 200, openai ? openAiModel(route.model) : anthropicModel(route.model));
  else sendJson(res, 200, openai ? openAiModelList(models) : anthropicModelList(models));
}

/** Answers with an error in the vendor's shape. */
export function sendRefusal(
  res: ServerResponse,
  route: Route,
  error: WireError,
  record: RecordedRequest,
): void {
  const id = requestId(record);
  if (route.protocol === "openai") {
    sendJson(res, error.status, openAiErrorBody(error), { "x-request-id": id });
  } else {
    sendJson(res, error.status, anthropicErrorBody(error, id), { "request-id": id });
  }
}

/** The writers for one request. */
export function wireOf(protocol: Protocol, body: Record<string, unknown>, record: RecordedRequest): Wire {
  const id = requestId(record);
  if (protocol === "anthropic") {
    return {
      stream: anthropicStream,
      body: anthropicBody,
      errorBody: (error) => anthropicErrorBody(error, id),
      headers: { "request-id": id },
    };
  }
  const streamOptions = body.stream_options as { include_usage?: unknown } | null | undefined;
  return {
    stream: (answer) => openAiStream(answer, streamOptions?.include_usage === true),
    body: openAiBody,
    errorBody: openAiErrorBody,
    headers: { "x-request-id": id },
  };
}

function requestId(record: RecordedRequest): string {
  return `req_fake${String(record.index).padStart(8, "0")}`;
}

function bearer(headers: Record<string, string>): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? "")?.[1];
}

/** As OpenAI shows a wrong key: its ends only. */
function masked(key: string): string {
  return key.length < 12 ? "*".repeat(key.length) : `${key.slice(0, 4)}${"*".repeat(8)}${key.slice(-4)}`;
}
