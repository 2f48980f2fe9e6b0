import type { CallContext } from "@/rpc/caller";
import type { Handlers } from "@/rpc/contract";
import { isNamedError } from "@/rpc/errors";
import { follow } from "@/rpc/follow";
import { Listeners } from "@/rpc/listeners";
import type { DataContract } from "./contract";
import { downgradeError, migrationError, reasonOf } from "./errors";
import { readSchema, SCHEMA_VERSION } from "./schema";
import type { DataState, StoredSchema } from "./types";

export interface DataGateDeps {
  /** Reads what is stored under SCHEMA_KEY. */
  read(): Promise<unknown>;
  /** Runs the steps that are due. @throws MigrationError; `forced` when a person asked for another try */
  migrate(
    stored: StoredSchema | null,
    options: { forced: boolean; report(done: number, steps: number): void },
  ): Promise<void>;
  /** Version of the product. */
  version: string;
  /** For what nobody waits for. */
  report(error: unknown): void;
}

/** Calls that need no data, and so are answered whatever became of it. */
const WITHOUT_DATA = new Set(["data.state", "data.retry", "settings.status", "settings.openDetails"]);

/**
 * Between the stored data and everything that uses it. At a start it makes one read, beside all others; when the data has the form of
 * this version, all goes on at once. Steps that are due run first, and whoever needs data waits. Data of a newer version is not
 * touched.
 */
export class DataGate {
  #state: DataState = { kind: "checking" };
  /** Of the check or the retry under way, or of the last one. */
  #attempt: Promise<void>;
  #open: () => void = () => undefined;
  #refuse: (error: Error) => void = () => undefined;
  /** Settles once: resolved when the data can be used, rejected when this version must not touch it. */
  readonly opened: Promise<void>;
  readonly #listeners = new Listeners();
  #migrated = false;

  constructor(private readonly deps: DataGateDeps) {
    this.opened = new Promise((resolve, reject) => {
      this.#open = resolve;
      this.#refuse = reject;
    });
    // Who waits for it is told. That nobody waits is no fault of its own.
    this.opened.catch(() => undefined);
    this.#attempt = this.#begin(false);
  }

  get state(): DataState {
    return this.#state;
  }

  /** True when data was changed since the start, so that what was read before the change counts no more. */
  get migrated(): boolean {
    return this.#migrated;
  }

  /** Resolves when the data can be used. @throws DowngradeError or MigrationError */
  async ready(): Promise<void> {
    if (this.#state.kind !== "ok") await this.#attempt;
  }

  /** For the router: what a call has to wait for, and that rejects when it must not go on. */
  readonly admit = (method: string): Promise<void> | undefined =>
    this.#state.kind === "ok" || WITHOUT_DATA.has(method) ? undefined : this.ready();

  /** For the router: a call that failed because the data is newer says so, whatever it failed with. */
  readonly explain = (error: unknown): unknown =>
    this.#state.kind === "newer" ? downgradeError(this.#state.writer, this.deps.version) : error;

  /** The database turned out to be newer than this version knows. @returns the error to fail with */
  readonly foundNewer = (): Error => this.#setNewer("");

  /** Runs the steps again that failed. */
  retry(): Promise<void> {
    if (this.#state.kind === "failed") this.#attempt = this.#begin(true);
    return this.ready();
  }

  handlers(): Handlers<DataContract, CallContext> {
    return {
      state: (_input, { signal }) => follow(() => this.#state, this.#listeners.add, signal),
      retry: () => this.retry(),
    };
  }

  #begin(forced: boolean): Promise<void> {
    const attempt = this.#check(forced);
    attempt.catch((error: unknown) => this.deps.report(error));
    return attempt;
  }

  async #check(forced: boolean): Promise<void> {
    try {
      const stored = readSchema(await this.deps.read());
      if (stored && stored.version > SCHEMA_VERSION) throw this.#setNewer(stored.writer);
      if (!stored || stored.version < SCHEMA_VERSION || stored.pending) {
        this.#migrated = true;
        const report = (done: number, steps: number) => this.#set({ kind: "updating", done, steps });
        report(0, 0);
        await this.deps.migrate(stored, { forced, report });
      }
    } catch (error) {
      if (this.#state.kind === "newer") throw error;
      const known = isNamedError(error) && error.name === "MigrationError";
      const failure = known ? error : migrationError(reasonOf(error), error);
      this.#set({ kind: "failed", why: (failure.data as { why: string }).why });
      throw failure;
    }
    // The database may have been found to be newer in the meantime.
    if (this.#state.kind === "newer") throw downgradeError(this.#state.writer, this.deps.version);
    this.#set({ kind: "ok" });
    this.#open();
  }

  #setNewer(writer: string): Error {
    const { version } = this.deps;
    const error = downgradeError(writer, version);
    this.#set({ kind: "newer", writer: writer === version ? "" : writer, version });
    this.#refuse(error);
    // Calls of later moments are refused, too, when the check itself had found nothing.
    this.#attempt = Promise.reject(error);
    this.#attempt.catch(() => undefined);
    return error;
  }

  #set(state: DataState): void {
    this.#state = state;
    this.#listeners.tell();
  }
}
