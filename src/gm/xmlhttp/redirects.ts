import type { FetchHop } from "@/platform/redirects";
import { NamedError } from "@/rpc/errors";

/** As the fetch specification has it. */
const MAX_REDIRECTS = 20;
/** Headers that describe a body and go with it. */
const BODY_HEADERS = [
  "content-encoding",
  "content-language",
  "content-location",
  "content-type",
  "content-length",
];

/** An address that is about to be requested, and with which method. */
export interface Target {
  url: URL;
  method: string;
}

/**
 * Sends a request and follows its redirects one by one (fetch specification, HTTP-redirect fetch). Each address is yielded before it is
 * asked for anything: whoever does not want it to be asked leaves.
 * @returns the last answer and its address, with the fragment that a browser would show
 * @throws NetworkError for redirects that cannot be followed; whatever fetch throws
 */
export async function* redirectHops(
  start: URL,
  init: RequestInit & { method: string; headers: Headers },
  fetchHop: FetchHop,
): AsyncGenerator<Target, { response: Response; url: string }, void> {
  let url = new URL(start);
  let request = { ...init, headers: new Headers(init.headers) };
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    yield { url, method: request.method };
    const bare = new URL(url);
    bare.hash = "";
    const { response, redirect } = await fetchHop(bare.href, request);
    if (!redirect) return { response, url: url.href };
    const next = target(redirect.url, url);
    request = nextRequest(request, redirect.status, url.origin === next.origin);
    url = next;
  }
  throw new NamedError("NetworkError", `${start.host} redirected more than ${MAX_REDIRECTS} times.`);
}

export interface RedirectOptions {
  fetchHop: FetchHop;
  /** Called with each address before it is requested; throws to refuse it. */
  check(url: URL): Promise<void>;
}

/** The same for those who only let pass or refuse; throws what `check` throws, too. */
export async function followRedirects(
  start: URL,
  init: RequestInit & { method: string; headers: Headers },
  { fetchHop, check }: RedirectOptions,
): Promise<{ response: Response; url: string }> {
  const hops = redirectHops(start, init, fetchHop);
  for (;;) {
    const step = await hops.next();
    if (step.done) return step.value;
    await check(step.value.url);
  }
}

function target(location: string, from: URL): URL {
  if (!URL.canParse(location, from)) {
    throw new NamedError("NetworkError", `${from.host} redirected to something that is no address.`);
  }
  const next = new URL(location, from);
  if (next.username || next.password) {
    throw new NamedError(
      "NetworkError",
      `${from.host} redirected to an address with a password in it, which is not followed.`,
    );
  }
  // A redirect without a fragment keeps the one before it.
  if (next.hash === "") next.hash = from.hash;
  return next;
}

function nextRequest<T extends RequestInit & { method: string; headers: Headers }>(
  request: T,
  status: number,
  sameOrigin: boolean,
): T {
  const headers = new Headers(request.headers);
  if (!sameOrigin) headers.delete("authorization");
  const { method } = request;
  const becomesGet =
    ((status === 301 || status === 302) && method === "POST") ||
    (status === 303 && method !== "GET" && method !== "HEAD");
  if (!becomesGet) return { ...request, headers };
  for (const name of BODY_HEADERS) headers.delete(name);
  return { ...request, headers, method: "GET", body: undefined };
}
