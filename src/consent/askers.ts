import type { Waiting } from "./timing";
import type { ConsentOutcome, ConsentRequest } from "./types";

/** The run or document that an asker is in. */
export type AskerRun = Pick<ConsentRequest, "tabId" | "pageUrl"> & { runId: string };

/** One who waits for the answer to a question. */
export interface Asker {
  /** What it would do: other askers of the question may be about to do something else on the same host. */
  request: ConsentRequest;
  /** How long it is put to the person, in ms. */
  waitMs: number;
  outcome: Promise<ConsentOutcome>;
  resolve(outcome: ConsentOutcome): void;
  reject(error: Error): void;
}

/** Who waits for which question, in this start of the worker, and which questions may be waited for again. */
export class Askers implements Waiting {
  readonly #waiting = new Map<string, Set<Asker>>();
  /** When questions without askers are given up, in ms since the epoch. */
  readonly #lost = new Map<string, number>();

  make(request: ConsentRequest, waitMs: number): Asker {
    let resolve: Asker["resolve"] = () => undefined;
    let reject: Asker["reject"] = () => undefined;
    const outcome = new Promise<ConsentOutcome>((res, rej) => {
      resolve = res;
      reject = rej;
    });
    // Whoever left before it was waited for needs no word of it.
    outcome.catch(() => undefined);
    return { request, waitMs, outcome, resolve, reject };
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

  /** Nobody waits for it now; it is given up at that time, in ms since the epoch, unless it is {@link found} again. */
  lose(id: string, at: number): void {
    this.#lost.set(id, at);
  }

  found(id: string): void {
    this.#lost.delete(id);
  }

  lostAt(id: string): number | undefined {
    return this.#lost.get(id);
  }

  /** The runs and documents that wait for it. */
  runs(id: string): AskerRun[] {
    const all = [...(this.#waiting.get(id) ?? [])].flatMap(({ request }) => runOf(request) ?? []);
    return [...new Map(all.map((run) => [run.runId, run])).values()];
  }

  /** Tells all who wait for it. */
  settle(id: string, outcome: ConsentOutcome): void {
    this.settleThose(id, outcome, () => true);
  }

  /** Tells those who wait for it and would do what `concerns` picks. @returns how many they were */
  settleThose(id: string, outcome: ConsentOutcome, concerns: (request: ConsentRequest) => boolean): number {
    const told = [...(this.#waiting.get(id) ?? [])].filter(({ request }) => concerns(request));
    for (const asker of told) {
      this.delete(id, asker);
      asker.resolve(outcome);
    }
    return told.length;
  }

  /** The one among them who has waited for the longest. */
  first(id: string): Asker | undefined {
    return this.#waiting.get(id)?.values().next().value;
  }
}

/** The run or document that a request comes from; null when it says none. */
export function runOf({ runId, tabId, pageUrl }: ConsentRequest): AskerRun | null {
  return runId === undefined ? null : { runId, tabId, pageUrl };
}
