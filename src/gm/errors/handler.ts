import type { GmHost } from "../host";
import { errorsContract } from "./contract";

export function registerErrors(host: GmHost): void {
  host.router.register(errorsContract, {
    report: async ({ message, stack, url }, { caller }) => {
      if (caller.kind !== "script") return;
      await host.scripts.recordError({ uuid: caller.uuid, message, stack, url: url ?? caller.url });
    },
  });
}
