import * as z from "zod/mini";
import { call, contract, stream } from "@/rpc/contract";
import type { BackgroundFrameState, ConsoleLine, GuestPayload, SandboxOutcome } from "../types";
import { consoleLine } from "./console-line";

const source = z.object({ code: z.string(), source: z.string() });
/** What the guest gets; `info` is built by the worker and only handed on. */
const payload = z.object({
  names: z.array(z.string()),
  grants: z.array(z.string()),
  info: z.custom<GuestPayload["info"]>((value) => typeof value === "object" && value !== null),
  config: z.record(z.string(), z.unknown()),
  fetch: z.boolean(),
  snapshot: z.nullable(z.string()),
  revision: z.number(),
  requires: z.array(source),
  main: source,
});

const runId = z.object({ runId: z.string() });
const uuid = z.object({ uuid: z.string() });

const hostRun = z.object({
  runId: z.string(),
  /** Opens the run's channel to the worker. The host keeps it; frame and guest never see it. */
  token: z.string(),
  /** Set when the run may have had effects already: joins it or gives its outcome, and begins nothing. */
  joinOnly: z.boolean(),
  payload,
  args: z.unknown(),
  timeoutMs: z.number(),
});

const hostStart = z.object({
  uuid: z.string(),
  token: z.string(),
  /** Of the script; another one means that the frame is out of date. */
  version: z.string(),
  payload,
  /** ms until it starts: back-off after a fault. */
  delayMs: z.number(),
  /** Console lines from before a restart. */
  lines: z.array(consoleLine),
  /** ms between two pings, and of silence that count as hanging. */
  heartbeatMs: z.number(),
  hangMs: z.number(),
});

export type HostRun = z.infer<typeof hostRun>;
export type HostStart = z.infer<typeof hostStart>;

/** What the offscreen document does for the worker: it hosts the sandboxed frames. */
export const sandboxHostContract = contract("sandbox.host", "worker", {
  /** Resolves with the outcome; `unknown` when it was only to be joined and is not there. Rejects for faults of the host itself. */
  run: call(hostRun).returns<SandboxOutcome | { unknown: true }>(),
  cancel: call(runId).returns<void>(),
  acknowledge: call(runId).returns<void>(),
  /**
   * While this is open, a run's time does not count: it waits for a person. It ends with the worker, so that no worker that died holds
   * the time of a run for ever; and at once when there is no such run.
   */
  hold: stream(runId).yields<"held">(),
  start: call(hostStart).returns<void>(),
  stop: call(uuid).returns<void>(),
  frames: call(z.object({})).returns<BackgroundFrameState[]>(),
  console: call(uuid).returns<ConsoleLine[]>(),
  /** Asks what runs under this document id to come back to the worker; false when nothing does. */
  wake: call(z.object({ documentId: z.string() })).returns<boolean>(),
});

export type SandboxHostContract = typeof sandboxHostContract;
