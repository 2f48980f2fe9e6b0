import { MessageChannel } from "node:worker_threads";
import { afterEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { RpcClient } from "@/rpc/client";
import { call, contract, stream } from "@/rpc/contract";
import { Router } from "@/rpc/server";
import { type MessagePortLike, messagePortTransport } from "@/rpc/transports/message-port";

const echo = contract("echo", "page", {
  say: call(z.object({ bytes: z.instanceof(Uint8Array) })).returns<Map<string, Uint8Array>>(),
  hang: call(z.object({})).returns<void>(),
  count: stream(z.object({ to: z.number() })).yields<number>(),
});

const open: Array<{ close(): void }> = [];
afterEach(() => {
  for (const port of open.splice(0)) port.close();
});

function setUp() {
  const { port1, port2 } = new MessageChannel();
  open.push(port1, port2);
  const aborted = vi.fn();
  const router = new Router();
  router.register(echo, {
    say: ({ bytes }) => new Map([["bytes", bytes]]),
    hang: (_input, { signal }) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve(aborted()))),
    async *count({ to }) {
      for (let n = 0; n < to; n++) yield n;
    },
  });
  const place = { tabId: -1, frameId: 0, documentId: "", origin: "null", url: "", incognito: false };
  router.serve(messagePortTransport(port2 as unknown as MessagePortLike), { kind: "page", ...place });
  const near = messagePortTransport(port1 as unknown as MessagePortLike);
  return { near, api: new RpcClient(() => near).of<typeof echo>("echo"), aborted };
}

it("carries calls and streams, structured clones as they are", async () => {
  const { api } = setUp();
  const answer = await api.call("say", { bytes: new Uint8Array([1, 2, 3]) });
  expect(answer.get("bytes")).toEqual(new Uint8Array([1, 2, 3]));
  const got: number[] = [];
  for await (const n of api.stream("count", { to: 500 })) got.push(n);
  expect(got).toHaveLength(500);
});

it("tells the far side when it closes, which aborts what runs there", async () => {
  const { near, api, aborted } = setUp();
  await api.call("say", { bytes: new Uint8Array() });
  void api.call("hang", {});
  await api.call("say", { bytes: new Uint8Array() });
  near.close();
  await vi.waitFor(() => expect(aborted).toHaveBeenCalledTimes(1));
});
