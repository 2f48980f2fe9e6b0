import type { StoredMessage } from "@/agent/core/context/messages";
import type { JournalEvent } from "@/agent/core/run/events";
import {
  type Append,
  type ConversationRecord,
  type JournalStore,
  LeaseLostError,
  type RunFilter,
  type RunRecord,
} from "@/agent/core/run/journal";
import type { MoggyDatabase } from "@/platform/db";
import { type Durability, result, transact } from "./journal-idb";

/**
 * The journal in IndexedDB. Written to without Dexie's wrapper: an append is on the path of every tool call, and its durability is
 * chosen each time. Its cost does not depend on how much is stored: it touches rows by key alone.
 */
export class IdbJournalStore implements JournalStore {
  constructor(private readonly db: MoggyDatabase) {}

  create(append: Append): Promise<RunRecord | null> {
    return this.#write(append, async (transaction) => {
      const { run, conversation } = await this.#rows(transaction, append);
      if (run) return run;
      transaction.objectStore("runs").add(append.record);
      this.#add(transaction, append, conversation);
      return null;
    });
  }

  async append(append: Append): Promise<void> {
    const { record, events } = append;
    await this.#write(append, async (transaction) => {
      const { run, conversation } = await this.#rows(transaction, append);
      const expected = events[0] ? events[0].seq - 1 : record.lastSeq;
      if (run?.epoch !== record.epoch || run.lastSeq !== expected) throw new LeaseLostError(record.id);
      transaction.objectStore("runs").put(record);
      this.#add(transaction, append, conversation);
    });
  }

  claim(runId: string): Promise<RunRecord | null> {
    return this.#transact(["runs"], "readwrite", "relaxed", async (transaction) => {
      const runs = transaction.objectStore("runs");
      const stored = (await result(runs.get(runId))) as RunRecord | undefined;
      if (!stored) return null;
      const claimed = { ...stored, epoch: stored.epoch + 1 };
      runs.put(claimed);
      return claimed;
    });
  }

  get(runId: string): Promise<RunRecord | null> {
    return this.#transact(["runs"], "readonly", "relaxed", async (transaction) => {
      const found = await result(transaction.objectStore("runs").get(runId));
      return (found as RunRecord | undefined) ?? null;
    });
  }

  read(runId: string, fromSeq = 0): Promise<JournalEvent[]> {
    return this.#transact(["events"], "readonly", "relaxed", async (transaction) => {
      return (await result(
        transaction.objectStore("events").getAll(rangeOf(runId, fromSeq)),
      )) as JournalEvent[];
    });
  }

  async unfinished(): Promise<RunRecord[]> {
    const rows = await this.#withStatus(["running", "waiting", "erasing"]);
    return rows.sort((a, b) => a.startedAt - b.startedAt);
  }

  async list({ kind, status }: RunFilter): Promise<RunRecord[]> {
    const rows = status ? await this.#withStatus([status]) : await this.#all();
    return rows
      .filter((row) => row.status !== "erased" && row.status !== "erasing")
      .filter((row) => kind === undefined || row.kind === kind)
      .sort((a, b) => b.startedAt - a.startedAt);
  }

  erase(runId: string): Promise<void> {
    return this.#transact(["runs", "events"], "readwrite", "relaxed", async (transaction) => {
      const runs = transaction.objectStore("runs");
      const stored = (await result(runs.get(runId))) as RunRecord | undefined;
      transaction.objectStore("events").delete(rangeOf(runId));
      if (!stored) return;
      const { id, kind, owner, conversationId, epoch, lastSeq, startedAt, endedAt } = stored;
      const tombstone: RunRecord = {
        id,
        kind,
        status: "erased",
        owner,
        conversationId,
        title: "",
        epoch,
        lastSeq,
        startedAt,
        endedAt,
      };
      runs.put(tombstone);
    });
  }

  async forgetErased(time: number): Promise<void> {
    const old = (await this.#withStatus(["erased"])).filter((row) => (row.endedAt ?? 0) < time);
    if (old.length === 0) return;
    await this.#transact(["runs"], "readwrite", "relaxed", async (transaction) => {
      const runs = transaction.objectStore("runs");
      for (const { id } of old) runs.delete(id);
    });
  }

  /** What an append has to know, read at once. */
  async #rows(
    transaction: IDBTransaction,
    { record, messages }: Append,
  ): Promise<{ run: RunRecord | undefined; conversation: ConversationRecord | undefined }> {
    const [run, conversation] = await Promise.all([
      result(transaction.objectStore("runs").get(record.id)),
      messages.length > 0
        ? result(transaction.objectStore("conversations").get(record.conversationId))
        : undefined,
    ]);
    return {
      run: run as RunRecord | undefined,
      conversation: conversation as ConversationRecord | undefined,
    };
  }

  /** Adds events, and messages with the place that their conversation gives them. */
  #add(
    transaction: IDBTransaction,
    { record, events, messages }: Append,
    conversation: ConversationRecord | undefined,
  ): void {
    const store = transaction.objectStore("events");
    for (const event of events) store.add(event);
    // A conversation that was removed meanwhile gets no messages; its run goes on without it.
    if (messages.length === 0 || !conversation) return;
    let { nextSeq } = conversation;
    const places = transaction.objectStore("messages");
    for (const draft of messages) {
      places.add({ ...draft, conversationId: conversation.id, seq: nextSeq++ } satisfies StoredMessage);
    }
    const updatetime = messages.at(-1)?.createtime ?? conversation.updatetime;
    const title = conversation.title || record.title;
    const changed = { ...conversation, title, updatetime, nextSeq } satisfies ConversationRecord;
    transaction.objectStore("conversations").put(changed);
  }

  #write<T>(append: Append, work: (transaction: IDBTransaction) => Promise<T>): Promise<T> {
    const stores = ["runs", "events"];
    if (append.messages.length > 0) stores.push("messages", "conversations");
    return this.#transact(stores, "readwrite", append.durable ? "strict" : "relaxed", work);
  }

  #withStatus(statuses: readonly string[]): Promise<RunRecord[]> {
    return this.#transact(["runs"], "readonly", "relaxed", async (transaction) => {
      const index = transaction.objectStore("runs").index("status");
      const found = await Promise.all(statuses.map((status) => result(index.getAll(status))));
      return found.flat() as RunRecord[];
    });
  }

  #all(): Promise<RunRecord[]> {
    return this.#transact(
      ["runs"],
      "readonly",
      "relaxed",
      async (transaction) => (await result(transaction.objectStore("runs").getAll())) as RunRecord[],
    );
  }

  async #transact<T>(
    stores: string[],
    mode: IDBTransactionMode,
    durability: Durability,
    work: (transaction: IDBTransaction) => Promise<T>,
  ): Promise<T> {
    if (!this.db.isOpen()) await this.db.open();
    return transact(this.db.backendDB(), stores, mode, durability, work);
  }
}

/** All keys `[runId, n]` with n ≥ `from`: an empty array sorts after every number. */
function rangeOf(runId: string, from = 0): IDBKeyRange {
  return IDBKeyRange.bound([runId, from], [runId, []]);
}
