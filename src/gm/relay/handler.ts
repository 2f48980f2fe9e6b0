import type { GmHost } from "../host";
import { relayContract } from "./contract";

export function registerRelay(host: GmHost): void {
  host.router.register(relayContract, {
    reportError: (error) => host.scripts.recordError(error),
  });
}
