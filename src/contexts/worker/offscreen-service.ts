import type { ConsentAsker } from "@/consent/types";
import { bodyParts } from "@/gm/xmlhttp/body-parts";
import { offscreenFaultsContract } from "@/offscreen/contract";
import type { OffscreenConnection } from "@/offscreen/link";
import { registerNetRelay } from "@/offscreen/net/service";
import { webProfile } from "@/offscreen/net/web-profile";
import { keepalive } from "@/platform/keepalive";
import { onOffscreenConnect } from "@/platform/offscreen";
import { OFFSCREEN_CALLS_PORT, SANDBOX_PORT, WORKER_CALLS_PORT } from "@/platform/offscreen-names";
import type { FetchHop } from "@/platform/redirects";
import type { Router } from "@/rpc/server";
import { type PortLike, portTransport } from "@/rpc/transports/port";

/** What the offscreen document may ask of the worker. To be called while the worker's script is evaluated. */
export function serveOffscreen(deps: {
  router: Router;
  offscreen: OffscreenConnection;
  fetchHop: FetchHop;
  consent: Pick<ConsentAsker, "ask">;
  /** Takes a port over which sandboxed code calls. */
  acceptSandbox(port: PortLike): void;
  report(during: string, error: unknown, source?: string): void;
}): void {
  const { router, offscreen, report } = deps;
  router.register(offscreenFaultsContract, {
    report: ({ during, ...error }) => report(during, error, "offscreen"),
  });
  registerNetRelay({
    router,
    profiles: { web: webProfile(deps.fetchHop, deps.consent) },
    keepalive,
    parts: bodyParts,
  });
  onOffscreenConnect((name, port, place) => {
    if (name === WORKER_CALLS_PORT) offscreen.accept(port);
    else if (name === SANDBOX_PORT) deps.acceptSandbox(port);
    else if (name === OFFSCREEN_CALLS_PORT) {
      router.serve(portTransport(port), { kind: "offscreen", ...place });
    }
  });
}
