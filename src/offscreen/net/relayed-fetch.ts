import type { RpcClient } from "@/rpc/client";
import { NamedError } from "@/rpc/errors";
import { streamedResponse } from "@/rpc/streamed-response";
import type { OffscreenNetContract } from "./contract";

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
    return streamedResponse(first.value, parts);
  };
}
