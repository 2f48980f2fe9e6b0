import type { ScriptInfo, ScriptSession } from "@/gm/types";
import type { RpcClient } from "@/rpc/client";
import type { BootPayload } from "@/userscripts/boot-protocol";
import { dataProperty, defineProperty } from "./natives";

/** One script in this document, as the client halves of the APIs see it. */
export class Session implements ScriptSession {
  readonly uuid: string;
  readonly info: ScriptInfo;
  readonly snapshot: string | null;
  readonly revision: number;
  /** The address of the script's own frames in a stack. */
  readonly source: string;
  readonly #wakers: Array<() => void> = [];

  constructor(
    payload: BootPayload,
    readonly rpc: RpcClient,
  ) {
    this.uuid = payload.uuid;
    this.info = payload.info;
    this.snapshot = payload.snapshot;
    this.revision = payload.revision;
    this.source = payload.source;
  }

  reportError(error: unknown): void {
    const { message, stack } = describeError(error);
    this.sendError(message, stack);
  }

  sendError(message: string, stack: string | undefined): void {
    sendError(this.rpc, message, stack);
  }

  onWake(callback: () => void): void {
    defineProperty(this.#wakers, this.#wakers.length, dataProperty(callback));
  }

  wake(): void {
    for (let at = 0; at < this.#wakers.length; at += 1) this.#wakers[at]?.();
  }
}

/** Sends an error to the script's log. A log that cannot be reached must not make an error of its own. */
export function sendError(rpc: RpcClient, message: string, stack: string | undefined): void {
  rpc
    .call("gm.errors.report", {
      message: message.slice(0, 2000),
      stack: stack?.slice(0, 8000),
      url: location.href,
    })
    .catch((failure: unknown) => console.warn("Moggy could not log a script error:", message, failure));
}

/** Words and stack of anything that was thrown. */
export function describeError(error: unknown): { message: string; stack?: string } {
  if (typeof error === "object" && error !== null && "message" in error) {
    const { name, message, stack } = error as { name?: unknown; message: unknown; stack?: unknown };
    const text = typeof name === "string" ? `${name}: ${String(message)}` : String(message);
    return { message: text, stack: typeof stack === "string" ? stack : undefined };
  }
  return { message: String(error) };
}
