import { Listeners } from "@/rpc/listeners";
import { BACKGROUND_KEY, type BackgroundState, NO_BACKGROUND } from "./background-state";
import type { SandboxDeps, SandboxParts } from "./create";
import type { Sandbox } from "./service";
import { type BackgroundStatus, isSandboxDocument } from "./types";

export interface SandboxDoorDeps extends Omit<SandboxDeps, "onChange"> {
  /** Loads the sandbox's half in the worker, which a start without sandboxed code does not evaluate. */
  load(deps: SandboxDeps): SandboxParts;
}

/** What every start of the worker has of the sandbox: it knows when the rest is needed. */
export class SandboxDoor {
  readonly #deps: SandboxDoorDeps;
  readonly #listeners = new Listeners();
  #parts: SandboxParts | undefined;

  constructor(deps: SandboxDoorDeps) {
    this.#deps = deps;
    const { router } = deps;
    for (const prefix of ["sandbox.", "background."])
      router.registerLazy(prefix, async () => void this.parts());
  }

  /** For other services: as {@link SandboxParts.sandbox}. */
  readonly sandbox: Sandbox = {
    run: async (request, signal) => this.parts().sandbox.run(request, signal),
    acknowledge: async (runId) => this.parts().sandbox.acknowledge(runId),
    waitForPerson: (runId) => this.parts().sandbox.waitForPerson(runId),
  };

  parts(): SandboxParts {
    this.#parts ??= this.#deps.load({ ...this.#deps, onChange: this.#listeners.tell });
    return this.#parts;
  }

  /** At a start of the worker. Costs one read of session storage when there are no background scripts. */
  async ensure(): Promise<void> {
    const state = await this.#state();
    if (state && Object.keys(state.scripts).length === 0) return;
    if (state || (await this.#deps.wanted()).length > 0) await this.parts().background.ensure();
    // Written, so that the next start of the worker need not look again.
    else await this.#deps.session.set(BACKGROUND_KEY, NO_BACKGROUND);
  }

  /** After each change of scripts or settings. */
  async changed(): Promise<void> {
    if (!this.#parts) {
      const known = Object.keys((await this.#state())?.scripts ?? {});
      if (known.length === 0 && (await this.#deps.wanted()).length === 0) return;
    }
    await this.parts().background.changed();
  }

  async status(uuid: string): Promise<BackgroundStatus> {
    return this.parts().background.status(uuid);
  }

  /** Runs `listener` when the state of a background script changed; returns what stops that. */
  readonly onChange = this.#listeners.add;

  /** Does something that waits for a person, on behalf of a document that may be one of the sandbox. */
  async whileAsking<T>(documentId: string | undefined, work: () => Promise<T>): Promise<T> {
    if (documentId === undefined || !isSandboxDocument(documentId)) return work();
    return this.parts().whileAsking(documentId, work);
  }

  #state(): Promise<BackgroundState | undefined> {
    return this.#deps.session.get<BackgroundState>(BACKGROUND_KEY);
  }
}
