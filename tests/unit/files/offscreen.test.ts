import { FakeDisk } from "@tests/fixtures/files/fake-opfs";
import { nextId } from "@tests/fixtures/files/in-process";
import { expect, it } from "vitest";
import { registerFiles, type StoreWorker } from "@/files/offscreen";
import type { FileStoreContract } from "@/files/store/contract";
import { createFileStore } from "@/files/store/serve";
import { NOWHERE } from "@/rpc/caller";
import { RpcClient } from "@/rpc/client";
import { Router } from "@/rpc/server";
import { memoryTransportPair } from "@/rpc/transport";
import { messagePortTransport } from "@/rpc/transports/message-port";

/** The part of the offscreen document, with workers that are none. */
function setUp(serves: (worker: number) => boolean = () => true) {
  const disk = new FakeDisk();
  const workers: StoreWorker[] = [];
  const held: string[] = [];
  const start = (): StoreWorker => {
    const worker: StoreWorker = {
      postMessage(_message, [port]) {
        if (!serves(workers.length - 1)) {
          queueMicrotask(() => worker.onerror?.({ message: "it is broken" } as ErrorEvent));
          return;
        }
        const router = new Router();
        const store = createFileStore({ files: disk.boot(), id: nextId });
        router.register(store.contract, store.handlers);
        router.serve(messagePortTransport(port as MessagePort), { kind: "worker", ...NOWHERE });
      },
      terminate: () => undefined,
      onerror: null,
    };
    workers.push(worker);
    return worker;
  };
  const router = new Router();
  registerFiles(
    {
      router,
      hold: (reason) => {
        held.push(reason);
        return () => void held.splice(held.indexOf(reason), 1);
      },
    },
    start,
  );
  const [near, far] = memoryTransportPair();
  router.serve(far, { kind: "worker", ...NOWHERE });
  const client = new RpcClient(() => near).of<FileStoreContract>("files.store");
  return { client, workers, held, disk };
}

const place = { area: "workspace", path: "f" } as const;
const content = new Uint8Array([1]);

it("starts one worker, with the first call, and holds the document while calls are under way", async () => {
  const { client, workers, held } = setUp();
  expect(workers).toHaveLength(0);
  const calls = [client.call("write", { op: "1", place, content }), client.call("usage", {})];
  await Promise.all(calls);
  expect(workers).toHaveLength(1);
  expect(held).toEqual([]);
});

it("starts another when one breaks, and makes again what may be made again", async () => {
  const { client, workers, disk } = setUp((worker) => worker > 0);
  await client.call("write", { op: "1", place, content });
  expect(workers).toHaveLength(2);
  expect(Object.keys(disk.texts())).toEqual(["workspace/f"]);
  workers[1]?.onerror?.({ message: "it broke" } as ErrorEvent);
  expect(await client.call("read", { place })).toMatchObject({ size: 1 });
  expect(workers).toHaveLength(3);
});

it("says so when none starts, and tries again at the next call", async () => {
  let works = false;
  const { client } = setUp(() => works);
  await expect(client.call("usage", {})).rejects.toMatchObject({
    name: "StoreUnavailableError",
    message: expect.stringContaining("it is broken"),
  });
  works = true;
  await client.call("usage", {});
});
