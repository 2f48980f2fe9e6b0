import type { RpcClient } from "@/rpc/client";
import type { Transport } from "@/rpc/transport";
import type { SandboxEventsContract } from "../contract/events";
import type { HostStart } from "../contract/host";
import type { BackgroundFrameState, ConsoleLine, SandboxError } from "../types";
import { BackgroundFrame } from "./background-frame";
import { toBlame } from "./blame";
import type { FramePlatform } from "./frame";

export interface BackgroundsDeps {
  frames: FramePlatform;
  channel(token: string): Transport;
  worker: RpcClient;
  now(): number;
  newId(): string;
  hold(reason: string): () => void;
  /** Whether one-shot code runs in the same process, or did until just now. */
  runsBeside(): boolean;
  /** See {@link ProcessProbe}. */
  comesUp(): Promise<boolean>;
  /** {@link AGAIN_MS} when left out. */
  againMs?: number;
}

/** Lines that go with a report of a fault, for the start after it. */
const LINES_OF_REPORT = 50;
/** ms after which the worker is told again of a document that should have been made anew. */
const AGAIN_MS = 20_000;

/** The background scripts of this document. */
export class Backgrounds {
  readonly #deps: BackgroundsDeps;
  readonly #frames = new Map<string, { frame: BackgroundFrame; release: () => void }>();
  /** Id of the report of hanging, of which one is enough: the document is made anew. */
  #report = "";
  #looking = false;

  constructor(deps: BackgroundsDeps) {
    this.#deps = deps;
  }

  start(spec: HostStart): void {
    this.stop(spec.uuid);
    const release = this.#deps.hold(`the background script ${spec.payload.info.script.name}`);
    const frame = new BackgroundFrame(
      {
        frames: this.#deps.frames,
        channel: this.#deps.channel,
        now: this.#deps.now,
        onError: (uuid, error) => this.#error(uuid, error),
        onFailed: (failed, error) => this.#failed(failed, error),
        onSilent: () => void this.#silent(spec.hangMs),
      },
      spec,
    );
    this.#frames.set(spec.uuid, { frame, release });
  }

  stop(uuid: string): void {
    const entry = this.#frames.get(uuid);
    if (!entry) return;
    this.#frames.delete(uuid);
    entry.frame.stop();
    entry.release();
  }

  states(): BackgroundFrameState[] {
    return [...this.#frames.values()].map(({ frame }) => frame.state);
  }

  lines(uuid: string): ConsoleLine[] {
    return this.#frames.get(uuid)?.frame.lines ?? [];
  }

  /** @returns false when there is no such script here */
  wake(uuid: string): boolean {
    const entry = this.#frames.get(uuid);
    entry?.frame.wake();
    return entry !== undefined;
  }

  #events() {
    return this.#deps.worker.of<SandboxEventsContract>("sandbox.events");
  }

  #error(uuid: string, { name, message, stack }: SandboxError): void {
    const said = message.startsWith(name) ? message : `${name}: ${message}`;
    told(this.#events().call("error", { uuid, message: said.slice(0, 2000), stack }));
  }

  #failed(frame: BackgroundFrame, error: { name: string; message: string }): void {
    if (this.#frames.get(frame.uuid)?.frame !== frame) return;
    const lines = lastLines(frame);
    this.stop(frame.uuid);
    told(this.#events().call("failed", { uuid: frame.uuid, ...error, lines }, { repeatable: true }));
  }

  /** Nothing is heard of one: all in its process are held up by a loop of one of them, or have ended with the process. */
  async #silent(hangMs: number): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const ended = await this.#deps.comesUp();
    const all = [...this.#frames.values()].map(({ frame }) => frame);
    const silent = all.filter((frame) => frame.silentFor(hangMs / 2));
    let wait = 0;
    if (silent.length > 0) {
      if (ended) this.#crashed(silent);
      // A worker that died after its answer has not made the document anew; the next one is told, by the same id, and does.
      else if (await this.#hung(all, silent)) wait = this.#deps.againMs ?? AGAIN_MS;
    }
    setTimeout(() => {
      this.#looking = false;
    }, wait);
  }

  #crashed(frames: readonly BackgroundFrame[]): void {
    // One-shot code, which nobody has looked at, is the likelier reason; its own run fails with it.
    const blamed = this.#deps.runsBeside() ? [] : toBlame(frames);
    const fallen = {
      report: this.#deps.newId(),
      kind: "crashed" as const,
      silentMs: 0,
      frames: reported(frames, blamed),
    };
    for (const { uuid } of frames) this.stop(uuid);
    told(this.#events().call("fell", fallen, { repeatable: true }));
  }

  /** @returns false when the worker could not be told; the next ping that is not answered tries again */
  async #hung(all: readonly BackgroundFrame[], silent: readonly BackgroundFrame[]): Promise<boolean> {
    this.#report ||= this.#deps.newId();
    const blamed = toBlame(silent.filter(({ state }) => state.state === "running"));
    const silentMs = Math.max(...silent.map((frame) => frame.silentMs));
    const hang = { report: this.#report, kind: "hung" as const, silentMs, frames: reported(all, blamed) };
    try {
      await this.#events().call("fell", hang, { repeatable: true });
      return true;
    } catch (error) {
      console.error("The worker could not be told that a background script hangs:", error);
      return false;
    }
  }
}

const lastLines = (frame: BackgroundFrame) => frame.lines.slice(-LINES_OF_REPORT);

function reported(frames: readonly BackgroundFrame[], blamed: readonly BackgroundFrame[]) {
  return frames.map((frame) => ({
    uuid: frame.uuid,
    blamed: blamed.includes(frame),
    lines: lastLines(frame),
  }));
}

function told(call: Promise<unknown>): void {
  call.catch((error: unknown) =>
    console.error("The worker could not be told of a background script:", error),
  );
}
