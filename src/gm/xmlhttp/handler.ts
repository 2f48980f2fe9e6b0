import type { ScriptCaller } from "@/rpc/caller";
import { isNamedError, NamedError } from "@/rpc/errors";
import type { GmHost } from "../host";
import { bodyParts } from "./body-parts";
import { type ConnectPolicy, judgeConnect } from "./connect-policy";
import { type ConnectQuestion, isRunKind, questionOf, refusalOf } from "./connect-question";
import { type HttpPart, type HttpRequest, xmlhttpContract } from "./contract";
import { isForbiddenHeader } from "./headers";
import { redirectHops, type Target } from "./redirects";

type XmlhttpHost = Pick<GmHost, "router" | "scripts" | "sameSite" | "fetchHop" | "keepalive" | "consent">;

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
  const exchange = new Exchange(host, await askerOf(host, caller), caller, signal);
  try {
    yield* exchange.run(request);
  } catch (error) {
    throw exchange.explain(error);
  } finally {
    exchange.end();
  }
}

/** Who asks, as the policy knows it. A run that no script began has no lines that would allow it anything. */
async function askerOf(
  host: XmlhttpHost,
  caller: ScriptCaller,
): Promise<Pick<ConnectPolicy, "scriptName" | "connects">> {
  if (isRunKind(caller.uuid)) return { scriptName: caller.name, connects: [] };
  const head = await host.scripts.get(caller.uuid);
  if (!head) throw new NamedError("PermissionDeniedError", "This script is not installed any more.");
  return { scriptName: head.name, connects: head.metadata.connects };
}

/** One request of a script, from the first question whether it may to the last byte of its answer. */
class Exchange {
  readonly #policy: ConnectPolicy;
  /** Ends the request: by the caller, or because what allowed it was taken back. */
  readonly #stop = new AbortController();
  /** Ends what this one follows for as long as it lasts. */
  readonly #over = new AbortController();
  #release: (() => void) | null = null;
  #asked: URL | null = null;
  #sent = false;

  constructor(
    private readonly host: XmlhttpHost,
    asker: Pick<ConnectPolicy, "scriptName" | "connects">,
    private readonly caller: ScriptCaller,
    signal: AbortSignal,
  ) {
    this.#policy = {
      ...asker,
      pageOrigin: caller.origin,
      sameSite: host.sameSite,
    };
    this.#endsBy(signal);
  }

  async *run(request: HttpRequest): AsyncGenerator<HttpPart> {
    const { url: start, init } = prepare(request, this.caller, this.#stop.signal);
    const hops = redirectHops(start, init, this.host.fetchHop);
    let step = await hops.next();
    while (!step.done) {
      this.#asked = step.value.url;
      yield* this.#admit(step.value);
      step = await hops.next();
    }
    const { response, url } = step.value;
    yield {
      type: "head",
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join(""),
      url,
      total: sizeOf(response.headers),
    };
    if (!response.body) return;
    for await (const part of bodyParts(response.body)) yield { type: "body", part };
  }

  /** Comes back once the target may be asked. @throws PermissionDeniedError or ConsentWaitingError when it may not */
  async *#admit(target: Target): AsyncGenerator<HttpPart> {
    const verdict = await judgeConnect(target.url, this.#policy);
    let waited = false;
    if (!verdict.allowed) {
      const question: ConnectQuestion = { ...verdict, target, policy: this.#policy };
      const request = questionOf(question, this.caller);
      let reply = await this.host.consent.known(request);
      if (!reply) {
        waited = true;
        yield { type: "asking", sent: this.#sent };
        reply = await this.host.consent.ask(request, { signal: this.#stop.signal });
      }
      if (reply.outcome !== "allowed") throw refusalOf(question, reply.outcome);
      this.#endsBy(reply.signal);
    }
    // Until now a death of the worker harms nothing, as the script opens the request again. A redirect's is not opened again, so
    // from here on the worker is kept alive, also while a person is asked about its target.
    this.#release ??= this.host.keepalive.hold(`a request of ${this.caller.name}`);
    if (waited || !this.#sent) yield { type: "sent" };
    this.#sent = true;
  }

  /** What the script is told of a failure. */
  explain(error: unknown): unknown {
    const { signal } = this.#stop;
    if (signal.aborted && isNamedError(signal.reason)) return signal.reason;
    return this.#asked ? networkError(error, this.#asked) : error;
  }

  end(): void {
    this.#over.abort();
    this.#release?.();
  }

  #endsBy(signal: AbortSignal): void {
    const stop = () => this.#stop.abort(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true, signal: this.#over.signal });
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
  if (isNamedError(error) || (error as { name?: unknown }).name === "AbortError") return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new NamedError(
    "NetworkError",
    `The request to ${url.host} failed (${reason}). The host may be down or unknown, or the connection was cut.`,
    { cause: error },
  );
}
