import type { RpcClient } from "@/rpc/client";
import { NamedError } from "@/rpc/errors";
import type { OffscreenNetContract, RelayPart } from "./contract";

/** Statuses that have no body (fetch specification, "null body status"). */
const NO_BODY = new Set([101, 103, 204, 205, 304]);

/**
 * A `fetch` for the offscreen document, by the rules of one profile of the worker's. As the global one: resolves with the head, the
 * body streams; aborting ends both.
 */
export function relayedFetch(worker: RpcClient, profile: string): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const parts = worker.of<OffscreenNetContract>("offscreen.net").stream(
      "request",
      {
        profile,
        url: request.url,
        method: request.method,
        headers: [...request.headers],
        body: request.body === null ? null : await request.blob(),
      },
      { signal: request.signal },
    );
    const first = await parts.next();
    if (first.done || first.value.type !== "head") {
      throw new NamedError("NetworkError", `The request to ${request.url} ended without an answer.`);
    }
    const { status, statusText, headers, url } = first.value;
    if (NO_BODY.has(status)) await parts.return?.();
    const body = NO_BODY.has(status) ? null : bodyOf(parts);
    const response = new Response(body, { status, statusText, headers });
    // A constructed response has no address; the one after redirects counts.
    Object.defineProperty(response, "url", { value: url });
    return response;
  };
}

function bodyOf(parts: AsyncIterableIterator<RelayPart>): ReadableStream<Uint8Array<ArrayBuffer>> {
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
