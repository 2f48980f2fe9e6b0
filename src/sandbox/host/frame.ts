import { NamedError } from "@/rpc/errors";
import type { FrameBoot, FrameOrder, FrameReport, ToGuest } from "../protocol";

/** Where frames are made; tests have one without a browser. */
export interface FramePlatform {
  /** Opens a frame and hands it what it needs. Resolves when it was handed over; the guest says itself when it is there. */
  open(
    boot: Pick<FrameBoot, "role">,
    ports: [frame: MessagePort, guest: MessagePort],
    /** The frame shows another document than it was opened with. */
    onLeft: () => void,
  ): Promise<OpenedFrame>;
}

export interface OpenedFrame {
  remove(): void;
}

/** Time for a worker to be told to end before its frame is removed, which ends it too. */
const TERMINATE_MS = 250;

/** Of what ended together with the process that it ran in. */
export const CRASHED = {
  name: "SandboxCrashError",
  message:
    "What ran the code was ended by the browser, most often because memory ran out. Hold less at once.",
};
/** Some objects can be sent, but not to a document of another origin, such as a WebAssembly.Module. */
export const UNREADABLE = {
  name: "DataCloneError",
  message:
    "The code sent something that cannot leave the sandbox. Return plain data: numbers, text, arrays, objects, Map, Set, Date, bytes.",
};

/** One sandboxed frame with the ports to it. */
export class SandboxFrame {
  readonly #control: MessagePort;
  readonly #guest: MessagePort;
  readonly #role: FrameBoot["role"];
  #opened: OpenedFrame | null = null;
  #closed = false;
  #unheard = 0;
  /** Called with each message of the guest, as it is. */
  onMessage: (data: unknown, ports: readonly MessagePort[]) => void = () => undefined;
  /** What ran in it is gone. */
  onGone: (error: { name: string; message: string }) => void = () => undefined;

  private constructor(role: FrameBoot["role"], control: MessagePort, guest: MessagePort) {
    this.#role = role;
    this.#control = control;
    this.#guest = guest;
    guest.onmessage = ({ data, ports }) => this.onMessage(data, ports);
    guest.onmessageerror = () => this.onGone(UNREADABLE);
    control.onmessage = ({ data }: MessageEvent<FrameReport>) => {
      if (data.t === "crashed")
        this.onGone({ name: CRASHED.name, message: `What ran the code broke down: ${data.message}` });
      else if (data.t === "pong") this.#unheard = 0;
      else this.#remove();
    };
  }

  /** @throws SandboxUnavailableError when the frame does not come up */
  static async open(platform: FramePlatform, role: FrameBoot["role"]): Promise<SandboxFrame> {
    const control = new MessageChannel();
    const guest = new MessageChannel();
    const frame = new SandboxFrame(role, control.port1, guest.port1);
    try {
      frame.#opened = await platform.open({ role }, [control.port2, guest.port2], () =>
        frame.onGone({
          name: "SandboxLeftError",
          message:
            "The code sent its own document somewhere else, and was ended with it. Sandboxed code stays where it is.",
        }),
      );
    } catch (error) {
      frame.close();
      throw new NamedError(
        "SandboxUnavailableError",
        `A place to run the code in could not be made (${error instanceof Error ? error.message : String(error)}). Try again.`,
        { cause: error },
      );
    }
    if (frame.#closed) frame.#opened.remove();
    return frame;
  }

  send(message: ToGuest): void {
    if (!this.#closed) this.#guest.postMessage(message);
  }

  /** How often it was asked in vain. */
  get unheard(): number {
    return this.#unheard;
  }

  /** Asks the frame of a worker, in which no code of somebody else's runs, whether it is there. @returns how often that was in vain */
  ping(): number {
    const before = this.#unheard;
    this.#unheard += 1;
    this.#control.postMessage("ping" satisfies FrameOrder);
    return before;
  }

  /** Ends what runs in it: the worker first, which may be in a loop, then the frame. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#guest.onmessage = null;
    this.#guest.close();
    if (this.#role === "page") {
      this.#remove();
      return;
    }
    this.#control.postMessage("terminate" satisfies FrameOrder);
    // A frame that a neighbour's loop holds up cannot answer; removing it ends its worker as well.
    setTimeout(() => this.#remove(), TERMINATE_MS);
  }

  #remove(): void {
    this.#control.onmessage = null;
    this.#control.close();
    this.#opened?.remove();
    this.#opened = null;
  }
}
