import { NamedError } from "@/rpc/errors";
import { worldFor } from "@/userscripts/world-for";
import type { GmHost } from "../host";
import { relayContract } from "./contract";

/**
 * Lines for the log of a script in the page's own world. The page can make such a script say what it likes, so they are let into no
 * other script's log.
 */
export function registerRelay(host: GmHost): void {
  host.router.register(relayContract, {
    reportError: async (error) => {
      const head = await host.scripts.get(error.uuid);
      if (!head || worldFor(head.metadata) !== "page") {
        throw new NamedError(
          "PermissionDeniedError",
          "Only scripts of the page's own world report errors this way.",
        );
      }
      await host.scripts.recordError(error);
    },
  });
}
