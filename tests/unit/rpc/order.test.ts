import { expect, it } from "vitest";
import * as z from "zod/mini";
import type { PageCaller } from "@/rpc/caller";
import { RpcClient } from "@/rpc/client";
import { call, contract } from "@/rpc/contract";
import { Router } from "@/rpc/server";
import { memoryTransportPair, type Transport } from "@/rpc/transport";

const caller: PageCaller = {
  kind: "page",
  tabId: 1,
  frameId: 0,
  documentId: "d",
  origin: "https://a.test",
  url: "https://a.test/",
  incognito: false,
};

it("a call made while a lost connection comes back does not overtake those that go again", async () => {
  const log = contract("log", "page", { add: call(z.object({ n: z.number() })).returns<void>() });
  const seen: number[] = [];
  const ends: Transport[] = [];
  let answering = false;
  const router = new Router();
  router.register(log, {
    add: async ({ n }) => {
      // The first worker dies before it answers anything.
      if (!answering) return new Promise<void>(() => undefined);
      seen.push(n);
    },
  });
  const client = new RpcClient(() => {
    const [page, worker] = memoryTransportPair();
    ends.push(page);
    router.serve(worker, caller);
    return page;
  });
  const add = (n: number) => client.of<typeof log>("log").call("add", { n }, { repeatable: true });
  const first = [add(1), add(2)];
  await new Promise((resolve) => setTimeout(resolve, 5));
  answering = true;
  ends[0]?.onClose();
  await Promise.all([...first, add(3)]);
  expect(seen).toEqual([1, 2, 3]);
});
