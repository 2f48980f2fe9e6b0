import { NamedError } from "@/rpc/errors";
import type { Transport } from "@/rpc/transport";
import type { HostRun } from "../contract/host";
import type { SandboxError, SandboxOutcome } from "../types";
import { ConsoleRing } from "./console-ring";
import { CRASHED, type FramePlatform, SandboxFrame, UNREADABLE } from "./frame";
import { GuestApis } from "./guest-apis";
import { readGuestMessage } from "./guest-messages";
import { MESSAGE_LIMITS, type MessageLimits, MessageMeter, RunClock } from "./limits";
import { approximateSize } from "./size";
import type { Slots } from "./slots";

export interface OneShotDeps {
  frames: FramePlatform;
  slots: Slots;
  /** Opens a channel to the worker's API. */
  channel(token: string): Transport;
  /** See {@link ProcessProbe}. */
  comesUp(): Promise<boolean>;
  now(): number;
  limits?: Partial<OneShotLimits>;
}

export interface OneShotLimits {
  messages: MessageLimits;
  /** Console lines that are kept. */
  lines: number;
  /** Bytes of a result. */
  result: number;
  /** ms for the frame and its worker to come up. */
  boot: number;
  /** ms between two questions whether the frame is there. */
  beat: number;
}

const LIMITS: OneShotLimits = {
  messages: MESSAGE_LIMITS,
  lines: 1000,
  result: 16 * 1024 * 1024,
  boot: 30_000,
  beat: 2_000,
};
/** Beats without an answer after which it is looked into. */
const MOST_UNHEARD = 3;

/** One run of one piece of code, in a worker of its own in a frame of its own. It begins at once, or when there is a place. */
export class OneShot {
  /** Never rejects for what the code does; rejects with SandboxUnavailableError when it could not begin. */
  readonly outcome: Promise<SandboxOutcome>;
  readonly #deps: OneShotDeps;
  readonly #run: HostRun;
  readonly #limits: OneShotLimits;
  readonly #clock: RunClock;
  readonly #console: ConsoleRing;
  readonly #meter: MessageMeter;
  readonly #apis: GuestApis;
  readonly #over = new AbortController();
  #resolve: (outcome: SandboxOutcome) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #frame: SandboxFrame | null = null;
  #bootTimer: ReturnType<typeof setTimeout> | undefined;
  #beatTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: OneShotDeps, run: HostRun) {
    this.#deps = deps;
    this.#run = run;
    this.#limits = { ...LIMITS, ...deps.limits };
    this.#console = new ConsoleRing(this.#limits.lines);
    this.#meter = new MessageMeter(this.#limits.messages, deps.now);
    this.#apis = new GuestApis(
      () => deps.channel(run.token),
      (message) => this.#count(message),
      () => this.#fail(UNREADABLE.name, UNREADABLE.message),
    );
    this.#clock = new RunClock(run.timeoutMs, deps.now, () =>
      this.#fail(
        "TimeoutError",
        `The code did not end within ${seconds(run.timeoutMs)} and was stopped. Do less at once, or allow it more time.`,
      ),
    );
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    void this.#begin();
  }

  /** Ends it; its outcome is then an AbortError, unless it has one. */
  cancel(): void {
    this.#fail("AbortError", "The run was cancelled.");
  }

  /** It waits for a person: until the returned function is called, once, its time does not count. */
  holdTime(): () => void {
    this.#clock.hold();
    let held = true;
    return () => {
      if (held) this.#clock.release();
      held = false;
    };
  }

  async #begin(): Promise<void> {
    const giveBack = await this.#deps.slots.take(this.#over.signal);
    if (!giveBack) return;
    this.#over.signal.addEventListener("abort", giveBack, { once: true });
    this.#bootTimer = setTimeout(() => {
      this.#refuse(
        new NamedError(
          "SandboxUnavailableError",
          "A place to run the code in did not come up in time. Try again; if it stays so, restart the browser.",
        ),
      );
    }, this.#limits.boot);
    try {
      const frame = await SandboxFrame.open(this.#deps.frames, "worker");
      if (this.#over.signal.aborted) {
        frame.close();
        return;
      }
      this.#frame = frame;
      frame.onMessage = (data, ports) => this.#receive(data, ports);
      frame.onGone = ({ name, message }) => this.#fail(name, message);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #receive(data: unknown, ports: readonly MessagePort[]): void {
    if (!this.#count(data)) return;
    const message = readGuestMessage(data);
    switch (message?.t) {
      case "ready":
        this.#start();
        return;
      case "connect": {
        const [port] = ports;
        if (port) this.#apis.join(port);
        return;
      }
      case "console": {
        const { level, text, dropped } = message;
        this.#console.push({ at: this.#deps.now(), level, text }, dropped);
        return;
      }
      case "error":
        this.#console.push({ at: this.#deps.now(), level: "error", text: uncaught(message.error) }, 0);
        return;
      case "done":
        if (!message.ok) {
          this.#end({ ok: false, error: message.error });
          return;
        }
        this.#succeed(message.value);
        return;
    }
  }

  #start(): void {
    if (this.#bootTimer === undefined) return;
    clearTimeout(this.#bootTimer);
    this.#bootTimer = undefined;
    this.#clock.start();
    this.#beat();
    this.#frame?.send({ t: "start", payload: this.#run.payload, args: this.#run.args });
  }

  #beat(): void {
    this.#beatTimer = setTimeout(() => void this.#look(), this.#limits.beat);
  }

  /** Its process may end, with all that is in it, and nobody is told. */
  async #look(): Promise<void> {
    const frame = this.#frame;
    const unheard = frame?.ping() ?? 0;
    const gone = unheard >= MOST_UNHEARD && (await this.#deps.comesUp()) && frame?.unheard;
    if (gone) this.#fail(CRASHED.name, CRASHED.message);
    else if (!this.#over.signal.aborted) this.#beat();
  }

  #succeed(value: unknown): void {
    const { result } = this.#limits;
    if (approximateSize(value, result) <= result) {
      this.#end({ ok: true, value });
      return;
    }
    this.#fail(
      "ResultTooLargeError",
      `The result has more than ${Math.round(result / 1024 / 1024)} MB. Return less, or write it to a file.`,
    );
  }

  #count(message: unknown): boolean {
    if (this.#over.signal.aborted) return false;
    const why = this.#meter.count(message);
    if (why !== null) this.#fail("MessageLimitError", why);
    return why === null;
  }

  #fail(name: string, message: string): void {
    this.#end({ ok: false, error: { name, message } });
  }

  #end(result: { ok: true; value: unknown } | { ok: false; error: SandboxError }): void {
    if (!this.#close()) return;
    const { lines, dropped } = this.#console.take();
    this.#resolve({ ...result, console: lines, dropped, ranMs: this.#clock.ran });
  }

  #refuse(error: unknown): void {
    if (this.#close()) this.#reject(error);
  }

  /** @returns false when it was over already */
  #close(): boolean {
    if (this.#over.signal.aborted) return false;
    clearTimeout(this.#bootTimer);
    clearTimeout(this.#beatTimer);
    this.#clock.stop();
    this.#apis.closeAll();
    this.#frame?.close();
    this.#over.abort();
    return true;
  }
}

function uncaught({ name, message, line }: SandboxError): string {
  return `Uncaught ${name}: ${message}${line === undefined ? "" : ` (line ${line})`}`;
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}
