import { memorySession } from "@tests/fixtures/memory-session";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { OffscreenLink } from "@/offscreen/types";
import { BackgroundService, type WantedBackground } from "@/sandbox/background-service";
import { BackgroundStateStore } from "@/sandbox/background-state";
import { SandboxCallers } from "@/sandbox/callers";
import type { HostStart } from "@/sandbox/contract/host";
import type { BackgroundFrameState, GuestPayload } from "@/sandbox/types";

const script = (uuid: string, version = "1"): WantedBackground => ({
  uuid,
  name: uuid.toUpperCase(),
  grants: ["GM_setValue"],
  version,
});
const report = (id: string, frames: Array<[uuid: string, blamed: boolean]>) => ({
  report: id,
  kind: "hung" as const,
  silentMs: 10_000,
  frames: frames.map(([uuid, blamed]) => ({ uuid, blamed, lines: [] })),
});

let session: ReturnType<typeof memorySession>;
let wanted: WantedBackground[];
/** The document: what runs in it. */
let frames: Map<string, HostStart>;
let documents: number;
let errors: string[];
let now: number;
let watched: boolean | undefined;

beforeEach(() => {
  session = memorySession();
  wanted = [];
  frames = new Map();
  documents = 0;
  errors = [];
  now = 1_000_000;
});

function worker() {
  const callers = new SandboxCallers({
    session,
    scriptsRead: async () => undefined,
    grantsOf: (uuid) => wanted.find((one) => one.uuid === uuid)?.grants,
    newToken: () => crypto.randomUUID(),
    now: () => now,
  });
  const link = {
    of: () => ({
      call: async (method: string, input: never) => {
        documents = Math.max(1, documents);
        if (method === "frames")
          return [...frames.values()].map(
            ({ uuid, version }): BackgroundFrameState => ({ uuid, version, state: "running" }),
          );
        if (method === "start") frames.set((input as HostStart).uuid, input);
        if (method === "stop") frames.delete((input as HostStart).uuid);
        if (method === "console") return [];
        return undefined;
      },
    }),
    recreate: async () => {
      frames.clear();
      documents += 1;
    },
  } as unknown as Pick<OffscreenLink, "of" | "recreate">;
  const changed = vi.fn();
  const service = new BackgroundService({
    offscreen: link,
    callers,
    state: new BackgroundStateStore(session),
    wanted: async () => wanted,
    payload: async () => ({}) as GuestPayload,
    recordError: async ({ uuid, message }) => void errors.push(`${uuid} ${message}`),
    report: (during, error) => {
      throw new Error(`${during}: ${String(error)}`);
    },
    onChange: changed,
    watch: async (on) => {
      watched = on;
    },
    now: () => now,
  });
  return { service, callers, changed };
}

const running = () => [...frames.keys()].sort();

describe("background scripts, as the worker sees them", () => {
  it("cost no document when there are none", async () => {
    const { service } = worker();
    await service.ensure();
    await service.changed();
    expect(documents).toBe(0);
    expect(watched).toBe(false);
  });

  it("keep what the frame before wrote to the console until the next one writes", async () => {
    const { service } = worker();
    wanted = [script("a")];
    await service.ensure();
    const lines = [{ at: 1, level: "log" as const, text: "before the loop" }];
    await service.failed({ uuid: "a", name: "HungError", message: "It hung.", lines });
    expect(await service.console("a")).toEqual(lines);
  });

  it("are looked after from time to time while there are any, and come back though nothing told of the document's end", async () => {
    const { service } = worker();
    wanted = [script("a")];
    await service.ensure();
    expect(watched).toBe(true);
    frames.clear();
    // What the alarm does.
    await service.ensure();
    expect(running()).toEqual(["a"]);
    wanted = [];
    await service.changed();
    expect(watched).toBe(false);
  });

  it("start, begin anew when they were updated, and end when they are not wanted", async () => {
    const { service, callers } = worker();
    wanted = [script("a"), script("b")];
    await service.ensure();
    expect(running()).toEqual(["a", "b"]);
    wanted = [script("a", "2")];
    await service.changed();
    expect(running()).toEqual(["a"]);
    expect(frames.get("a")?.version).toBe("2");
    expect(await callers.find("b", "background")).toBeUndefined();
    wanted = [];
    await service.changed();
    expect(running()).toEqual([]);
  });

  it("are left alone by a worker that finds them running", async () => {
    wanted = [script("a")];
    await worker().service.ensure();
    const spec = frames.get("a");
    await worker().service.ensure();
    expect(frames.get("a")).toBe(spec);
  });

  it("come back when the document was lost", async () => {
    wanted = [script("a")];
    const { service } = worker();
    await service.ensure();
    frames.clear();
    service.lost();
    await expect.poll(running).toEqual(["a"]);
  });

  it("that hang are started later, the others at once, in a new document", async () => {
    wanted = [script("a"), script("b")];
    const { service, changed } = worker();
    await service.ensure();
    await service.fell(
      report("1", [
        ["a", true],
        ["b", false],
      ]),
    );
    await expect.poll(() => documents).toBe(2);
    await expect.poll(running).toEqual(["a", "b"]);
    expect([frames.get("a")?.delayMs, frames.get("b")?.delayMs]).toEqual([1_000, 0]);
    expect(errors).toEqual([expect.stringMatching(/^a HungError: .* 10 s .* started again in 1 s\.$/)]);
    expect(await service.status("a")).toEqual({ state: "restarting", at: now + 1_000 });
    expect(await service.status("b")).toEqual({ state: "running" });
    expect(changed).toHaveBeenCalled();
  });

  it("any of which may be the reason are started again one by one, without a fault", async () => {
    wanted = [script("a"), script("b"), script("c")];
    const { service } = worker();
    await service.ensure();
    await service.fell(
      report("1", [
        ["a", true],
        ["b", false],
        ["c", true],
      ]),
    );
    await expect.poll(running).toEqual(["a", "b", "c"]);
    await expect
      .poll(() => ["a", "b", "c"].map((uuid) => frames.get(uuid)?.delayMs))
      .toEqual([1_000, 0, 21_000]);
    expect(errors).toEqual([
      expect.stringMatching(/^a HungError: .*any of 2 scripts.* in 1 s\.$/),
      expect.stringMatching(/^c HungError: .*any of 2 scripts.* in 21 s\.$/),
    ]);
    for (let n = 2; n < 8; n += 1) {
      await service.fell(
        report(String(n), [
          ["a", true],
          ["c", true],
        ]),
      );
    }
    expect((await service.status("a")).state).toBe("restarting");
  });

  it("that ended with their process are started again in the same document, those not to blame at once", async () => {
    wanted = [script("a"), script("b")];
    const { service } = worker();
    await service.ensure();
    // The host has stopped them.
    frames.clear();
    await service.fell({
      ...report("1", [
        ["a", true],
        ["b", false],
      ]),
      kind: "crashed",
    });
    expect([frames.get("a")?.delayMs, frames.get("b")?.delayMs]).toEqual([1_000, 0]);
    expect(documents).toBe(1);
    expect(errors).toEqual([
      expect.stringMatching(/^a SandboxCrashError: .*memory.* started again in 1 s\.$/),
    ]);
  });

  it("count a report once, though it comes twice", async () => {
    wanted = [script("a")];
    const { service } = worker();
    await service.ensure();
    await service.fell(report("1", [["a", true]]));
    await service.fell(report("1", [["a", true]]));
    expect(errors.length).toBe(1);
  });

  it("are given up after five faults of an hour, and start again when somebody says so", async () => {
    wanted = [script("a")];
    const { service } = worker();
    await service.ensure();
    const delays: Array<number | undefined> = [];
    for (let fault = 1; fault <= 5; fault += 1) {
      // The host ends it before it tells.
      frames.delete("a");
      await service.failed({ uuid: "a", name: "MessageLimitError", message: "Too much.", lines: [] });
      delays.push(frames.get("a")?.delayMs);
    }
    expect(delays).toEqual([1_000, 5_000, 30_000, 300_000, undefined]);
    expect(await service.status("a")).toEqual({ state: "stopped", faults: 5 });
    expect(errors.at(-1)).toContain("not started again until the browser is");
    await worker().service.ensure();
    expect(running()).toEqual([]);
    await service.startNow("a");
    expect(running()).toEqual(["a"]);
    expect(frames.get("a")?.delayMs).toBe(0);
  });

  it("have exactly the grants that they have now, and none once they are gone", async () => {
    wanted = [script("a")];
    const { service, callers } = worker();
    await service.ensure();
    const caller = await callers.identify(frames.get("a")?.token ?? "");
    expect(caller).toMatchObject({ uuid: "a", documentId: "sandbox:a", tabId: -1 });
    expect([...(caller?.grants ?? [])]).toEqual(["GM_setValue"]);
    wanted = [{ ...script("a"), grants: [] }];
    expect([...(caller?.grants ?? [])]).toEqual([]);
    wanted = [];
    expect(caller?.gone).toBe(true);
  });
});
