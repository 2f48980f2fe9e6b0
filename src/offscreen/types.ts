import type { Client, Contract } from "@/rpc/contract";

/**
 * A contract that the offscreen document serves. A call makes the document if there is none. When either side dies during a call,
 * one marked `repeatable` is made again; any other rejects with DisconnectedError, since its outcome is not known. When the
 * document cannot be had at all: OffscreenUnavailableError.
 */
export type OffscreenClient<C extends Contract> = Client<C>;

/** The offscreen document as services of the worker see it. */
export interface OffscreenLink {
  of<C extends Contract>(name: C["name"]): OffscreenClient<C>;
  /** Closes the document, after those who want to had up to 2 s to come to rest. The next call makes a new one. */
  recreate(why: string): Promise<void>;
  /** Work to finish before the document is closed on purpose. */
  onQuiesce(work: () => Promise<void>): void;
  /** Called after the document was closed on purpose. */
  onRecreated(listener: () => void): void;
}
