import type { ConsoleLevel, GuestPayload, SandboxError } from "./types";

/*
 * What passes between the host (offscreen document), the frame and the guest (the runtime beside somebody's code). Ports only: the host
 * listens to no window messages, so there is nothing that a frame could send it but over the ports that it was given. All that a guest
 * says is said by code that is not ours, and is read as such.
 */

/** The one window message that a frame takes, from its parent, with two ports: of the frame itself, and of the guest. */
export interface FrameBoot {
  /** Source text of the frame's own code: an expression, a function of this and the ports. */
  source: string;
  /** `worker`: the guest is a blob worker in the frame. `page`: the guest is the frame. */
  role: "worker" | "page";
  /** Source text of the blob worker. */
  worker: string;
}

/** Host → frame, over the frame's port, which the code that runs in a worker never sees. */
export type FrameOrder = "terminate" | "ping";
/** Frame → host. */
export type FrameReport = { t: "terminated" } | { t: "pong" } | { t: "crashed"; message: string };

/** Host → guest. */
export type ToGuest =
  | { t: "start"; payload: GuestPayload; args: unknown }
  | { t: "ping"; n: number }
  | { t: "wake" };

/** Guest → host. */
export type FromGuest =
  /** The runtime is there. */
  | { t: "ready" }
  /** With a port: a connection to the worker's API, in the name that the host knows. */
  | { t: "connect" }
  | { t: "console"; level: ConsoleLevel; text: string; dropped: number }
  | { t: "error"; error: SandboxError }
  | { t: "done"; ok: true; value: unknown }
  | { t: "done"; ok: false; error: SandboxError }
  | { t: "pong"; n: number }
  /** A task of the code begins, and is over: who is inside when all fall silent hangs. */
  | { t: "enter" }
  | { t: "leave" };
