import type { Transport } from "@/rpc/transport";
import type { HostStart } from "../contract/host";
import { BACKGROUND_LINES, type BackgroundFrameState, type ConsoleLine, type SandboxError } from "../types";
import { ConsoleRing } from "./console-ring";
import { type FramePlatform, SandboxFrame, UNREADABLE } from "./frame";
import { GuestApis } from "./guest-apis";
import { readGuestMessage } from "./guest-messages";
import { MESSAGE_LIMITS, type MessageLimits, MessageMeter } from "./limits";

export interface BackgroundFrameDeps {
  frames: FramePlatform;
  channel(token: string): Transport;
  now(): number;
  limits?: MessageLimits;
  /** Something that the script threw. */
  onError(uuid: string, error: SandboxError): void;
  /** It ended by itself. */
  onFailed(frame: BackgroundFrame, error: { name: string; message: string }): void;
  /** It did not answer for `hangMs`. */
  onSilent(): void;
}

/** Errors a minute that are handed on; a script that throws all the time must not keep the worker busy. */
const MOST_ERRORS = 20;
const ERRORS_MS = 60_000;

/** A background script: a frame that stays, in which the script itself runs. */
export class BackgroundFrame {
  readonly uuid: string;
  readonly version: string;
  readonly #deps: BackgroundFrameDeps;
  readonly #spec: HostStart;
  readonly #console: ConsoleRing;
  readonly #meter: MessageMeter;
  readonly #apis: GuestApis;
  #frame: SandboxFrame | null = null;
  #state: BackgroundFrameState["state"] = "waiting";
  #inside = false;
  #heardAt = 0;
  /** When it began to start. */
  #since = 0;
  /** Beats since it was last heard. */
  #unheard = 0;
  #pings = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #errors = { since: 0, count: 0 };
  #over = false;

  constructor(deps: BackgroundFrameDeps, spec: HostStart) {
    this.#deps = deps;
    this.#spec = spec;
    this.uuid = spec.uuid;
    this.version = spec.version;
    this.#console = new ConsoleRing(BACKGROUND_LINES, spec.lines);
    this.#meter = new MessageMeter(deps.limits ?? MESSAGE_LIMITS, deps.now);
    this.#apis = new GuestApis(
      () => deps.channel(spec.token),
      (message) => this.#count(message),
      () => this.#fail(UNREADABLE),
    );
    this.#timer = setTimeout(() => void this.#open(), spec.delayMs);
  }

  get state(): BackgroundFrameState {
    return { uuid: this.uuid, version: this.version, state: this.#state };
  }

  get lines(): ConsoleLine[] {
    return this.#console.take().lines;
  }

  /** See {@link Suspect}. */
  get inside(): boolean {
    return this.#inside;
  }

  /**
   * Whether it has not said a word for so long. Counted in beats, of which a machine that sleeps, or a document that is busy itself,
   * has none. One that waits for its time is not silent.
   */
  silentFor(ms: number): boolean {
    return this.#state !== "waiting" && this.silentMs >= ms;
  }

  /** ms from when it began to start until it was last heard. */
  get ranMs(): number {
    return this.#heardAt - this.#since;
  }

  /** ms without a word from it. */
  get silentMs(): number {
    return this.#unheard * this.#spec.heartbeatMs;
  }

  /** Asks the script's event stream to open again. */
  wake(): void {
    this.#frame?.send({ t: "wake" });
  }

  stop(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#apis.closeAll();
    this.#frame?.close();
  }

  async #open(): Promise<void> {
    this.#state = "starting";
    this.#heardAt = this.#deps.now();
    this.#since = this.#heardAt;
    this.#beat();
    try {
      const frame = await SandboxFrame.open(this.#deps.frames, "page");
      if (this.#over) {
        frame.close();
        return;
      }
      this.#frame = frame;
      frame.onMessage = (data, ports) => this.#receive(data, ports);
      frame.onGone = (error) => this.#fail(error);
    } catch (error) {
      const { name, message } = error as Error;
      this.#fail({ name, message });
    }
  }

  #receive(data: unknown, ports: readonly MessagePort[]): void {
    if (!this.#count(data)) return;
    this.#heardAt = this.#deps.now();
    this.#unheard = 0;
    const message = readGuestMessage(data);
    switch (message?.t) {
      case "ready":
        if (this.#state !== "starting") return;
        this.#state = "running";
        this.#frame?.send({ t: "start", payload: this.#spec.payload, args: undefined });
        return;
      case "enter":
        this.#inside = true;
        return;
      case "leave":
        this.#inside = false;
        return;
      case "connect": {
        const [port] = ports;
        if (port) this.#apis.join(port);
        return;
      }
      case "console": {
        const { level, text, dropped } = message;
        this.#console.push({ at: this.#heardAt, level, text }, dropped);
        return;
      }
      case "error":
        this.#error(message.error);
        return;
      case "done":
        // Its code has run once; a background script lives on in its timers and listeners.
        if (!message.ok) this.#error(message.error);
        return;
    }
  }

  #error(error: SandboxError): void {
    if (this.#heardAt - this.#errors.since >= ERRORS_MS) this.#errors = { since: this.#heardAt, count: 0 };
    this.#errors.count += 1;
    if (this.#errors.count <= MOST_ERRORS) this.#deps.onError(this.uuid, error);
  }

  #beat(): void {
    const { heartbeatMs, hangMs } = this.#spec;
    this.#timer = setTimeout(() => {
      this.#unheard += 1;
      if (this.silentFor(hangMs)) this.#deps.onSilent();
      this.#pings += 1;
      this.#frame?.send({ t: "ping", n: this.#pings });
      this.#beat();
    }, heartbeatMs);
  }

  #count(message: unknown): boolean {
    if (this.#over) return false;
    const why = this.#meter.count(message);
    if (why !== null) this.#fail({ name: "MessageLimitError", message: why });
    return why === null;
  }

  #fail(error: { name: string; message: string }): void {
    if (this.#over) return;
    this.stop();
    this.#deps.onFailed(this, error);
  }
}
