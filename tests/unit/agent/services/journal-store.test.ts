import "fake-indexeddb/auto";
import { specOf } from "@tests/fixtures/agent/engine-kit";
import { MemoryJournalStore } from "@tests/fixtures/agent/memory-store";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { MessageDraft } from "@/agent/core/context/messages";
import type { JournalEvent, RunEvent } from "@/agent/core/run/events";
import type { Append, ConversationRecord, JournalStore, RunRecord } from "@/agent/core/run/journal";
import { DexieConversationStore } from "@/agent/services/conversation-store";
import { IdbJournalStore } from "@/agent/services/journal-store";
import { MoggyDatabase } from "@/platform/db";

function record(patch: Partial<RunRecord> = {}): RunRecord {
  return {
    id: "r1",
    kind: "chat",
    status: "running",
    owner: "s",
    conversationId: "s/c",
    title: "Title",
    epoch: 1,
    lastSeq: 1,
    startedAt: 1000,
    ...patch,
  };
}

function event(seq: number, body: RunEvent = { type: "run.completed" }, runId = "r1"): JournalEvent {
  return { ...body, runId, seq, at: 1000 + seq };
}

function draft(id: string): MessageDraft {
  return { id, runId: "r1", role: "user", content: id, createtime: 5000 };
}

function append(patch: Partial<Append> = {}): Append {
  const started = event(1, { type: "run.started", spec: specOf() });
  return { record: record(), events: [started], messages: [], durable: false, ...patch };
}

const conversation: ConversationRecord = {
  id: "s/c",
  publicId: "c",
  owner: "s",
  title: "",
  ephemeral: false,
  options: {},
  createtime: 1,
  updatetime: 1,
  nextSeq: 0,
};

let db: MoggyDatabase;
beforeEach(() => {
  db = new MoggyDatabase(`journal-${Math.random()}`);
});
afterEach(async () => {
  db.close();
  await db.delete();
});

describe.each([
  ["IndexedDB", () => new IdbJournalStore(db)],
  ["the double of the tests", () => new MemoryJournalStore()],
])("the journal in %s", (_name, make: () => JournalStore) => {
  it("creates a run once", async () => {
    const store = make();
    expect(await store.create(append())).toBeNull();
    expect(await store.create(append({ record: record({ title: "Other" }) }))).toMatchObject({
      title: "Title",
    });
    expect(await store.get("r1")).toMatchObject({ title: "Title" });
    expect(await store.read("r1")).toHaveLength(1);
    expect(await store.get("nope")).toBeNull();
  });

  it("appends in order, and reads from a number on", async () => {
    const store = make();
    await store.create(append());
    await store.append(append({ record: record({ lastSeq: 3 }), events: [event(2), event(3)] }));
    expect((await store.read("r1")).map((e) => e.seq)).toEqual([1, 2, 3]);
    expect((await store.read("r1", 3)).map((e) => e.seq)).toEqual([3]);
    expect(await store.read("r")).toEqual([]);
  });

  it("lets the newest owner append only, and nobody leave a gap or write twice", async () => {
    const store = make();
    await store.create(append());
    const claimed = await store.claim("r1");
    expect(claimed?.epoch).toBe(2);
    const stale = append({ record: record({ lastSeq: 2 }), events: [event(2)] });
    await expect(store.append(stale)).rejects.toMatchObject({ name: "LeaseLostError" });
    const next = append({ record: record({ epoch: 2, lastSeq: 2 }), events: [event(2)] });
    await store.append(next);
    await expect(store.append(next)).rejects.toMatchObject({ name: "LeaseLostError" });
    await expect(
      store.append(append({ record: record({ epoch: 2, lastSeq: 9 }), events: [event(9)] })),
    ).rejects.toMatchObject({ name: "LeaseLostError" });
    expect(await store.read("r1")).toHaveLength(2);
    expect(await store.claim("nope")).toBeNull();
  });

  it("knows what is unfinished, and lists the rest", async () => {
    const store = make();
    for (const [i, status] of (["running", "waiting", "erasing", "done", "error"] as const).entries()) {
      const id = `r-${status}`;
      await store.create(
        append({ record: record({ id, status, startedAt: i }), events: [event(1, undefined, id)] }),
      );
    }
    expect((await store.unfinished()).map((r) => r.status).sort()).toEqual(["erasing", "running", "waiting"]);
    expect((await store.list({ status: "done" })).map((r) => r.id)).toEqual(["r-done"]);
    expect((await store.list({ kind: "task" })).map((r) => r.id)).toEqual([]);
  });

  it("erases what a run said, keeps its name for a while, then forgets it", async () => {
    const store = make();
    await store.create(append({ record: record({ endedAt: 2000 }) }));
    await store.erase("r1");
    expect(await store.read("r1")).toEqual([]);
    expect(await store.get("r1")).toMatchObject({ status: "erased", owner: "s" });
    expect(await store.create(append())).toMatchObject({ status: "erased" });
    await store.forgetErased(2000);
    expect(await store.get("r1")).not.toBeNull();
    await store.forgetErased(2001);
    expect(await store.get("r1")).toBeNull();
    await store.erase("nope");
  });
});

describe("the journal in IndexedDB", () => {
  it("puts messages into the conversation in the same transaction, in its order, with its first title", async () => {
    const store = new IdbJournalStore(db);
    const conversations = new DexieConversationStore(db);
    await conversations.create(conversation);
    await store.create(append({ messages: [draft("a")] }));
    await store.append(
      append({
        record: record({ lastSeq: 2, title: "Later" }),
        events: [event(2)],
        messages: [draft("b"), draft("c")],
      }),
    );
    expect((await conversations.messages("s/c")).map(({ id, seq }) => [id, seq])).toEqual([
      ["a", 0],
      ["b", 1],
      ["c", 2],
    ]);
    expect((await conversations.messages("s/c", 1)).map(({ id }) => id)).toEqual(["a"]);
    expect(await conversations.get("s/c")).toMatchObject({ title: "Title", nextSeq: 3, updatetime: 5000 });
    await conversations.clear("s/c");
    expect(await conversations.messages("s/c")).toEqual([]);
    expect(await conversations.get("s/c")).toMatchObject({ title: "", nextSeq: 3 });
  });

  it("writes neither events nor messages when one of them cannot be written", async () => {
    const store = new IdbJournalStore(db);
    const conversations = new DexieConversationStore(db);
    await conversations.create(conversation);
    await store.create(append());
    const uncloneable = { ...draft("a"), content: () => undefined } as unknown as MessageDraft;
    const bad = append({
      record: record({ lastSeq: 2 }),
      events: [event(2)],
      messages: [draft("b"), uncloneable],
    });
    await expect(store.append(bad)).rejects.toMatchObject({ name: "DataCloneError" });
    expect(await store.read("r1")).toHaveLength(1);
    expect((await store.get("r1"))?.lastSeq).toBe(1);
    expect(await conversations.messages("s/c")).toEqual([]);
  });

  it("goes on without the conversation when it was removed", async () => {
    const store = new IdbJournalStore(db);
    await store.create(append({ messages: [draft("a")] }));
    expect(await store.read("r1")).toHaveLength(1);
    expect(await db.messages.count()).toBe(0);
  });

  it("asks for strict durability where an effect follows, and only there", async () => {
    const store = new IdbJournalStore(db);
    await store.create(append());
    const transaction = vi.spyOn(IDBDatabase.prototype, "transaction");
    await store.append(append({ record: record({ lastSeq: 2 }), events: [event(2)] }));
    await store.append(append({ record: record({ lastSeq: 3 }), events: [event(3)], durable: true }));
    expect(transaction.mock.calls.map(([, , options]) => options)).toEqual([
      { durability: "relaxed" },
      { durability: "strict" },
    ]);
  });

  it("does the same work for an append at 10,000 messages as at none", async () => {
    const store = new IdbJournalStore(db);
    await new DexieConversationStore(db).create(conversation);
    await store.create(append());
    const work = async (seq: number): Promise<string[]> => {
      const spies = (["get", "put", "add", "getAll", "openCursor", "count"] as const).map((name) =>
        vi.spyOn(IDBObjectStore.prototype, name),
      );
      await store.append(
        append({ record: record({ lastSeq: seq }), events: [event(seq)], messages: [draft(`m${seq}`)] }),
      );
      const done = spies.flatMap((spy) =>
        spy.mock.contexts.map((on) => `${spy.getMockName()} ${(on as IDBObjectStore).name}`),
      );
      for (const spy of spies) spy.mockRestore();
      return done.sort();
    };
    const empty = await work(2);
    const seqs = Array.from({ length: 10_000 }, (_, i) => 100_000 + i);
    await db.messages.bulkAdd(seqs.map((seq) => ({ conversationId: "s/c", seq })));
    expect(await work(3)).toEqual(empty);
    expect(empty).toHaveLength(6);
  });
});
