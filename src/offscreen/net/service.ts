import type { Keepalive } from "@/platform/keepalive";
import { NamedError } from "@/rpc/errors";
import type { Router } from "@/rpc/server";
import { offscreenNetContract, type RelayPart, type RelayRequest } from "./contract";

/** One set of rules for requests of the offscreen document. */
export interface NetProfile {
  /**
   * Sends a request, or refuses it. Adds what only the worker has.
   * @param signal aborts when nobody waits for it any more, and at its end
   * @returns the answer and its address after redirects
   */
  send(request: RelayRequest, signal: AbortSignal): Promise<{ response: Response; url: string }>;
}

export interface NetRelayDeps {
  router: Router;
  profiles: Readonly<Record<string, NetProfile>>;
  keepalive: Pick<Keepalive, "hold">;
  /** A body in parts that suit a message. */
  parts(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array | Blob>;
}

/** The worker's half of the relay. */
export function registerNetRelay({ router, profiles, keepalive, parts }: NetRelayDeps): void {
  router.register(offscreenNetContract, {
    async *request(request, { signal }): AsyncGenerator<RelayPart> {
      const profile = Object.hasOwn(profiles, request.profile) ? profiles[request.profile] : undefined;
      if (!profile) throw new NamedError("NotFoundError", `There are no network rules "${request.profile}".`);
      const over = new AbortController();
      const release = keepalive.hold(`a request of the background document (${request.profile})`);
      try {
        const { response, url } = await profile.send(request, AbortSignal.any([signal, over.signal]));
        const { status, statusText, headers } = response;
        yield { type: "head", status, statusText, headers: [...headers], url };
        if (!response.body) return;
        for await (const part of parts(response.body)) yield { type: "body", part };
      } finally {
        over.abort();
        release();
      }
    },
  });
}
