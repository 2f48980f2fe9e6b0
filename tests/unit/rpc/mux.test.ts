import { EventEmitter } from "node:events";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import type { Caller } from "@/rpc/caller";
import { RpcClient } from "@/rpc/client";
import { call, contract } from "@/rpc/contract";
import { Router } from "@/rpc/server";
import { acceptMux, MuxClient } from "@/rpc/transports/mux";
import type { PortLike } from "@/rpc/transports/port";

const who = contract("who", "script", { am: call(z.object({})).returns<string>() });

function caller(uuid: string): Caller {
  return {
    kind: "script",
    uuid,
    name: uuid,
    grants: new Set(),
    tabId: 1,
    frameId: 0,
    documentId: "d",
    origin: "https://a.test",
    url: "https://a.test/",
    incognito: false,
  };
}

/** Two joined ports, as the browser makes them: messages are cloned and arrive later. */
function portPair(): [PortLike, PortLike] {
  const ends = [new EventEmitter(), new EventEmitter()];
  let open = true;
  const port = (mine: number): PortLike => ({
    postMessage(message) {
      if (!open) throw new Error("Attempting to use a disconnected port object");
      const copy: unknown = structuredClone(message);
      queueMicrotask(() => open && ends[1 - mine]?.emit("message", copy));
    },
    disconnect() {
      open = false;
      ends[1 - mine]?.emit("disconnect");
    },
    onMessage: { addListener: (listener) => void ends[mine]?.on("message", listener) },
    onDisconnect: { addListener: (listener) => void ends[mine]?.on("disconnect", listener) },
  });
  return [port(0), port(1)];
}

function setUp(tokens: Record<string, string>) {
  const router = new Router();
  router.register(who, { am: (_input, ctx) => (ctx.caller.kind === "script" ? ctx.caller.uuid : "page") });
  const workerPorts: PortLike[] = [];
  const mux = new MuxClient(() => {
    const [near, far] = portPair();
    workerPorts.push(far);
    const identify = async (token: string) => (tokens[token] ? caller(tokens[token]) : null);
    acceptMux(far, identify, (transport, who_) => router.serve(transport, who_));
    return near;
  });
  const client = (token: string) => new RpcClient(() => mux.channel(token));
  return { client, workerPorts };
}

describe("many scripts on one port", () => {
  it("tells each channel's script by its token, over one port", async () => {
    const { client, workerPorts } = setUp({ t1: "one", t2: "two" });
    const [a, b] = [client("t1"), client("t2")];
    await expect(Promise.all([a.call("who.am", {}), b.call("who.am", {})])).resolves.toEqual(["one", "two"]);
    expect(workerPorts).toHaveLength(1);
  });

  it("refuses a token of nobody by name, and does not come back for ever", async () => {
    const { client, workerPorts } = setUp({ t1: "one" });
    await expect(client("forged").call("who.am", {}, { repeatable: true })).rejects.toMatchObject({
      name: "PermissionDeniedError",
    });
    expect(workerPorts).toHaveLength(1);
  });

  it("settles every call of a burst that comes before it is known whose the channel is", async () => {
    const { client } = setUp({ t1: "one" });
    const script = client("t1");
    const calls = Array.from({ length: 1500 }, () => script.call("who.am", {}));
    const ends = await Promise.allSettled(calls);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1024);
    for (const end of ends.slice(1024)) {
      expect(end).toMatchObject({ status: "rejected", reason: { name: "TooManyCallsError" } });
    }
    await expect(script.call("who.am", {})).resolves.toBe("one");
  });

  it("comes back with all channels after the worker died", async () => {
    const { client, workerPorts } = setUp({ t1: "one", t2: "two" });
    const [a, b] = [client("t1"), client("t2")];
    await a.call("who.am", {});
    const [x, y] = [a.call("who.am", {}, { repeatable: true }), b.call("who.am", {}, { repeatable: true })];
    workerPorts[0]?.disconnect();
    await expect(Promise.all([x, y])).resolves.toEqual(["one", "two"]);
    expect(workerPorts).toHaveLength(2);
  });

  it("ignores frames for channels that were never opened, and messages that are none", async () => {
    const [near, far] = portPair();
    const serve = vi.fn();
    acceptMux(far, async () => caller("one"), serve);
    for (const message of [
      null,
      5,
      { c: 1, f: { t: "call", id: 1, m: "who.am" } },
      { c: "1", hello: "t" },
      { c: 1, hello: 5 },
    ]) {
      near.postMessage(message);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(serve).not.toHaveBeenCalled();
  });

  it("does not let a second hello change whose a channel is", async () => {
    const [near, far] = portPair();
    const serve = vi.fn();
    acceptMux(far, async (token) => caller(token), serve);
    near.postMessage({ c: 1, hello: "one" });
    near.postMessage({ c: 1, hello: "two" });
    await vi.waitFor(() => expect(serve).toHaveBeenCalled());
    await new Promise((resolve) => setImmediate(resolve));
    expect(serve).toHaveBeenCalledTimes(1);
    expect(serve.mock.calls[0]?.[1]).toMatchObject({ uuid: "one" });
  });
});
