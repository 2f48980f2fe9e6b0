import "../jitless";

import { rawEntry } from "@/log/entry";
import { watchUncaught } from "@/log/watch";
import { type OffscreenFaultsContract, offscreenHealthContract } from "@/offscreen/contract";
import type { OffscreenHost } from "@/offscreen/host";
import { IdleCloser } from "@/offscreen/idle";
import { registerOffscreenParts } from "@/offscreen/parts";
import { OFFSCREEN_CALLS_PORT, WORKER_CALLS_PORT } from "@/platform/offscreen-names";
import { onReconnectRequest, openWorkerPort, packagedFile } from "@/platform/offscreen-port";
import { NOWHERE } from "@/rpc/caller";
import { RpcClient } from "@/rpc/client";
import { Router } from "@/rpc/server";
import type { Transport } from "@/rpc/transport";
import { portTransport } from "@/rpc/transports/port";
import { tapped } from "@/rpc/transports/tapped";

/*
 * The document that nobody sees: does for the worker what needs a DOM. It connects to the worker when it starts, and again when a new
 * worker asks; in between it leaves the worker asleep.
 */
const router = new Router();
const idle = new IdleCloser(() => window.close());
const host: OffscreenHost = {
  router,
  worker: new RpcClient(() => portTransport(openWorkerPort(OFFSCREEN_CALLS_PORT))),
  openPort: openWorkerPort,
  hold: (reason) => idle.hold(reason),
  packagedFile,
};

watchUncaught(globalThis, (fault) => {
  const { during, name, message, stack } = rawEntry({ source: "offscreen", ...fault }, Date.now());
  host.worker
    .of<OffscreenFaultsContract>("offscreen.faults")
    .call("report", { during, name, message, stack })
    .catch((failure: unknown) => console.warn("An error could not be logged.", failure));
});
registerOffscreenParts(host);
router.register(offscreenHealthContract, { ping: () => ({ busy: idle.reasons() }) });

let current: Transport | null = null;
function connect(): void {
  // Each message from the worker is use, so the time without use begins anew.
  const transport = tapped(portTransport(openWorkerPort(WORKER_CALLS_PORT)), () => idle.hold("a message")());
  // A worker that asks has no port any more, whatever the old one believes.
  current?.close();
  current = transport;
  router.serve(transport, { kind: "worker", ...NOWHERE });
}

onReconnectRequest(connect);
connect();
