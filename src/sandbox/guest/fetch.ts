import type { ScriptSession } from "@/gm/types";
import type { HttpPart, HttpRequest, XmlhttpContract } from "@/gm/xmlhttp/contract";
import { NamedError } from "@/rpc/errors";

/** Statuses that have no body (fetch specification, "null body status"). */
const NO_BODY = new Set([101, 103, 204, 205, 304]);

/**
 * `fetch` by the worker's rules: as `GM_xmlhttpRequest` goes, with `@connect` and consent, and without CORS, since no page is involved.
 * `credentials: "omit"` leaves cookies out; `redirect` is always followed, each address checked.
 */
export function sandboxFetch(session: ScriptSession): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const sent: HttpRequest = {
      url: request.url,
      method: request.method,
      headers: headersOf(request, init),
      body: request.body === null ? null : await request.blob(),
      anonymous: request.credentials === "omit",
      cache: request.cache === "no-cache" || request.cache === "no-store" ? request.cache : "default",
    };
    const parts = session.rpc.of<XmlhttpContract>("gm.xmlhttp").stream("request", sent, {
      signal: request.signal,
      // As long as nothing was sent, such as while a person is asked, it may be asked for again.
      resume: (seen) => (!seen || (seen.type === "asking" && !seen.sent) ? sent : null),
    });
    let first = await parts.next();
    while (!first.done && (first.value.type === "asking" || first.value.type === "sent"))
      first = await parts.next();
    if (first.done || first.value.type !== "head") {
      throw new NamedError("NetworkError", `The request to ${request.url} ended without an answer.`);
    }
    const { status, statusText, headers, url } = first.value;
    const bare = NO_BODY.has(status);
    if (bare) await parts.return?.();
    const response = new Response(bare ? null : bodyOf(parts), {
      status,
      statusText,
      headers: pairs(headers),
    });
    // A constructed response has no address; the one after redirects counts.
    Object.defineProperty(response, "url", { value: url });
    return response;
  };
}

/** For code that was granted no requests. */
export async function refusedFetch(): Promise<never> {
  throw new NamedError(
    "PermissionDeniedError",
    "This code has no network of its own, and was not granted requests. It needs GM_xmlhttpRequest.",
  );
}

/** What Request itself put in or left out of its headers is of no use here: it guards them for a page. */
function headersOf(request: Request, init: RequestInit | undefined): Array<[string, string]> {
  const all = new Headers(request.headers);
  for (const [name, value] of new Headers(init?.headers)) all.set(name, value);
  return [...all];
}

/** `name: value` lines, each ending with CRLF. */
function pairs(lines: string): Array<[string, string]> {
  return lines
    .split("\r\n")
    .filter((line) => line !== "")
    .map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
}

function bodyOf(parts: AsyncIterableIterator<HttpPart>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const next = await parts.next();
      if (next.done) return controller.close();
      if (next.value.type !== "body") return;
      const { part } = next.value;
      controller.enqueue(part instanceof Blob ? await part.bytes() : new Uint8Array(part));
    },
    async cancel() {
      await parts.return?.();
    },
  });
}
