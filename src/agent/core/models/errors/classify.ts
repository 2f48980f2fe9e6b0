import type { ModelErrorCode, ModelFailure } from "../types";
import type { VendorError } from "./vendor-error";

/** What is known of a failed call when it is judged. */
export interface FailureFacts {
  /** HTTP status; absent for errors inside a stream that name none. */
  status?: number;
  vendor: VendorError | null;
  /** The answer was a web page. */
  html: boolean;
  /** The response had no body at all. */
  empty: boolean;
}

const CONTEXT =
  /context[ _-]?(length|window|size)|maximum context|prompt is too long|too many (input )?tokens|(input|prompt).{0,40}exceeds?.{0,40}(token|limit|maximum)|reduce the length of the (messages|prompt)/i;
const MODEL_MISSING =
  /model[ _-]?not[ _-]?(found|exist)|(?:no such|unknown|invalid) model|not a valid model|model\b.{0,120}(?:not found|does ?n[o']t exist|not exist|not supported|not available|no access|try pulling)|^model: /is;
const QUOTA =
  /insufficient[ _-]?(quota|balance|credit|funds)|exceeded your current quota|credit balance is too low|billing/i;
const ORIGIN = /\borigins?\b|\bcors\b|direct-browser-access/i;
const KEY = /api[ _-]?key|unauthori[sz]ed|authentication|credential|invalid token/i;

/** What a host says is looked up here, and it may say "constructor". */
const BY_TYPE = new Map(
  Object.entries({
    // Anthropic API reference, "Errors".
    invalid_request_error: 400,
    authentication_error: 401,
    billing_error: 402,
    permission_error: 403,
    not_found_error: 404,
    request_too_large: 413,
    rate_limit_error: 429,
    api_error: 500,
    timeout_error: 504,
    overloaded_error: 529,
    // OpenAI and compatible servers.
    rate_limit_exceeded: 429,
    insufficient_quota: 429,
    invalid_api_key: 401,
    server_error: 500,
    internal_server_error: 500,
    service_unavailable: 503,
  }),
);

/** The status that an error stands for when no HTTP status says it: an error inside a 200 stream. */
export function statusOfVendorError(vendor: VendorError): number | undefined {
  return vendor.status ?? BY_TYPE.get(vendor.code ?? "") ?? BY_TYPE.get(vendor.type ?? "");
}

/** Tells what a failure is, from the status first and the vendor's words second, since statuses are used loosely. */
export function classify({ status, vendor, html, empty }: FailureFacts): ModelFailure {
  const said = vendor ? [vendor.code, vendor.type, vendor.text].filter(Boolean).join("\n") : "";
  if (status === undefined) {
    if (CONTEXT.test(said)) return "context";
    return "server";
  }
  if (status >= 500) return "server";
  if (status === 429) return QUOTA.test(said) ? "quota" : "rate-limit";
  if (status === 402 || (status < 404 && QUOTA.test(said))) return "quota";
  if (status === 401 || status === 403) {
    if (html) return "not-an-api";
    if (status === 403 && empty) return "origin";
    if (ORIGIN.test(said) && !KEY.test(withoutHeaderNames(said))) return "origin";
    return "key";
  }
  if (status === 404 || status === 405) {
    return !html && MODEL_MISSING.test(vendor?.text ?? "") ? "model-missing" : notFound(vendor);
  }
  if (CONTEXT.test(said)) return "context";
  if (status === 400 || status === 422) {
    if (MODEL_MISSING.test(said)) return "model-missing";
    if (/api[ _-]?key/i.test(said) && /invalid|not valid|missing/i.test(said)) return "key";
  }
  return html ? "not-an-api" : "request";
}

function notFound(vendor: VendorError | null): ModelFailure {
  return vendor?.code === "model_not_found" ? "model-missing" : "wrong-url";
}

/** Anthropic names a header when it refuses an origin; that name must not be read as a word about keys. */
function withoutHeaderNames(said: string): string {
  return said.replace(/authentication_error|'anthropic-[a-z-]+'/g, "");
}

const CODES: Partial<Record<ModelFailure, ModelErrorCode>> = {
  key: "auth",
  origin: "auth",
  "rate-limit": "rate_limit",
  quota: "rate_limit",
  context: "context_too_large",
};

export function codeOf(failure: ModelFailure): ModelErrorCode {
  return CODES[failure] ?? "api_error";
}

/** 408, 429 and 5xx pass by themselves, as do broken connections; an empty account and every other 4xx do not. */
export function isRetryable(failure: ModelFailure, status: number | undefined): boolean {
  if (failure === "request") return status === 408;
  return (
    failure === "rate-limit" ||
    failure === "server" ||
    failure === "network" ||
    failure === "broken-stream" ||
    failure === "empty-answer"
  );
}
