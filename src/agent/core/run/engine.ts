import { NamedError } from "@/rpc/errors";
import type { MessageDraft } from "../context/messages";
import type { LoopEnv } from "../loop/env";
import { drive, endEvents } from "../loop/loop";
import { overBudget } from "../loop/plan";
import { resultText, type ToolOutcome } from "../tools/result";
import { ActiveRun } from "./active-run";
import { begin } from "./begin";
import type { JournalEvent, RunSpec } from "./events";
import { type JournalStore, LeaseLostError, type RunFilter, type RunRecord } from "./journal";
import { Presence } from "./presence";
import { messagesOf } from "./projection";
import { foldAll, openCalls } from "./state";

export interface EngineEnv extends LoopEnv {
  /** Takes the messages of an ephemeral run over before its journal is erased. Repeating it changes nothing. */
  keepEphemeral(record: RunRecord, messages: readonly MessageDraft[]): Promise<void>;
  /** Told of faults that no caller waits for. */
  report(error: unknown, during: string): void;
  /** Told of a run that ended in an error; its own caller, if there still is one, learns it from the run. */
  failed?(record: RunRecord, spec: RunSpec): void;
}

/** How long the name of an erased run still stops the same turn from being started again. */
const TOMBSTONE_MS = 3_600_000;

/** A run in this worker and when all that follows from its end has been done. */
interface Owned {
  run: ActiveRun;
  presence: Presence;
  over: Promise<void>;
}

/**
 * Owns every run of this worker: starts and takes up, stops, and hands outcomes of tools in. What a run has done is in the journal
 * before anybody hears of it, so a new engine over the same store goes on where this one died.
 */
export class RunEngine {
  readonly #owned = new Map<string, Owned>();
  readonly #starting = new Map<string, Promise<RunRecord>>();
  /** The run that has a conversation to itself. */
  readonly #busy = new Map<string, string>();
  /** Ephemeral runs whose messages are taken care of. */
  readonly #erasable = new WeakSet<ActiveRun>();
  #resumed: Promise<void> | null = null;

  constructor(
    private readonly store: JournalStore,
    private readonly env: EngineEnv,
  ) {}

  /** Takes up what earlier workers left unfinished. Done once; everything else waits for it. */
  resumeAll(): Promise<void> {
    this.#resumed ??= this.#resumeAll().catch((error: unknown) => {
      this.#resumed = null;
      throw error;
    });
    return this.#resumed;
  }

  /**
   * Starts a run. An id that was used before starts nothing: the row of that run is returned.
   * @throws NamedError ConversationBusyError while another run has the conversation
   */
  async start(id: string, spec: RunSpec, title: string): Promise<RunRecord> {
    await this.resumeAll();
    const starting = this.#starting.get(id);
    if (starting) return starting;
    const started = this.#start(id, spec, title).finally(() => this.#starting.delete(id));
    this.#starting.set(id, started);
    return started;
  }

  /** The row of a run, or null. */
  async get(runId: string): Promise<RunRecord | null> {
    await this.resumeAll();
    return this.#owned.get(runId)?.run.record ?? this.store.get(runId);
  }

  /** The run that has a conversation to itself, or null. */
  async runOf(conversationId: string): Promise<string | null> {
    await this.resumeAll();
    const runId = this.#busy.get(conversationId);
    return runId !== undefined && !this.#owned.get(runId)?.run.state.end ? runId : null;
  }

  list(filter: RunFilter): Promise<RunRecord[]> {
    return this.store.list(filter);
  }

  /** The journal of a run from `fromSeq` on. */
  events(runId: string, fromSeq = 0): Promise<JournalEvent[]> {
    return this.store.read(runId, fromSeq);
  }

  /** Ends a run, keeping what it produced. Resolves when the end is journaled; at once for a run that is over. */
  async stop(runId: string, message: string): Promise<void> {
    await this.resumeAll();
    await this.#starting.get(runId);
    const owned = this.#owned.get(runId);
    if (!owned) return;
    owned.run.finish({ type: "run.stopped", message });
    await owned.over;
    if (!owned.run.state.end && owned.run.broken) throw owned.run.broken;
  }

  /** Journals the outcome of a tool call. A second outcome of the same call changes nothing. */
  async deliver(runId: string, callId: string, outcome: ToolOutcome): Promise<void> {
    await this.resumeAll();
    const run = this.#owned.get(runId)?.run;
    if (!run) return;
    await run.commit((state) =>
      openCalls(state)
        .filter((call) => call.id === callId && call.status === "requested")
        .map((call) => ({
          type: "tool.completed" as const,
          callId,
          name: call.name,
          ...resultText(outcome),
          by: "tool" as const,
        })),
    );
  }

  /**
   * A run to be read: the one at work here, or the finished one from the store.
   * @returns the run, and how to be counted among its readers
   */
  async open(runId: string): Promise<{ run: ActiveRun; attach: () => (readEnd: boolean) => void }> {
    await this.resumeAll();
    await this.#starting.get(runId);
    const owned = this.#owned.get(runId);
    if (owned) return { run: owned.run, attach: () => owned.presence.attach() };
    const record = await this.store.get(runId);
    const log = record ? await this.store.read(runId) : [];
    const state = foldAll(log);
    if (!record || !state) {
      throw new NamedError("NotFoundError", `There is no run "${runId}", or it is over and was erased.`);
    }
    const run = new ActiveRun(this.store, this.#planEnv, record, log, state);
    return { run, attach: () => () => undefined };
  }

  /** Stops all runs, or those of one owner, and resolves when they have ended. */
  async stopAll(message: string, owner?: string): Promise<void> {
    await this.resumeAll();
    const runs = [...this.#owned.values()].filter(
      ({ run }) => owner === undefined || run.record.owner === owner,
    );
    await Promise.all(runs.map(({ run }) => this.stop(run.id, message)));
  }

  get #planEnv() {
    return { now: () => this.env.clock.now(), newId: () => this.env.newId() };
  }

  async #start(id: string, spec: RunSpec, title: string): Promise<RunRecord> {
    const { conversationId } = spec;
    const same = this.#owned.get(id);
    if (same) return same.run.record;
    const other = this.#busy.get(conversationId);
    if (other !== undefined) {
      const before = this.#owned.get(other);
      if (!before?.run.state.end) throw busy();
      await before.over;
      if (this.#busy.has(conversationId)) throw busy();
    }
    this.#busy.set(conversationId, id);
    for (const { run, presence } of this.#owned.values()) {
      if (run.record.conversationId === conversationId) presence.letGo();
    }
    try {
      const { record, log, state } = begin(id, spec, title, this.#planEnv);
      const messages = spec.ephemeral ? [] : messagesOf(null, log);
      const before = await this.store.create({ record, events: log, messages, durable: false });
      if (before) {
        this.#busy.delete(conversationId);
        return before;
      }
      this.#own(new ActiveRun(this.store, this.#planEnv, record, log, state), false);
      return record;
    } catch (error) {
      if (!this.#owned.has(id)) this.#busy.delete(conversationId);
      throw error;
    }
  }

  async #resumeAll(): Promise<void> {
    await this.store.forgetErased(this.env.clock.now() - TOMBSTONE_MS);
    for (const record of await this.store.unfinished()) {
      try {
        await this.#takeUp(record);
      } catch (error) {
        // One damaged run must not keep the others from going on.
        this.env.report(error, `taking up run ${record.id}`);
      }
    }
  }

  async #takeUp({ id }: RunRecord): Promise<void> {
    const record = await this.store.claim(id);
    if (!record) return;
    const log = await this.store.read(id);
    let state: ReturnType<typeof foldAll>;
    try {
      state = foldAll(log);
      if (!state || state.seq !== record.lastSeq) throw new Error(`The journal of run ${id} has a gap.`);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const broken: RunRecord = {
        ...record,
        status: "error",
        error: message,
        endedAt: this.env.clock.now(),
      };
      await this.store.append({ record: broken, events: [], messages: [], durable: false });
      throw error;
    }
    const run = new ActiveRun(this.store, this.#planEnv, record, log, state);
    for (const call of openCalls(state)) if (call.status === "requested") run.delivered.add(call.id);
    this.#busy.set(state.spec.conversationId, id);
    this.#own(run, true);
  }

  #own(run: ActiveRun, takenUp: boolean): void {
    const presence = new Presence(run, this.env, () => this.#release(run));
    const over = this.#drive(run, takenUp);
    this.#owned.set(run.id, { run, presence, over });
    over.then(() => presence.over());
  }

  /** Never rejects: what goes wrong is in the run (`broken`) or reported. */
  async #drive(run: ActiveRun, takenUp: boolean): Promise<void> {
    const cancelLimit = this.#limitTime(run);
    try {
      if (!run.state.end) await this.#driveToEnd(run, takenUp);
      if (run.state.spec.ephemeral && run.state.end) {
        await this.env.keepEphemeral(run.record, messagesOf(null, run.log));
        this.#erasable.add(run);
      }
    } catch (error) {
      if (!(error instanceof LeaseLostError)) this.env.report(error, `run ${run.id}`);
    } finally {
      cancelLimit();
      if (this.#busy.get(run.state.spec.conversationId) === run.id) {
        this.#busy.delete(run.state.spec.conversationId);
      }
    }
  }

  async #driveToEnd(run: ActiveRun, takenUp: boolean): Promise<void> {
    try {
      await drive(run, this.env, takenUp);
      if (run.state.end?.status === "error") this.env.failed?.(run.record, run.state.spec);
    } catch (error) {
      if (run.broken) throw error;
      const message = error instanceof Error ? error.message : String(error);
      await run.commit((state) =>
        endEvents(state, run.live, { type: "run.failed", code: "api_error", message }),
      );
      throw error;
    }
  }

  /** Ends the run when its wall time is spent, the time that no worker lived included. @returns cancels it */
  #limitTime(run: ActiveRun): () => void {
    const { wallMs } = run.state.spec.budget;
    if (wallMs === undefined) return () => undefined;
    const left = run.state.startedAt + wallMs - this.env.clock.now();
    return this.env.clock.after(Math.max(0, left), () => {
      run.finish(overBudget(`${wallMs} ms`));
    });
  }

  /** Called when the run is over and nobody reads it any more. */
  async #release(run: ActiveRun): Promise<void> {
    this.#owned.delete(run.id);
    if (!this.#erasable.has(run)) return;
    try {
      await this.store.erase(run.id);
    } catch (error) {
      this.env.report(error, `erasing run ${run.id}`);
    }
  }
}

function busy(): NamedError {
  return new NamedError(
    "ConversationBusyError",
    "This conversation is in the middle of a turn. Wait for its reply, or stop() it, before the next chat().",
  );
}
