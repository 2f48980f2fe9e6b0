import { type Failure, httpFailure, modelError } from "../errors/model-failure";
import type { ResolvedModel } from "../types";
import type { Dialect } from "./dialect";
import { normaliseStream } from "./normalise";

export type Fetch = typeof fetch;

/** Of an error page or a body that is no stream, at most this much is read, in bytes. */
const BODY_MAX = 64 * 1024;

/** What a call to a model host needs beside the request. */
export interface HostDeps {
  fetch: Fetch;
  /** Milliseconds since the epoch; for Retry-After dates. */
  now(): number;
}

/**
 * One request to a model host that either succeeds with a response in the 200s or throws a ModelError (an abort passes through).
 * Nothing is cached (two equal requests would wait for each other), no cookie is sent, and no redirect is followed: it
 * would carry the key to a host that the person did not choose.
 */
export async function hostFetch(
  deps: HostDeps,
  model: ResolvedModel,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const fail = (failure: Failure) => modelError(failure, model);
  // A browser's fetch refuses to be called as the method of another object.
  const { fetch } = deps;
  let response: Response;
  try {
    response = await fetch(url, { ...init, cache: "no-store", credentials: "omit", redirect: "manual" });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw fail({ failure: "network", cause });
  }
  const isRedirect = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
  if (isRedirect) {
    await response.body?.cancel();
    throw fail({ failure: "redirect", status: response.status || undefined });
  }
  if (!response.ok) throw fail(httpFailure(response, await readText(response, BODY_MAX), deps.now()));
  return response;
}

/**
 * The fetch that a provider package is given. It returns a clean event stream of the package's own wire, or throws a
 * ModelError, so that the package never sees anything else.
 */
export function modelFetch(deps: HostDeps, model: ResolvedModel, dialect: Dialect): Fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers as Record<string, string> | undefined);
    // The packages put their versions there; no host needs to know them.
    headers.delete("user-agent");
    const response = await hostFetch(deps, model, String(input), { ...init, headers });
    const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
    if (type === "text/html") {
      await response.body?.cancel();
      throw modelError({ failure: "not-an-api", status: response.status }, model);
    }
    if (!response.body) throw modelError({ failure: "empty-answer", status: response.status }, model);
    const body = normaliseStream(response.body, dialect, init.signal);
    return new Response(body, { status: 200, headers: { "content-type": "text/event-stream" } });
  };
}

/** The text of a body, cut off after `max` bytes. A body that breaks off counts as far as it came. */
export async function readText(response: Response, max: number): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      text += decoder.decode(value, { stream: true });
      if (size > max) {
        await reader.cancel();
        break;
      }
    }
  } catch (cause) {
    // The status has already told what happened; the words of the host are only missing their end.
    return `${text} [cut off: ${cause instanceof Error ? cause.message : String(cause)}]`;
  }
  return text + decoder.decode();
}
