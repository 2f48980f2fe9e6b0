import type { ScriptInfo, ScriptSession } from "@/gm/types";
import type { RpcClient } from "@/rpc/client";
import type { GuestPayload } from "../types";

/** The code in the sandbox, as the client halves of the APIs see it. */
export class GuestSession implements ScriptSession {
  readonly uuid: string;
  readonly info: ScriptInfo;
  readonly snapshot: string | null;
  readonly revision: number;
  readonly #wakers: Array<() => void> = [];

  constructor(
    payload: GuestPayload,
    readonly rpc: RpcClient,
    private readonly report: (error: unknown) => void,
  ) {
    this.uuid = payload.info.uuid;
    this.info = payload.info;
    this.snapshot = payload.snapshot;
    this.revision = payload.revision;
  }

  reportError(error: unknown): void {
    this.report(error);
  }

  onWake(callback: () => void): void {
    this.#wakers.push(callback);
  }

  wake(): void {
    for (const waker of this.#wakers) waker();
  }
}
