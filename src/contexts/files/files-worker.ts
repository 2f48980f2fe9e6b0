import "../jitless";

import { browserFileSystem } from "@/files/store/opfs";
import { createFileStore } from "@/files/store/serve";
import { whenFree } from "@/files/store/when-free";
import { NOWHERE } from "@/rpc/caller";
import { Router } from "@/rpc/server";
import { messagePortTransport } from "@/rpc/transports/message-port";

/*
 * The dedicated worker of the file store, started by the offscreen document, which hands it one port. Only one store may be at work:
 * the one before may still be on its way out, and its locks with it.
 */
const LOCK = "moggy.files";

addEventListener("message", ({ ports: [port] }: MessageEvent) => {
  if (!port) return;
  const router = new Router();
  const store = createFileStore({ files: browserFileSystem, id: () => crypto.randomUUID() });
  router.register(store.contract, store.handlers);
  navigator.locks
    .request(LOCK, async () => {
      const { temps, changes } = await whenFree(() => store.core.sweep());
      if (temps + changes > 0) {
        console.info(
          `An earlier end left ${temps} unfinished writes and ${changes} changes; they are settled.`,
        );
      }
      router.serve(messagePortTransport(port), { kind: "worker", ...NOWHERE });
      // The lock is held until the worker ends.
      await new Promise<never>(() => undefined);
    })
    .catch((error: unknown) => {
      // Thrown where the document that started this hears it: of what the browser throws, it would hear no words.
      reportError(error instanceof Error ? new Error(`${error.name}: ${error.message}`) : error);
    });
});
