import type { RpcClient } from "@/rpc/client";
import type { Router } from "@/rpc/server";
import type { PortLike } from "@/rpc/transports/port";

/** What a part of the offscreen document gets. Registered by one line in src/contexts/offscreen/main.ts. */
export interface OffscreenHost {
  /** For contracts with the audience "worker". */
  router: Router;
  /** Calls to the worker, for contracts with the audience "offscreen". It wakes the worker. */
  worker: RpcClient;
  /** Opens a port to the worker by name. */
  openPort(name: string): PortLike;
  /** Keeps the document from closing itself while something of value is in it; returns what ends that. */
  hold(reason: string): () => void;
  /** Text of a file of the extension's package. */
  packagedFile(file: string): Promise<string>;
}
