import type { OffscreenHost } from "../host";
import { relayedFetch } from "../net/relayed-fetch";
import { offscreenDomContract } from "./contract";

/** Reading pages. The libraries come with the first call. */
export function registerDom({ router, worker }: OffscreenHost): void {
  const web = relayedFetch(worker, "web");
  router.register(offscreenDomContract, {
    toMarkdown: async (input) => (await import("./markdown")).toMarkdown(input),
    fetchPage: async (input, { signal }) => (await import("./fetch-page")).fetchPage(web, input, signal),
    select: async (input) => (await import("./select")).select(input),
  });
}
