import type { OffscreenLink } from "@/offscreen/types";
import { abortError, NamedError } from "@/rpc/errors";
import type { SandboxCallers } from "./callers";
import type { SandboxHostContract } from "./contract/host";
import { runPayload } from "./payload";
import {
  KEEP_OUTCOME_MS,
  LONGEST_TIMEOUT_MS,
  type SandboxOutcome,
  type SandboxRunRequest,
  USUAL_TIMEOUT_MS,
} from "./types";

/** One-shot code in the sandbox, as the worker's services use it. */
export interface Sandbox {
  /**
   * Runs code once, in a worker of its own in an opaque frame of its own. What the code does wrong is in the outcome: what it threw, or
   * TimeoutError, MessageLimitError, ResultTooLargeError, DataCloneError, SandboxCrashError, AbortError.
   *
   * The same `runId` is the same run: after a death of the worker, asking again joins it or gives the outcome that was kept, until it is
   * acknowledged or for 10 minutes. When the sandbox itself had to be restarted, code that had not called the API yet runs again.
   * @throws InterruptedError when it had: what it did is not known. AbortError when `signal` is aborted. SandboxUnavailableError and
   * OffscreenUnavailableError when there is no place to run in.
   */
  run(request: SandboxRunRequest, signal?: AbortSignal): Promise<SandboxOutcome>;
  /** The outcome is where it is needed; it need not be kept any longer, and the id may be used anew. */
  acknowledge(runId: string): Promise<void>;
  /** The run waits for a person: until the returned function is called its time does not count. */
  waitForPerson(runId: string): () => void;
}

export interface SandboxServiceDeps {
  offscreen: Pick<OffscreenLink, "of">;
  callers: SandboxCallers;
  version: string;
  now(): number;
  report(during: string, error: unknown): void;
}

/** Starts of one run: the sandbox may be restarted under it because of others. */
const MOST_STARTS = 5;

export class SandboxService implements Sandbox {
  readonly #deps: SandboxServiceDeps;

  constructor(deps: SandboxServiceDeps) {
    this.#deps = deps;
  }

  async run(request: SandboxRunRequest, signal?: AbortSignal): Promise<SandboxOutcome> {
    const timeoutMs = request.timeoutMs ?? USUAL_TIMEOUT_MS;
    if (!(timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS)) {
      throw new NamedError(
        "TypeError",
        `Code may run for at most ${LONGEST_TIMEOUT_MS / 60_000} minutes; ${timeoutMs} ms is no time for it.`,
      );
    }
    if (signal?.aborted) throw abortError(signal.reason);
    const { runId } = request;
    const cancel = () => this.#cancel(runId);
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      const outcome = await this.#outcome(request, timeoutMs, signal);
      if (signal?.aborted) throw abortError(signal.reason);
      return outcome;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  async acknowledge(runId: string): Promise<void> {
    await this.#deps.callers.dismiss(runId, "run");
    await this.#host().call("acknowledge", { runId }, { repeatable: true });
  }

  waitForPerson(runId: string): () => void {
    const over = new AbortController();
    this.#holdTime(runId, over.signal).catch((error: unknown) => {
      // The document is gone, and the run with it: whoever waits for the run is told.
      if (over.signal.aborted || (error as Error).name === "DisconnectedError") return;
      this.#deps.report("Holding the time of a sandboxed run", error);
    });
    return () => over.abort();
  }

  async #outcome(
    request: SandboxRunRequest,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<SandboxOutcome> {
    const { callers, version, now } = this.#deps;
    const { runId, owner } = request;
    const payload = runPayload(request, version);
    for (let starts = 1; ; starts += 1) {
      const until = now() + timeoutMs + KEEP_OUTCOME_MS;
      const { token, called } = await callers.admit({ id: runId, owner, kind: "run", until });
      try {
        const spec = { runId, token, joinOnly: called, payload, args: request.args, timeoutMs };
        const outcome = await this.#host().call("run", spec);
        if (!("unknown" in outcome)) return outcome;
        throw interrupted();
      } catch (error) {
        // Any other error is the answer. After this one the document may be another, in which the run is not.
        if ((error as Error).name !== "DisconnectedError") throw error;
        if (signal?.aborted) throw abortError(signal.reason);
        if (starts < MOST_STARTS) continue;
        throw (await callers.find(runId, "run"))?.called ? interrupted() : neverLasted();
      }
    }
  }

  #host() {
    return this.#deps.offscreen.of<SandboxHostContract>("sandbox.host");
  }

  async #holdTime(runId: string, signal: AbortSignal): Promise<void> {
    const held = this.#host().stream("hold", { runId }, { signal });
    while (!(await held.next()).done);
  }

  #cancel(runId: string): void {
    this.#host()
      .call("cancel", { runId }, { repeatable: true })
      .catch((error: unknown) => this.#deps.report("Cancelling a sandboxed run", error));
  }
}

function neverLasted(): NamedError {
  return new NamedError(
    "SandboxUnavailableError",
    `The sandbox was restarted ${MOST_STARTS} times while the code ran, because of other code or the browser. It had used none of its functions. Run it again.`,
  );
}

function interrupted(): NamedError {
  return new NamedError(
    "InterruptedError",
    "The sandbox was restarted while the code ran. It had used its functions already, so what it did is not known. Look before you run it again.",
  );
}
