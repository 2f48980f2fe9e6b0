import { ModelError, type ModelFailure, type ResolvedModel } from "../types";
import { classify, codeOf, isRetryable, statusOfVendorError } from "./classify";
import { redact } from "./redact";
import { retryAfterMs } from "./retry-after";
import { type VendorError, vendorErrorOf } from "./vendor-error";

/** The most that a host's own words take up in a message, in characters. */
const SAID_MAX = 500;

/** A failure that has been judged; becomes a {@link ModelError} for the model it happened to. */
export interface Failure {
  failure: ModelFailure;
  status?: number;
  /** The host's own words. */
  said?: string;
  retryAfterMs?: number;
  cause?: unknown;
}

/** Judges a response with an error status. `body` is the text of the response, cut to a reasonable length. */
export function httpFailure(
  response: { status: number; headers: { get(name: string): string | null } },
  body: string,
  now: number,
): Failure {
  const html = isHtml(body, response.headers.get("content-type"));
  const vendor = html ? null : vendorErrorOf(parseJson(body));
  const { status } = response;
  const said = vendor?.text ?? (html ? undefined : body.trim() || undefined);
  const failure = classify({
    status,
    vendor: vendor ?? (said ? { text: said } : null),
    html,
    empty: body.trim() === "",
  });
  return { failure, status, said, retryAfterMs: retryAfterMs(response.headers, now) };
}

/** Judges an error that came inside a stream that had begun well. */
export function streamFailure(vendor: VendorError): Failure {
  const status = statusOfVendorError(vendor);
  return { failure: classify({ status, vendor, html: false, empty: false }), status, said: vendor.text };
}

/** The error that callers get: what happened, why, and what to do; never with the key in it. */
export function modelError(failure: Failure, model: ResolvedModel): ModelError {
  const said = failure.said?.trim();
  const quoted = said ? ` It says: “${said.length > SAID_MAX ? `${said.slice(0, SAID_MAX)}…` : said}”` : "";
  const { what, todo } = words(failure, model);
  const end = quoted && !/[.!?…]”$/.test(quoted) ? "." : "";
  return new ModelError(redact(`${what}${quoted}${end} ${todo}`, model.apiKey), {
    code: codeOf(failure.failure),
    failure: failure.failure,
    status: failure.status,
    retryable: isRetryable(failure.failure, failure.status),
    retryAfterMs: failure.retryAfterMs,
    cause: failure.cause,
  });
}

function words(failure: Failure, model: ResolvedModel): { what: string; todo: string } {
  const host = hostOf(model.apiBaseUrl);
  const http = failure.status === undefined ? "" : ` (HTTP ${failure.status})`;
  const address = `the address ${model.apiBaseUrl}`;
  const options = `in Moggy's options, under Models`;
  switch (failure.failure) {
    case "key":
      return model.apiKey
        ? {
            what: `${host} refused the API key of “${model.name}”${http}.`,
            todo: `Check the key ${options}.`,
          }
        : {
            what: `${host} wants an API key${http} and “${model.name}” has none.`,
            todo: `Enter one ${options}.`,
          };
    case "origin":
      return {
        what: `${host} does not answer browser extensions${http}.`,
        todo: `Allow this extension's origin there; for Ollama, set OLLAMA_ORIGINS=chrome-extension://* and restart it.`,
      };
    case "redirect":
      return {
        what: `${host} sends requests for ${address} on to another address${http}, where a key is not sent along.`,
        todo: `Enter the final address ${options}.`,
      };
    case "wrong-url":
      return {
        what: `${host} has nothing to answer with at ${address}${http}.`,
        todo: `Check the base URL ${options}; most end in /v1.`,
      };
    case "not-an-api":
      return {
        what: `What answers at ${address} is not a model API${http}.`,
        todo: `Check the base URL ${options}; most end in /v1.`,
      };
    case "model-missing":
      return {
        what: `${host} has no model “${model.model}” for this key${http}.`,
        todo: `Choose one that it offers, ${options}.`,
      };
    case "context":
      return {
        what: `The conversation is longer than “${model.model}” can read at once${http}.`,
        todo: `Shorten or clear the conversation, or choose a model with a larger context window.`,
      };
    case "rate-limit":
      return { what: `${host} asks for fewer requests${http}.`, todo: `Wait a little and try again.` };
    case "quota":
      return {
        what: `The account at ${host} has no credit or quota left${http}.`,
        todo: `Look at the account's billing page, or choose another model.`,
      };
    case "server":
      return { what: `${host} failed to answer${http}.`, todo: `Try again later; the fault is at the host.` };
    case "network":
      return {
        what: `${host} could not be reached.`,
        todo: `Check that ${address} is right, that the host is running and that this computer is online.`,
      };
    case "broken-stream":
      return { what: `The answer of ${host} broke off before its end.`, todo: `Try again.` };
    case "empty-answer":
      return {
        what: `${host} ended the answer without saying anything.`,
        todo: `Try again, or choose another model.`,
      };
    case "request":
      return {
        what: `${host} did not accept the request for “${model.model}”${http}.`,
        todo: `Check the settings of “${model.name}” ${options}.`,
      };
  }
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

export function isHtml(body: string, contentType: string | null): boolean {
  return (
    /^\s*(<!doctype html|<html|<head|<body)/i.test(body) || (contentType?.startsWith("text/html") ?? false)
  );
}

/** The JSON value of a text, or undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
