import type { HostRun } from "../contract/host";
import { KEEP_OUTCOME_MS, type SandboxOutcome } from "../types";
import { OneShot, type OneShotDeps } from "./one-shot";

export interface OneShotsDeps extends OneShotDeps {
  /** Keeps the document from closing itself. */
  hold(reason: string): () => void;
  /** ms for which an outcome is kept. */
  keepMs?: number;
}

/** ms in which the end of a process is noticed by all that had something in it. */
const JUST_NOW_MS = 20_000;

/**
 * The runs of this document by their ids. The worker may die and ask again: the same id is the same run, and an outcome stays
 * until it was acknowledged, or nobody came for it for ten minutes.
 */
export class OneShots {
  readonly #deps: OneShotsDeps;
  readonly #runs = new Map<string, { run: OneShot; forget: () => void }>();
  #underWay = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: OneShotsDeps) {
    this.#deps = deps;
  }

  run(spec: HostRun): Promise<SandboxOutcome | { unknown: true }> {
    const known = this.#runs.get(spec.runId);
    if (known) return known.run.outcome;
    if (spec.joinOnly) return Promise.resolve({ unknown: true });
    return this.#begin(spec).outcome;
  }

  /** Whether there are some, or were a moment ago. */
  get lately(): boolean {
    return this.#underWay > 0 || this.#deps.now() - this.#endedAt < JUST_NOW_MS;
  }

  cancel(runId: string): void {
    this.#runs.get(runId)?.run.cancel();
  }

  /** See {@link OneShot.holdTime}; undefined when there is no such run. */
  holdTime(runId: string): (() => void) | undefined {
    return this.#runs.get(runId)?.run.holdTime();
  }

  acknowledge(runId: string): void {
    this.#runs.get(runId)?.forget();
  }

  #begin(spec: HostRun): OneShot {
    const run = new OneShot(this.#deps, spec);
    const release = this.#deps.hold(`a sandboxed run of ${spec.payload.info.script.name}`);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const forget = () => {
      clearTimeout(timer);
      this.#runs.delete(spec.runId);
      release();
    };
    this.#runs.set(spec.runId, { run, forget });
    this.#underWay += 1;
    run.outcome
      .finally(() => {
        this.#underWay -= 1;
        this.#endedAt = this.#deps.now();
      })
      .then(
        () => {
          timer = setTimeout(forget, this.#deps.keepMs ?? KEEP_OUTCOME_MS);
        },
        // What never began may be tried again under its id.
        forget,
      );
    return run;
  }
}
