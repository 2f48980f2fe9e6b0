import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NOWHERE } from "@/rpc/caller";
import { RpcClient } from "@/rpc/client";
import { Router } from "@/rpc/server";
import { memoryTransportPair } from "@/rpc/transport";
import { sandboxEventsContract } from "@/sandbox/contract/events";
import type { HostStart } from "@/sandbox/contract/host";
import { Backgrounds } from "@/sandbox/host/backgrounds";
import { TRUSTED_MS, toBlame } from "@/sandbox/host/blame";
import type { FramePlatform } from "@/sandbox/host/frame";
import { OneShots } from "@/sandbox/host/one-shots";
import { ProcessProbe } from "@/sandbox/host/process-probe";
import { Slots } from "@/sandbox/host/slots";
import { runPayload } from "@/sandbox/payload";

interface Fall {
  report: string;
  kind: string;
  frames: Array<{ uuid: string; blamed: boolean }>;
}

const BEAT_MS = 15;
const HANG_MS = 90;

/** Whether frames that are there answer, and whether new ones come up. */
let answers: boolean;
let comeUp: boolean;
let now: number;
let falls: Fall[];
let runsBeside: boolean;
let ports: MessagePort[];
let backgrounds: Backgrounds;

const frames: FramePlatform = {
  open: async (_boot, [control, guest]) => {
    ports.push(control, guest);
    control.onmessage = ({ data }) => {
      if (data === "ping" && answers) control.postMessage({ t: "pong" });
    };
    guest.onmessage = ({ data }) => {
      if (data.t === "ping" && answers) guest.postMessage({ t: "pong", n: data.n });
      // What it is in when it falls silent.
      if (data.t === "start" && data.payload.config.inside) guest.postMessage({ t: "enter" });
    };
    if (comeUp) guest.postMessage({ t: "ready" });
    return { remove: () => undefined };
  },
};

const payload = (config: Record<string, unknown>) =>
  runPayload(
    { runId: "r", owner: { uuid: "u", name: "n", grants: [] }, code: "", name: "code.js", config },
    "1",
  );

function start(uuid: string, inside = false): void {
  const times = { delayMs: 0, heartbeatMs: BEAT_MS, hangMs: HANG_MS };
  const spec: HostStart = {
    uuid,
    token: uuid,
    version: "1",
    payload: payload({ inside }),
    lines: [],
    ...times,
  };
  backgrounds.start(spec);
}

const running = () => backgrounds.states().filter(({ state }) => state === "running").length;
const blamed = (fall: Fall | undefined) =>
  fall?.frames.filter((frame) => frame.blamed).map(({ uuid }) => uuid);

beforeEach(() => {
  answers = true;
  comeUp = true;
  now = 1_000_000;
  falls = [];
  runsBeside = false;
  ports = [];
  const router = new Router();
  router.register(sandboxEventsContract, {
    error: () => undefined,
    failed: () => undefined,
    fell: (fall) => void falls.push(fall),
  });
  const worker = new RpcClient(() => {
    const [near, far] = memoryTransportPair();
    router.serve(far, { kind: "offscreen", ...NOWHERE });
    return near;
  });
  backgrounds = new Backgrounds({
    frames,
    worker,
    channel: () => memoryTransportPair()[0],
    now: () => now,
    newId: () => crypto.randomUUID(),
    hold: () => () => undefined,
    comesUp: () => new ProcessProbe(frames, 20).comesUp(),
    runsBeside: () => runsBeside,
    againMs: 100,
  });
});
afterEach(() => {
  for (const { uuid } of backgrounds.states()) backgrounds.stop(uuid);
  for (const port of ports) port.close();
});

describe("background scripts that fall silent", () => {
  it("while the machine sleeps are not to blame for that", async () => {
    start("a");
    await vi.waitFor(() => expect(running()).toBe(1));
    now += 3_600_000;
    await new Promise((resolve) => setTimeout(resolve, HANG_MS * 2));
    expect(falls).toEqual([]);
  });

  it("hang when no new frame comes up; who was inside a task is to blame, and a document that stays is told of again", async () => {
    start("a");
    start("b", true);
    await vi.waitFor(() => expect(running()).toBe(2));
    answers = comeUp = false;
    await vi.waitFor(() => expect(falls.length).toBe(2), { timeout: 5_000 });
    expect(falls[0]).toMatchObject({ kind: "hung" });
    expect(blamed(falls[0])).toEqual(["b"]);
    expect(falls[1]?.report).toBe(falls[0]?.report);
  });

  it("have ended with their process when a new frame comes up, and are told of as that", async () => {
    start("a", true);
    start("b");
    await vi.waitFor(() => expect(running()).toBe(2));
    answers = false;
    await vi.waitFor(() => expect(falls.length).toBe(1), { timeout: 5_000 });
    expect(falls[0]).toMatchObject({ kind: "crashed" });
    expect(blamed(falls[0])).toEqual(["a"]);
    expect(backgrounds.states()).toEqual([]);
  });

  it("are not to blame when one-shot code ran beside them", async () => {
    runsBeside = true;
    start("a", true);
    await vi.waitFor(() => expect(running()).toBe(1));
    answers = false;
    await vi.waitFor(() => expect(falls.length).toBe(1), { timeout: 5_000 });
    expect(blamed(falls[0])).toEqual([]);
  });
});

describe("who is to blame", () => {
  const frame = (name: string, inside: boolean, ranMs: number) => ({ name, inside, ranMs });
  const names = (...all: Array<ReturnType<typeof frame>>) => toBlame(all).map(({ name }) => name);

  it("is who was inside; else who has only just been started; else all", () => {
    const old = TRUSTED_MS * 2;
    expect(names(frame("a", true, old), frame("b", false, 1))).toEqual(["a"]);
    expect(names(frame("a", true, old), frame("b", true, 1))).toEqual(["b"]);
    expect(names(frame("a", false, old), frame("b", false, 1))).toEqual(["b"]);
    expect(names(frame("a", false, old), frame("b", false, old))).toEqual(["a", "b"]);
  });
});

describe("a run whose process ends", () => {
  it("fails by that name long before its time is over, and not while frames are only held up", async () => {
    const runs = new OneShots({
      frames,
      slots: new Slots(1),
      channel: () => memoryTransportPair()[0],
      comesUp: () => new ProcessProbe(frames, 20).comesUp(),
      now: () => Date.now(),
      hold: () => () => undefined,
      limits: { beat: BEAT_MS },
    });
    const spec = { token: "t", joinOnly: false, payload: payload({}), args: undefined, timeoutMs: 60_000 };
    const outcome = runs.run({ runId: "a", ...spec });
    await new Promise((resolve) => setTimeout(resolve, BEAT_MS * 2));
    answers = comeUp = false;
    const later = new Promise((resolve) => setTimeout(resolve, BEAT_MS * 20, "runs"));
    expect(await Promise.race([outcome, later])).toBe("runs");
    comeUp = true;
    expect(await outcome).toMatchObject({ ok: false, error: { name: "SandboxCrashError" } });
  });
});
