import type { OffscreenHost } from "../host";
import { offscreenDomContract } from "./contract";

/** Reading pages. The libraries come with the first call. */
export function registerDom({ router }: OffscreenHost): void {
  router.register(offscreenDomContract, {
    toMarkdown: async (input) => (await import("./markdown")).toMarkdown(input),
    select: async (input) => (await import("./select")).select(input),
  });
}
