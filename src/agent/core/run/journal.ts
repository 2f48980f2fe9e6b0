import type { ConversationOptions, ErrorCode, TokenUsage } from "@/agent/contract/conversation";
import type { MessageDraft, StoredMessage } from "../context/messages";
import type { JournalEvent, RunKind, RunStatus } from "./events";

/**
 * The row of a run: enough to list runs and to own one. `erasing` and `erased` are the ends of an ephemeral run: over but still
 * readable for the one who asked, and then only a name that stops the same turn from being started again.
 */
export interface RunRecord {
  id: string;
  kind: RunKind;
  status: RunStatus | "erasing" | "erased";
  owner: string;
  conversationId: string;
  title: string;
  /** Grows with each worker that takes the run up; only the newest may append. */
  epoch: number;
  /** Number of the newest event. */
  lastSeq: number;
  startedAt: number;
  endedAt?: number;
  usage?: TokenUsage;
  error?: string;
  errorCode?: ErrorCode;
}

/** Settings of a conversation that are kept with it. */
export type KeptOptions = Omit<ConversationOptions, "id" | "ephemeral">;

export interface ConversationRecord {
  /** Key among all conversations. */
  id: string;
  /** The id that its owner knows. Two owners may use the same. */
  publicId: string;
  owner: string;
  title: string;
  ephemeral: boolean;
  options: KeptOptions;
  createtime: number;
  updatetime: number;
  /** Sequence number of the next message. */
  nextSeq: number;
}

/** What one transaction adds. */
export interface Append {
  /** The run's row after it. */
  record: RunRecord;
  events: readonly JournalEvent[];
  /** Messages for the conversation that `record` names; none for an ephemeral run. */
  messages: readonly MessageDraft[];
  /** Must be on disk before the promise resolves: an effect follows that must not happen twice. */
  durable: boolean;
}

export interface RunFilter {
  kind?: RunKind;
  status?: RunStatus;
}

/** Another worker has taken up the run: this one must let go of it and do nothing more. */
export class LeaseLostError extends Error {
  constructor(runId: string) {
    super(`Run ${runId} was taken up by another worker.`);
    this.name = "LeaseLostError";
  }
}

/** The journal of all runs. Each method is one transaction: all of it happened, or nothing. */
export interface JournalStore {
  /**
   * Begins a run. When there is one with its id already, nothing is written.
   * @returns the row that was there before, or null when the run is new
   */
  create(append: Append): Promise<RunRecord | null>;
  /**
   * Adds events to a run that this worker owns.
   * @throws LeaseLostError when the stored row is not of `record.epoch`, or not as long as the first event's number says
   */
  append(append: Append): Promise<void>;
  /** Makes this worker the owner of a run; null when it is gone. */
  claim(runId: string): Promise<RunRecord | null>;
  get(runId: string): Promise<RunRecord | null>;
  /** Events from `fromSeq` on, in order. */
  read(runId: string, fromSeq?: number): Promise<JournalEvent[]>;
  /** Runs that have not ended, and ended ones that wait to be erased. */
  unfinished(): Promise<RunRecord[]>;
  /** Newest first, without erased ones. */
  list(filter: RunFilter): Promise<RunRecord[]>;
  /** Removes the events of a run, keeping its row as `erased`. */
  erase(runId: string): Promise<void>;
  /** Forgets the rows of runs that were erased before `time` (ms since the epoch). */
  forgetErased(time: number): Promise<void>;
}

/** Conversations and their messages. */
export interface ConversationStore {
  get(id: string): Promise<ConversationRecord | null>;
  /** Stores a conversation, unless there is one with its id. @returns the one that is stored now */
  create(record: ConversationRecord): Promise<ConversationRecord>;
  update(id: string, patch: Partial<Pick<ConversationRecord, "title" | "options">>): Promise<void>;
  /** Messages in order, those with a number below `before` only. */
  messages(id: string, before?: number): Promise<StoredMessage[]>;
  /** Removes all messages, and the title that came from them. */
  clear(id: string): Promise<void>;
}
