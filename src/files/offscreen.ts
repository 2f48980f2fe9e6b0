import type { OffscreenHost } from "@/offscreen/host";
import type { CallContext } from "@/rpc/caller";
import { RpcClient } from "@/rpc/client";
import type { Handlers } from "@/rpc/contract";
import type { Transport } from "@/rpc/transport";
import { messagePortTransport } from "@/rpc/transports/message-port";
import { storeUnavailable } from "./errors";
import { type FileStoreContract, fileMethods, fileStoreContract, REPEATABLE } from "./store/contract";

const WORKER_FILE = "/files-worker.js";
/** Starts that failed one after the other, after which what waits fails. */
const MOST_FAILURES = 3;

/** What is used of a dedicated worker. */
export interface StoreWorker {
  postMessage(message: unknown, transfer: Transferable[]): void;
  terminate(): void;
  onerror: ((event: ErrorEvent) => unknown) | null;
}

/**
 * The part of the offscreen document that hosts the file store: in a worker of its own, started by the first call, since only a dedicated
 * worker has sync access handles, and since a long read or write blocks it.
 */
export function registerFiles(
  { router, hold }: Pick<OffscreenHost, "router" | "hold">,
  start: () => StoreWorker = () => new Worker(WORKER_FILE, { name: "files" }),
): void {
  const store = new RpcClient(workerConnection(start));
  const handlers = Object.fromEntries(
    Object.keys(fileMethods).map((method) => [
      method,
      async (input: unknown, { signal }: CallContext) => {
        const release = hold(`files.${method}`);
        try {
          const repeatable = REPEATABLE.has(method as keyof typeof fileMethods);
          return await store.call(`${fileStoreContract.name}.${method}`, input, { signal, repeatable });
        } finally {
          release();
        }
      },
    ]),
  );
  router.register(fileStoreContract, handlers as Handlers<FileStoreContract, CallContext>);
}

/** Starts a worker for each connection, and ends the connection when the worker breaks. */
function workerConnection(start: () => StoreWorker): () => Transport {
  let failures = 0;
  let lastFailure = "";
  return () => {
    if (failures >= MOST_FAILURES) {
      failures = 0;
      throw storeUnavailable(
        `its worker does not start (${lastFailure}). Try again; if it stays so, start the browser anew.`,
      );
    }
    const worker = start();
    const { port1, port2 } = new MessageChannel();
    const inner = messagePortTransport(port1);
    const outer: Transport = {
      send: (message) => inner.send(message),
      close: () => {
        inner.close();
        worker.terminate();
      },
      onMessage: () => undefined,
      onClose: () => undefined,
    };
    inner.onMessage = (message) => {
      failures = 0;
      outer.onMessage(message);
    };
    worker.onerror = ({ message }) => {
      failures += 1;
      lastFailure = message || "no reason was given";
      worker.onerror = null;
      worker.terminate();
      outer.onClose();
    };
    worker.postMessage(null, [port2]);
    return outer;
  };
}
