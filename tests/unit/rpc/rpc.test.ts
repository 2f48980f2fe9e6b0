import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import type { ScriptCaller } from "@/rpc/caller";
import { RpcClient } from "@/rpc/client";
import { call, contract, stream } from "@/rpc/contract";
import { NamedError } from "@/rpc/errors";
import { Router } from "@/rpc/server";
import { memoryTransportPair, type Transport } from "@/rpc/transport";

const math = contract("math", "script", {
  add: call(z.object({ a: z.number(), b: z.number() })).returns<number>(),
  secret: call(z.object({}), ["GM_secret"]).returns<string>(),
  fail: call(z.object({})).returns<void>(),
  hang: call(z.object({})).returns<void>(),
  count: stream(z.object({ from: z.number(), to: z.number() })).yields<number>(),
});

const admin = contract("admin", "page", { wipe: call(z.object({})).returns<void>() });

function script(grants: string[] = []): ScriptCaller {
  return {
    kind: "script",
    uuid: "u",
    name: "n",
    grants: new Set(grants),
    tabId: 1,
    frameId: 0,
    documentId: "d",
    origin: "https://a.test",
    url: "https://a.test/",
    incognito: false,
  };
}

/** A router and a client whose connection a test can cut, as a dying worker does. */
function setUp(grants: string[] = []) {
  const seen = { aborted: 0, produced: 0, adds: 0 };
  const router = new Router();
  router.register(math, {
    add: ({ a, b }) => {
      seen.adds += 1;
      return a + b;
    },
    secret: () => "s",
    fail: () => {
      throw new NamedError("QuotaExceededError", "The disk is full.", { code: "disk", data: { free: 0 } });
    },
    hang: (_input, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          seen.aborted += 1;
          resolve();
        });
      }),
    async *count({ from, to }, { signal }) {
      signal.addEventListener("abort", () => {
        seen.aborted += 1;
      });
      for (let n = from; n < to; n++) {
        seen.produced += 1;
        yield n;
      }
    },
  });
  router.register(admin, { wipe: () => undefined });
  const servers: Transport[] = [];
  const client = new RpcClient(() => {
    const [near, far] = memoryTransportPair();
    router.serve(far, script(grants));
    servers.push(far);
    return near;
  });
  return { client, api: client.of<typeof math>("math"), seen, servers, cut: () => servers.at(-1)?.close() };
}

describe("calls", () => {
  it("answers with the handler's value", async () => {
    await expect(setUp().api.call("add", { a: 2, b: 3 })).resolves.toBe(5);
  });

  it("keeps name, message, code and data of an error", async () => {
    await expect(setUp().api.call("fail", {})).rejects.toMatchObject({
      name: "QuotaExceededError",
      message: "The disk is full.",
      code: "disk",
      data: { free: 0 },
    });
  });

  it("refuses input that the schema does not take, naming the method, the place and what is wrong, in words", async () => {
    const { client } = setUp();
    await expect(client.call("math.add", { a: "2" })).rejects.toMatchObject({
      name: "TypeError",
      message: expect.stringMatching(/"math\.add" .*: a: Invalid[^;{}]*; b: Invalid[^;{}]*$/),
    });
    await expect(client.call("math.add", null)).rejects.toMatchObject({
      message: expect.stringMatching(/: it: Invalid[^;{}]*$/),
    });
  });

  it("refuses a script without the grant, and names the grant", async () => {
    await expect(setUp().api.call("secret", {})).rejects.toMatchObject({
      name: "PermissionDeniedError",
      message: /GM_secret/,
    });
    await expect(setUp(["GM_secret"]).api.call("secret", {})).resolves.toBe("s");
  });

  it("refuses what is meant for our own pages", async () => {
    const { client } = setUp(["GM_secret"]);
    await expect(client.call("admin.wipe", {})).rejects.toMatchObject({ name: "PermissionDeniedError" });
  });

  it("refuses an unknown method", async () => {
    const { client } = setUp();
    await expect(client.call("math.nothing", {})).rejects.toMatchObject({ name: "NotFoundError" });
    await expect(client.call("toString", {})).rejects.toMatchObject({ name: "NotFoundError" });
  });

  it("carries an abort to the handler and rejects with AbortError", async () => {
    const { api, seen } = setUp();
    const abort = new AbortController();
    const pending = api.call("hang", {}, { signal: abort.signal });
    await Promise.resolve();
    abort.abort();
    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
    await vi.waitFor(() => expect(seen.aborted).toBe(1));
  });

  it("loads a lazy part on the first call under its prefix, once", async () => {
    const router = new Router();
    const late = contract("late.part", "script", { ping: call(z.object({})).returns<string>() });
    const load = vi.fn(async () => router.register(late, { ping: () => "pong" }));
    router.registerLazy("late.", load);
    const [near, far] = memoryTransportPair();
    router.serve(far, script());
    const client = new RpcClient(() => near);
    await expect(client.call("late.part.ping", {})).resolves.toBe("pong");
    await expect(client.call("late.part.ping", {})).resolves.toBe("pong");
    expect(load).toHaveBeenCalledTimes(1);
  });
});

describe("a lost connection", () => {
  afterEach(() => void vi.useRealTimers());

  it("fails a call that may not be repeated, and sends the other again", async () => {
    const { api, cut, seen } = setUp();
    const once = api.call("hang", {});
    const again = api.call("add", { a: 1, b: 1 }, { repeatable: true });
    cut();
    await expect(once).rejects.toMatchObject({ name: "DisconnectedError", message: /hang/ });
    await expect(again).resolves.toBe(2);
    expect(seen.adds).toBeGreaterThan(0);
  });

  it("aborts the handlers of the lost connection", async () => {
    const { api, seen, cut, servers } = setUp();
    const pending = api.call("hang", {});
    await Promise.resolve();
    cut();
    // Whoever cuts is not told himself; the browser tells both ends.
    servers.at(-1)?.onClose();
    await expect(pending).rejects.toMatchObject({ name: "DisconnectedError" });
    await vi.waitFor(() => expect(seen.aborted).toBe(1));
  });

  it("stays disconnected when nothing is under way, until the next call", async () => {
    vi.useFakeTimers();
    const { api, cut, servers } = setUp();
    await api.call("add", { a: 1, b: 1 });
    cut();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(servers).toHaveLength(1);
    await expect(api.call("add", { a: 1, b: 2 })).resolves.toBe(3);
    expect(servers).toHaveLength(2);
  });
});

describe("streams", () => {
  it("delivers all items in order and ends", async () => {
    const got: number[] = [];
    for await (const n of setUp().api.stream("count", { from: 0, to: 5000 })) got.push(n);
    expect(got).toEqual(Array.from({ length: 5000 }, (_, i) => i));
  });

  it("holds the producer back while nobody reads", async () => {
    const { api, seen } = setUp();
    const numbers = api.stream("count", { from: 0, to: 100_000 });
    await numbers.next();
    await vi.waitFor(() => expect(seen.produced).toBeGreaterThan(100));
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen.produced).toBeLessThan(400);
    await numbers.return?.();
  });

  it("ends the producer when the reader leaves early", async () => {
    const { api, seen } = setUp();
    for await (const n of api.stream("count", { from: 0, to: 1_000_000 })) if (n === 10) break;
    await vi.waitFor(() => expect(seen.aborted).toBe(1));
    expect(seen.produced).toBeLessThan(1000);
  });

  it("goes on from the last item after the worker died, losing and doubling nothing", async () => {
    const { api, cut } = setUp();
    const got: number[] = [];
    const to = 1000;
    const numbers = api.stream(
      "count",
      { from: 0, to },
      { resume: (last) => ({ from: (last ?? -1) + 1, to }) },
    );
    for await (const n of numbers) {
      got.push(n);
      if (n % 300 === 299) cut();
    }
    expect(got).toEqual(Array.from({ length: to }, (_, i) => i));
  });

  it("ends with DisconnectedError when it cannot be resumed", async () => {
    const { api, cut } = setUp();
    const numbers = api.stream("count", { from: 0, to: 100_000 });
    await numbers.next();
    cut();
    const drain = async () => {
      for await (const _ of numbers);
    };
    await expect(drain()).rejects.toMatchObject({ name: "DisconnectedError" });
  });
});

describe("hostile frames", () => {
  it.each([
    null,
    1,
    "call",
    {},
    { t: "call" },
    { t: "call", id: "1", m: "math.add" },
    { t: "call", id: 1, m: 5 },
    { t: "open", id: 1, m: "math.count", a: { from: 0, to: 1 }, w: -1 },
    { t: "open", id: 1, m: "math.count", a: { from: 0, to: 1 }, w: 1e9 },
    { t: "credit", id: 1, n: Number.NaN },
    { t: "cancel", id: 99 },
    { t: "ok", id: 1, v: "forged" },
  ])("ignores %j", async (frame) => {
    const { client, servers, api } = setUp();
    await api.call("add", { a: 1, b: 1 });
    servers.at(-1)?.onMessage(frame);
    await expect(client.call("math.add", { a: 1, b: 1 })).resolves.toBe(2);
  });

  it("limits what one connection has under way", async () => {
    const { api } = setUp();
    const pending = Array.from({ length: 1024 }, () => api.call("hang", {}));
    await expect(api.call("add", { a: 1, b: 1 })).rejects.toMatchObject({ name: "TooManyCallsError" });
    expect(pending).toHaveLength(1024);
  });
});
