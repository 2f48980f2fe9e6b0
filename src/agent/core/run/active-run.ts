import type { ErrorCode } from "@/agent/contract/conversation";
import { effectOf, type PlanEnv, plan, stamp } from "../loop/plan";
import type { JournalEvent, RunEvent, RunStatus } from "./events";
import type { JournalStore, RunRecord } from "./journal";
import type { LiveText } from "./live";
import { messagesOf } from "./projection";
import { fold, type RunState } from "./state";

/** Why a run is to end before it is done. */
export type Ending =
  | { type: "run.stopped"; message: string }
  | { type: "run.failed"; code: ErrorCode; message: string };

/** Computes events from the newest state; they are journaled together with what follows from them. */
export type Change = (state: RunState) => RunEvent[];

/**
 * A run that this worker owns: its journal in memory, the one place that appends to it, and those who wait for news of it.
 */
export class ActiveRun {
  /** Every event, in order; `log[i].seq === i + 1`. */
  readonly log: JournalEvent[];
  record: RunRecord;
  state: RunState;
  /** The model call in progress. */
  live: LiveText | null = null;
  /** Calls that a reader was given in this worker's life, or that an earlier worker may have given. */
  readonly delivered = new Set<string>();
  /** Readers of the script that are there now, and since when there are none. */
  attached = 0;
  detachedAt: number;
  /** Set when the journal cannot be written any more: nothing may happen after that. */
  broken: Error | null = null;
  ending: Ending | null = null;
  /**
   * Told of a model call whose intent is being written, so that it can be sent meanwhile: unlike a tool's effect it may be repeated, so
   * nothing is lost when the write fails.
   */
  onModelCall: (state: RunState) => void = () => undefined;
  readonly #abort = new AbortController();
  readonly #waiting = new Set<() => void>();
  readonly #journalListeners = new Set<() => void>();
  #writing: Promise<void> = Promise.resolve();
  #version = 0;

  constructor(
    private readonly store: JournalStore,
    private readonly env: PlanEnv,
    record: RunRecord,
    log: JournalEvent[],
    state: RunState,
  ) {
    this.record = record;
    this.log = log;
    this.state = state;
    this.detachedAt = env.now();
  }

  get id(): string {
    return this.record.id;
  }

  /** Aborted when the run is to end: reaches the model, the waits and the back-offs. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Asks the run to end early; the loop writes the end. The first reason given counts. */
  finish(ending: Ending): void {
    if (this.state.end || this.ending) return;
    this.ending = ending;
    this.#abort.abort();
  }

  /**
   * Journals events and what follows from them, after all that was asked for before. Nothing is written once the run has ended.
   * @throws LeaseLostError, or what the store threw: the run is then broken here, and goes on from its journal in the next worker
   */
  commit(change: Change): Promise<void> {
    const write = this.#writing.then(() => this.#commit(change));
    this.#writing = write.catch((error: unknown) => this.#break(error));
    return write;
  }

  async #commit(change: Change): Promise<void> {
    if (this.broken) throw this.broken;
    if (this.state.end) return;
    const events: JournalEvent[] = [];
    let state = this.state;
    const add = (event: RunEvent) => {
      const stamped = stamp(event, state, this.env.now());
      events.push(stamped);
      state = fold(state, stamped);
    };
    for (const event of change(state)) add(event);
    if (!state.end) for (const event of plan(state, this.env)) add(event);
    if (events.length === 0) return;
    if (state.attempt && state.attempt.id !== this.state.attempt?.id) this.onModelCall(state);
    const record = recordOf(this.record, state);
    await this.store.append({
      record,
      events,
      messages: state.spec.ephemeral ? [] : messagesOf(this.state, events),
      durable: events.some(
        (event) => event.type === "tool.requested" && effectOf(state, event.name) === "write",
      ),
    });
    this.record = record;
    this.state = state;
    this.log.push(...events);
    this.notify();
    callAll(this.#journalListeners);
  }

  #break(error: unknown): void {
    this.broken ??= error instanceof Error ? error : new Error(String(error));
    this.#abort.abort(this.broken);
    this.notify();
    callAll(this.#journalListeners);
  }

  /** Grows with each piece of news; take it before looking, and hand it to `changed`. */
  get version(): number {
    return this.#version;
  }

  /** Resolves when something happened after `version`, deltas included, or when `signal` is aborted. */
  changed(version: number, signal?: AbortSignal): Promise<void> {
    if (this.#version !== version || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal?.addEventListener("abort", wake, { once: true });
    });
  }

  /** Calls `listener` when the journal has grown or the run is broken. @returns ends that */
  onJournal(listener: () => void): () => void {
    this.#journalListeners.add(listener);
    return () => this.#journalListeners.delete(listener);
  }

  /** Tells those who wait for any news. */
  notify(): void {
    this.#version += 1;
    callAll(this.#waiting);
  }
}

function callAll(listeners: ReadonlySet<() => void>): void {
  // A listener only ever removes itself, so going through the set meanwhile is safe.
  for (const listener of listeners) listener();
}

/** The run's row after its state changed. */
export function recordOf(before: RunRecord, state: RunState): RunRecord {
  const record: RunRecord = { ...before, lastSeq: state.seq, usage: state.usage };
  if (!state.end) return record;
  const { status, at, code, message } = state.end;
  record.status = state.spec.ephemeral ? "erasing" : (status satisfies RunStatus);
  record.endedAt = at;
  if (code) record.errorCode = code;
  if (message) record.error = message;
  return record;
}
