import type { ScriptSession } from "../types";
import type { ValueCache } from "./client-cache";
import type { ValuesContract, ValueWrite } from "./contract";

/** Batches under way; beyond, writes gather, so that a script which writes all the time makes larger batches, not more calls. */
const MAX_IN_FLIGHT = 16;
/** Characters and writes in one batch, far below what one message between contexts may carry. */
const MAX_BATCH_TEXT = 8 * 1024 * 1024;
const MAX_BATCH_WRITES = 10_000;

interface Queued {
  write: ValueWrite;
  stored: () => void;
  failed: (error: unknown) => void;
}

/** Sends a script's writes to the worker: those of one turn of the event loop together, all in the order in which they were made. */
export class ValueWriter {
  #queue: Queued[] = [];
  #scheduled = false;
  #inFlight = 0;

  constructor(
    private readonly session: ScriptSession,
    private readonly cache: ValueCache,
  ) {}

  /** Queues a write; the promise settles when it is stored or failed. A failure is also in the script's error log. */
  add(write: ValueWrite): Promise<void> {
    this.cache.write(write);
    const done = new Promise<void>((stored, failed) => {
      this.#queue.push({ write, stored, failed });
    });
    if (!this.#scheduled) {
      this.#scheduled = true;
      void Promise.resolve().then(() => {
        this.#scheduled = false;
        this.flush();
      });
    }
    return done;
  }

  /** Sends what is queued, as far as it may now. */
  flush(): void {
    while (this.#queue.length > 0 && this.#inFlight < MAX_IN_FLIGHT) void this.#send(this.#take());
  }

  /** Resolves when nothing waits to be sent any more: what is read after it over the same channel shows all own writes. */
  async sent(): Promise<void> {
    this.flush();
    while (this.#queue.length > 0) {
      await new Promise<void>((resolve) => {
        this.#onSent.push(resolve);
      });
    }
  }

  readonly #onSent: Array<() => void> = [];

  #take(): Queued[] {
    let size = 0;
    let count = 0;
    for (const { write } of this.#queue) {
      size += write[0].length + (write[1]?.length ?? 0);
      if (count > 0 && (size > MAX_BATCH_TEXT || count >= MAX_BATCH_WRITES)) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  async #send(batch: Queued[]): Promise<void> {
    const writes = batch.map(({ write }) => write);
    this.#inFlight += 1;
    try {
      const { revision } = await this.session.rpc
        .of<ValuesContract>("gm.values")
        // Setting what is set already changes nothing, so a batch whose answer was lost with the worker may go again.
        .call("write", { writes }, { repeatable: true });
      this.cache.settle(writes, revision);
      for (const { stored } of batch) stored();
    } catch (error) {
      this.cache.settle(writes, null);
      this.session.reportError(error);
      for (const { failed } of batch) failed(error);
    } finally {
      this.#inFlight -= 1;
      this.flush();
      for (const resolve of this.#onSent.splice(0)) resolve();
    }
  }
}
