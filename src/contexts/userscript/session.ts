import { each, put } from "@/gm/natives";
import type { ScriptSession } from "@/gm/types";
import type { RpcClient } from "@/rpc/client";
import type { BootPayload } from "@/userscripts/boot-protocol";

/** One script in this document: as the client halves of the APIs see it, and what the runtime itself does with it. */
export interface Session extends ScriptSession {
  /** The address of the script's own frames in a stack. */
  readonly source: string;
  sendError(message: string, stack: string | undefined): void;
  wake(): void;
}

export function createSession(
  { uuid, info, snapshot, revision, source }: BootPayload,
  rpc: RpcClient,
): Session {
  const wakers: Array<() => void> = [];
  return {
    uuid,
    info,
    snapshot,
    revision,
    source,
    rpc,
    reportError(error) {
      const { message, stack } = describeError(error);
      sendError(rpc, message, stack);
    },
    sendError: (message, stack) => sendError(rpc, message, stack),
    onWake: (callback) => put(wakers, wakers.length, callback),
    wake: () => each(wakers, (callback) => callback()),
  };
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
