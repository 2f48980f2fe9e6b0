import type { RpcClient } from "@/rpc/client";
import type { Transport } from "@/rpc/transport";
import type { SandboxEventsContract } from "../contract/events";
import type { HostStart } from "../contract/host";
import type { BackgroundFrameState, ConsoleLine, SandboxError } from "../types";
import { BackgroundFrame } from "./background-frame";
import type { FramePlatform } from "./frame";

export interface BackgroundsDeps {
  frames: FramePlatform;
  channel(token: string): Transport;
  worker: RpcClient;
  now(): number;
  newId(): string;
  hold(reason: string): () => void;
}

/** Lines that go with a report of a fault, for the start after it. */
const LINES_OF_REPORT = 50;

/** The background scripts of this document. */
export class Backgrounds {
  readonly #deps: BackgroundsDeps;
  readonly #frames = new Map<string, { frame: BackgroundFrame; release: () => void }>();
  #reported = false;

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
        onSilent: (_frame, silentMs) => this.#hung(silentMs, spec.hangMs),
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
    const lines = frame.lines.slice(-LINES_OF_REPORT);
    this.stop(frame.uuid);
    told(this.#events().call("failed", { uuid: frame.uuid, ...error, lines }, { repeatable: true }));
  }

  /**
   * A frame in a loop holds up all the others, so all fall silent at about the same time; who was inside a task then is to blame. When
   * nobody said so (the task began in a way that is not watched), all that run are.
   */
  #hung(silentMs: number, hangMs: number): void {
    // One report is enough: the document is made anew.
    if (this.#reported) return;
    this.#reported = true;
    const all = [...this.#frames.values()].map(({ frame }) => frame);
    const silent = all.filter((frame) => frame.state.state === "running" && frame.silentFor(hangMs / 2));
    const inside = silent.filter((frame) => frame.inside);
    const blamed = new Set(inside.length > 0 ? inside : silent);
    const frames = all.map((frame) => ({
      uuid: frame.uuid,
      blamed: blamed.has(frame),
      lines: frame.lines.slice(-LINES_OF_REPORT),
    }));
    const report = this.#deps.newId();
    this.#events()
      .call("hung", { report, silentMs, frames }, { repeatable: true })
      .catch((error: unknown) => {
        // The next ping that is not answered tries again.
        this.#reported = false;
        console.error("The worker could not be told that a background script hangs:", error);
      });
  }
}

function told(call: Promise<unknown>): void {
  call.catch((error: unknown) =>
    console.error("The worker could not be told of a background script:", error),
  );
}
