import type { ScriptSession } from "@/gm/types";
import type { HttpRequest, XmlhttpContract } from "@/gm/xmlhttp/contract";
import { NamedError } from "@/rpc/errors";
import { streamedResponse } from "@/rpc/streamed-response";

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
    return streamedResponse({ ...first.value, headers: pairs(first.value.headers) }, parts);
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
