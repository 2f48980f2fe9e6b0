import { EventEmitter } from "node:events";
import { expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { RpcClient } from "@/rpc/client";
import { call, contract, stream } from "@/rpc/contract";
import { NamedError } from "@/rpc/errors";
import { Router, type RouterOptions } from "@/rpc/server";
import { memoryTransportPair } from "@/rpc/transport";
import { acceptMux, MuxClient } from "@/rpc/transports/mux";
import type { PortLike } from "@/rpc/transports/port";

const store = contract("store", "page", {
  put: call(z.object({})).returns<string>(),
  follow: stream(z.object({})).yields<number>(),
  break: call(z.object({})).returns<void>(),
});

function setUp(options: RouterOptions) {
  const done: string[] = [];
  const router = new Router(options);
  router.register(store, {
    put: () => {
      done.push("put");
      return "stored";
    },
    follow: async function* () {
      done.push("follow");
      yield 1;
    },
    break: () => {
      throw new Error("something inside");
    },
  });
  const place = { tabId: 1, frameId: 0, documentId: "d", origin: "o", url: "u", incognito: false };
  const client = new RpcClient(() => {
    const [near, far] = memoryTransportPair();
    router.serve(far, { kind: "page", ...place });
    return near;
  });
  return { done, client: client.of<typeof store>("store") };
}

it("a call that is not admitted yet waits, and nothing of it is done before", async () => {
  let admit: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    admit = resolve;
  });
  const { done, client } = setUp({ admit: (method) => (method === "store.put" ? gate : undefined) });
  const putting = client.call("put", {});
  for await (const item of client.stream("follow", {})) expect(item).toBe(1);
  expect(done).toEqual(["follow"]);
  admit();
  expect(await putting).toBe("stored");
});

it("a call or stream that is refused ends with the name of the refusal, undone", async () => {
  const { done, client } = setUp({
    admit: () => Promise.reject(new NamedError("DowngradeError", "The data is newer.")),
  });
  await expect(client.call("put", {})).rejects.toMatchObject({ name: "DowngradeError" });
  const follow = async () => {
    for await (const item of client.stream("follow", {})) expect(item).toBeUndefined();
  };
  await expect(follow()).rejects.toMatchObject({ name: "DowngradeError", message: "The data is newer." });
  expect(done).toEqual([]);
});

it("what a call ended with is explained by who knows better", async () => {
  const { client } = setUp({ explain: () => new NamedError("DowngradeError", "The data is newer.") });
  await expect(client.call("break", {})).rejects.toMatchObject({ name: "DowngradeError" });
});

it.each([
  [new NamedError("MigrationError", "The data could not be updated."), "MigrationError"],
  [new TypeError("internals of the worker"), "PermissionDeniedError"],
])(
  "a script's channel whose owner cannot be found out says why only when it is meant to be read: %s",
  async (error, name) => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const ends = [new EventEmitter(), new EventEmitter()];
    const port = (mine: number): PortLike => ({
      postMessage: (message) =>
        queueMicrotask(() => ends[1 - mine]?.emit("message", structuredClone(message))),
      disconnect: () => undefined,
      onMessage: { addListener: (listener) => void ends[mine]?.on("message", listener) },
      onDisconnect: { addListener: (listener) => void ends[mine]?.on("disconnect", listener) },
    });
    const mux = new MuxClient(() => {
      acceptMux(
        port(1),
        () => Promise.reject(error),
        () => {
          throw new Error("nobody may be served");
        },
      );
      return port(0);
    });
    const client = new RpcClient(() => mux.channel("token")).of<typeof store>("store");
    const failure = await client.call("put", {}).then(
      () => null,
      (failed: Error) => failed,
    );
    expect(failure?.name).toBe(name);
    expect(failure?.message).not.toContain("internals");
  },
);
