import { memorySession } from "@tests/fixtures/memory-session";
import { beforeEach, describe, expect, it } from "vitest";
import type { OffscreenLink } from "@/offscreen/types";
import { DisconnectedError, NamedError } from "@/rpc/errors";
import { SandboxCallers } from "@/sandbox/callers";
import type { HostRun } from "@/sandbox/contract/host";
import { SandboxService } from "@/sandbox/service";
import type { SandboxOutcome, SandboxRunRequest } from "@/sandbox/types";

const DONE: SandboxOutcome = { ok: true, value: 1, console: [], dropped: 0, ranMs: 1 };
const REQUEST: SandboxRunRequest = {
  runId: "run-1",
  owner: { uuid: "run:test", name: "test", grants: ["GM_setValue", "fetch"] },
  code: "return 1",
  name: "code.js",
};

type Answer = (spec: HostRun) => Promise<SandboxOutcome | { unknown: true }>;
let runs: HostRun[];
let calls: Array<[method: string, input: unknown]>;
let answers: Answer[];
/** Runs whose time is held. */
let held: string[];
let session: ReturnType<typeof memorySession>;
let now: number;

beforeEach(() => {
  runs = [];
  calls = [];
  answers = [];
  held = [];
  session = memorySession();
  now = 1_000;
});

/** A worker newly started, on the same session storage. */
function worker() {
  let tokens = 0;
  const callers = new SandboxCallers({
    session,
    scriptsRead: async () => undefined,
    grantsOf: () => undefined,
    newToken: () => `token-${tokens++}`,
    now: () => now,
  });
  const offscreen = {
    of: () => ({
      call: async (method: string, input: never) => {
        if (method !== "run") return void calls.push([method, input]);
        runs.push(input);
        const answer = answers.shift();
        if (!answer) throw new Error("No more runs were expected.");
        return answer(input);
      },
      async *stream(_method: string, { runId }: { runId: string }, { signal }: { signal: AbortSignal }) {
        held.push(runId);
        yield "held";
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        held.pop();
      },
    }),
  } as unknown as Pick<OffscreenLink, "of">;
  const report = (during: string, error: unknown) => {
    throw new Error(`${during}: ${String(error)}`);
  };
  const service = new SandboxService({ offscreen, callers, version: "1", now: () => now, report });
  return { callers, service };
}

const lost: Answer = async () => {
  throw new DisconnectedError("sandbox.host.run");
};

describe("one-shot code, as the worker sees it", () => {
  it("gets the granted names and no others, and a token that nobody else has", async () => {
    answers = [async () => DONE];
    expect(await worker().service.run(REQUEST)).toEqual(DONE);
    expect(runs[0]?.payload).toMatchObject({ names: ["GM_info", "GM", "GM_setValue"], fetch: true });
    answers = [async () => DONE];
    await worker().service.run({ ...REQUEST, runId: "run-2", owner: { ...REQUEST.owner, grants: [] } });
    expect(runs[1]?.payload).toMatchObject({ names: [], fetch: false });
  });

  it("runs again by itself when the document was lost before it called anything", async () => {
    answers = [lost, lost, async () => DONE];
    expect(await worker().service.run(REQUEST)).toEqual(DONE);
    expect(runs.map(({ joinOnly }) => joinOnly)).toEqual([false, false, false]);
    expect(new Set(runs.map(({ token }) => token)).size).toBe(1);
  });

  it("fails by name when it had called: what it did is not known, and it is not begun again", async () => {
    const { callers, service } = worker();
    answers = [
      async ({ token }) => {
        await callers.identify(token);
        throw new DisconnectedError("sandbox.host.run");
      },
      async () => ({ unknown: true }),
    ];
    await expect(service.run(REQUEST)).rejects.toMatchObject({ name: "InterruptedError" });
    expect(runs.map(({ joinOnly }) => joinOnly)).toEqual([false, true]);
  });

  it("is joined by the next worker, also when it had called", async () => {
    const first = worker();
    answers = [
      async ({ token }) => {
        await first.callers.identify(token);
        return new Promise(() => undefined);
      },
    ];
    void first.service.run(REQUEST);
    await expect.poll(async () => (await first.callers.find("run-1", "run"))?.called).toBe(true);
    answers = [async () => DONE];
    expect(await worker().service.run(REQUEST)).toEqual(DONE);
    expect(runs.map(({ joinOnly, token }) => [joinOnly, token])).toEqual([
      [false, "token-0"],
      [true, "token-0"],
    ]);
  });

  it("gives up when it is lost again and again", async () => {
    answers = [lost, lost, lost, lost, lost];
    await expect(worker().service.run(REQUEST)).rejects.toMatchObject({
      name: "SandboxUnavailableError",
      message: expect.stringContaining("none of its functions"),
    });
  });

  it("passes other failures on as they are", async () => {
    answers = [
      async () => {
        throw new NamedError("SandboxUnavailableError", "none");
      },
    ];
    await expect(worker().service.run(REQUEST)).rejects.toMatchObject({ name: "SandboxUnavailableError" });
  });

  it("is cancelled by its signal", async () => {
    const abort = new AbortController();
    answers = [
      async () => {
        abort.abort();
        return { ...DONE, ok: false, error: { name: "AbortError", message: "" } };
      },
    ];
    await expect(worker().service.run(REQUEST, abort.signal)).rejects.toMatchObject({ name: "AbortError" });
    expect(calls).toEqual([["cancel", { runId: "run-1" }]]);
    await expect(worker().service.run(REQUEST, AbortSignal.abort())).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(runs.length).toBe(1);
  });

  it.each([0, -1, Number.NaN, 600_001])("is not begun with a limit of %s ms", async (timeoutMs) => {
    await expect(worker().service.run({ ...REQUEST, timeoutMs })).rejects.toMatchObject({
      name: "TypeError",
    });
  });

  it("has its time held while a person is asked", async () => {
    const release = worker().service.waitForPerson("run-1");
    await expect.poll(() => held).toEqual(["run-1"]);
    release();
    release();
    await expect.poll(() => held).toEqual([]);
  });

  it("is forgotten when it is acknowledged, with its token", async () => {
    const { callers, service } = worker();
    answers = [async () => DONE];
    await service.run(REQUEST);
    const token = runs[0]?.token ?? "";
    const caller = await callers.identify(token);
    expect(caller).toMatchObject({
      kind: "script",
      uuid: "run:test",
      documentId: "sandbox:run-1",
      origin: "null",
    });
    expect([...(caller?.grants ?? [])]).toEqual(["GM_setValue", "fetch"]);
    await service.acknowledge("run-1");
    expect(await callers.identify(token)).toBeNull();
    expect(caller?.gone).toBe(true);
    expect([...(caller?.grants ?? [])]).toEqual([]);
  });
});
