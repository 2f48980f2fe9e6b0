import { beforeEach, describe, expect, it } from "vitest";
import type { OffscreenHost } from "@/offscreen/host";
import { NOWHERE } from "@/rpc/caller";
import { RpcClient } from "@/rpc/client";
import { Router } from "@/rpc/server";
import { memoryTransportPair, type Transport } from "@/rpc/transport";
import type { HostRun, SandboxHostContract } from "@/sandbox/contract/host";
import { registerSandboxHost } from "@/sandbox/host/part";
import { runPayload } from "@/sandbox/payload";
import type { SandboxOutcome } from "@/sandbox/types";

const LIMIT_MS = 150;

let router: Router;

beforeEach(() => {
  router = new Router();
  const host = { router, worker: new RpcClient(() => memoryTransportPair()[0]), hold: () => () => undefined };
  registerSandboxHost(host as unknown as OffscreenHost, {
    // Code that is there and never ends.
    open: async (_boot, [, guest]) => {
      guest.postMessage({ t: "ready" });
      return { remove: () => guest.close() };
    },
  });
});

/** A worker, which can die. */
function worker() {
  let end: Transport | undefined;
  const rpc = new RpcClient(() => {
    const [near, far] = memoryTransportPair();
    router.serve(far, { kind: "worker", ...NOWHERE });
    end = near;
    return near;
  });
  return { host: rpc.of<SandboxHostContract>("sandbox.host"), die: () => end?.close() };
}

function run(runId: string): HostRun {
  const owner = { uuid: "run:test", name: "test", grants: [] };
  const payload = runPayload({ runId, owner, code: "", name: "code.js" }, "1");
  return { runId, token: "token", joinOnly: false, payload, args: undefined, timeoutMs: LIMIT_MS };
}

const errorOf = (outcome: SandboxOutcome | { unknown: true }) =>
  "ok" in outcome && !outcome.ok ? outcome.error.name : outcome;

describe("the time of a run", () => {
  it("does not count while it is held", async () => {
    const { host } = worker();
    const outcome = host.call("run", run("a"));
    const over = new AbortController();
    const held = host.stream("hold", { runId: "a" }, { signal: over.signal });
    expect((await held.next()).value).toBe("held");
    const first = await Promise.race([
      outcome,
      new Promise((done) => setTimeout(done, LIMIT_MS * 3, "runs")),
    ]);
    expect(first).toBe("runs");
    over.abort();
    expect(errorOf(await outcome)).toBe("TimeoutError");
  });

  it("counts again when the worker that held it dies", async () => {
    const first = worker();
    // Its answer never comes, as its worker is no more.
    first.host.call("run", run("a")).catch(() => undefined);
    const held = first.host.stream("hold", { runId: "a" });
    expect((await held.next()).value).toBe("held");
    first.die();
    const outcome = await worker().host.call("run", { ...run("a"), joinOnly: true });
    expect(errorOf(outcome)).toBe("TimeoutError");
  });

  it("is not held for a run that is not there", async () => {
    const held = worker().host.stream("hold", { runId: "none" });
    expect((await held.next()).done).toBe(true);
  });
});
