import type { ScriptCaller } from "@/rpc/caller";
import { NamedError } from "@/rpc/errors";
import type { GmHost } from "../host";
import { bodyParts } from "./body-parts";
import { checkConnect } from "./connect-policy";
import { type HttpPart, type HttpRequest, xmlhttpContract } from "./contract";
import { isForbiddenHeader } from "./headers";
import { followRedirects } from "./redirects";

type XmlhttpHost = Pick<GmHost, "router" | "scripts" | "sameSite" | "fetchHop" | "keepalive">;

/** The worker half of GM_xmlhttpRequest: where requests may go is decided here, from what the worker itself has stored. */
export function registerXmlhttp(host: XmlhttpHost): void {
  host.router.register(xmlhttpContract, {
    request: (request, { caller, signal }) => {
      if (caller.kind !== "script") {
        throw new NamedError("PermissionDeniedError", "Only scripts request through this.");
      }
      return perform(host, request, caller, signal);
    },
  });
}

async function* perform(
  host: XmlhttpHost,
  request: HttpRequest,
  caller: ScriptCaller,
  signal: AbortSignal,
): AsyncGenerator<HttpPart> {
  const release = host.keepalive.hold(`a request of ${caller.name}`);
  try {
    const head = await host.scripts.get(caller.uuid);
    if (!head) throw new NamedError("PermissionDeniedError", "This script is not installed any more.");
    const policy = {
      scriptName: head.name,
      connects: head.metadata.connects,
      pageOrigin: caller.origin,
      sameSite: host.sameSite,
    };
    const { response, url } = await send(host, request, caller, signal, (target) =>
      checkConnect(target, policy),
    );
    yield {
      type: "head",
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join(""),
      url,
      total: sizeOf(response.headers),
    };
    if (!response.body) return;
    try {
      for await (const part of bodyParts(response.body)) yield { type: "body", part };
    } catch (error) {
      throw networkError(error, new URL(url));
    }
  } finally {
    release();
  }
}

async function send(
  host: XmlhttpHost,
  request: HttpRequest,
  caller: ScriptCaller,
  signal: AbortSignal,
  check: (url: URL) => Promise<void>,
) {
  const { url, init } = prepare(request, caller, signal);
  let asked = url;
  try {
    return await followRedirects(url, init, {
      fetchHop: host.fetchHop,
      check: (target) => {
        asked = target;
        return check(target);
      },
    });
  } catch (error) {
    throw networkError(error, asked);
  }
}

function prepare(request: HttpRequest, caller: ScriptCaller, signal: AbortSignal) {
  if (!URL.canParse(request.url)) throw new NamedError("TypeError", `"${request.url}" is no address.`);
  const url = new URL(request.url);
  const method = normalMethod(request.method);
  const headers = new Headers();
  for (const [name, value] of request.headers) {
    if (isForbiddenHeader(name)) {
      throw new NamedError("NotSupportedError", `The header "${name}" cannot be set by a script.`);
    }
    headers.append(name, value);
  }
  // XMLHttpRequest ignores the body of these, and fetch would refuse it.
  const body = method === "GET" || method === "HEAD" || request.body === null ? undefined : request.body;
  if (body !== undefined && request.bodyType !== undefined && !headers.has("content-type")) {
    headers.set("content-type", request.bodyType);
  }
  const user = request.user ?? decodeURIComponent(url.username);
  const password = request.password ?? decodeURIComponent(url.password);
  url.username = "";
  url.password = "";
  if ((user || password) && !headers.has("authorization"))
    headers.set("authorization", basic(user, password));
  // The worker has the cookies and cache of normal windows; a private window's request must not meet them.
  const apart = caller.incognito;
  const init = {
    method,
    headers,
    body,
    signal,
    credentials: request.anonymous || apart ? "omit" : "include",
    cache: apart ? "no-store" : request.cache,
    referrerPolicy: "no-referrer",
  } satisfies RequestInit;
  return { url, init };
}

/** Upper case for the methods that have no other spelling, as `XMLHttpRequest.open` does. */
function normalMethod(method: string): string {
  if (/^(connect|trace|track)$/i.test(method)) {
    throw new NamedError(
      "NotSupportedError",
      `The method ${method.toUpperCase()} cannot be used in a browser.`,
    );
  }
  // RFC 9110, "method" is a token.
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(method)) {
    throw new NamedError("TypeError", `"${method}" is not a valid HTTP method.`);
  }
  return /^(delete|get|head|options|post|put|patch)$/i.test(method) ? method.toUpperCase() : method;
}

function basic(user: string, password: string): string {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/** Content-Length counts what goes over the wire, so it says nothing when that is compressed. */
function sizeOf(headers: Headers): number {
  if (headers.get("content-encoding")) return 0;
  const size = Number(headers.get("content-length"));
  return Number.isSafeInteger(size) && size > 0 ? size : 0;
}

/** fetch tells no reason for a failure; at least the host is said. Errors of our own, and aborts, stay what they are. */
function networkError(error: unknown, url: URL): unknown {
  if (error instanceof NamedError || (error as { name?: unknown }).name === "AbortError") return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new NamedError(
    "NetworkError",
    `The request to ${url.host} failed (${reason}). The host may be down or unknown, or the connection was cut.`,
    { cause: error },
  );
}
