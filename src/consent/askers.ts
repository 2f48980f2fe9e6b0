import type { ConsentOutcome, ConsentRequest } from "./types";

/** The run or document that an asker is in. */
export type AskerRun = Pick<ConsentRequest, "tabId" | "pageUrl"> & { runId: string };

/** One who waits for the answer to a question. */
export interface Asker {
  run: AskerRun | null;
  outcome: Promise<ConsentOutcome>;
  resolve(outcome: ConsentOutcome): void;
  reject(error: Error): void;
}

/** Who waits for which question, in this start of the worker. */
export class Askers {
  readonly #waiting = new Map<string, Set<Asker>>();

  make(request: ConsentRequest): Asker {
    let resolve: Asker["resolve"] = () => undefined;
    let reject: Asker["reject"] = () => undefined;
    const outcome = new Promise<ConsentOutcome>((res, rej) => {
      resolve = res;
      reject = rej;
    });
    // Whoever left before it was waited for needs no word of it.
    outcome.catch(() => undefined);
    return { run: runOf(request), outcome, resolve, reject };
  }

  add(id: string, asker: Asker): void {
    const own = this.#waiting.get(id) ?? new Set();
    own.add(asker);
    this.#waiting.set(id, own);
  }

  /** @returns true when that was the last one who waited for this question */
  delete(id: string, asker: Asker): boolean {
    const own = this.#waiting.get(id);
    if (!own?.delete(asker) || own.size > 0) return false;
    return this.#waiting.delete(id);
  }

  has(id: string): boolean {
    return this.#waiting.has(id);
  }

  /** The runs and documents that wait for it. */
  runs(id: string): AskerRun[] {
    const all = [...(this.#waiting.get(id) ?? [])].flatMap(({ run }) => run ?? []);
    return [...new Map(all.map((run) => [run.runId, run])).values()];
  }

  /** Tells all who wait for it. */
  settle(id: string, outcome: ConsentOutcome): void {
    const own = this.#waiting.get(id);
    this.#waiting.delete(id);
    for (const asker of own ?? []) asker.resolve(outcome);
  }
}

/** The run or document that a request comes from; null when it says none. */
export function runOf({ runId, tabId, pageUrl }: ConsentRequest): AskerRun | null {
  return runId === undefined ? null : { runId, tabId, pageUrl };
}
