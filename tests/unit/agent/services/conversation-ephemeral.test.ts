import { memorySession } from "@tests/fixtures/memory-session";
import { describe, expect, it } from "vitest";
import type { MessageDraft } from "@/agent/core/context/messages";
import type { ConversationRecord } from "@/agent/core/run/journal";
import { EphemeralConversationStore } from "@/agent/services/conversation-ephemeral";

function conversation(id: string): ConversationRecord {
  return {
    id,
    publicId: id,
    owner: "s",
    title: "",
    ephemeral: true,
    options: {},
    createtime: 1,
    updatetime: 1,
    nextSeq: 0,
  };
}

function draft(content: string, runId = "r1"): MessageDraft {
  return { id: content.slice(0, 9), runId, role: "user", content, createtime: 7 };
}

describe("ephemeral conversations", () => {
  it("keep the messages of a run once, however often they are handed over", async () => {
    const store = new EphemeralConversationStore(memorySession());
    await store.create(conversation("c"));
    await store.keep("c", "r1", "Title", [draft("a"), draft("b")]);
    await store.keep("c", "r1", "Title", [draft("a"), draft("b")]);
    await store.keep("c", "r2", "Other", [draft("c", "r2")]);
    expect((await store.messages("c")).map(({ content, seq }) => [content, seq])).toEqual([
      ["a", 0],
      ["b", 1],
      ["c", 2],
    ]);
    expect(await store.get("c")).toMatchObject({ title: "Title", nextSeq: 3, updatetime: 7 });
  });

  it("outlive the worker's object", async () => {
    const session = memorySession();
    await new EphemeralConversationStore(session).create(conversation("c"));
    expect(await new EphemeralConversationStore(session).get("c")).toMatchObject({ id: "c" });
  });

  it("lose no change to another that is made at the same time", async () => {
    const store = new EphemeralConversationStore(memorySession());
    await store.create(conversation("c"));
    const runs = Array.from({ length: 20 }, (_, i) => `r${i}`);
    await Promise.all(runs.map((run) => store.keep("c", run, "T", [draft(run, run)])));
    expect(await store.messages("c")).toHaveLength(20);
  });

  it("make room by forgetting the least recently used", async () => {
    const store = new EphemeralConversationStore(memorySession());
    for (let i = 0; i < 64; i++) await store.create(conversation(`c${i}`));
    await store.keep("c0", "r1", "T", [draft("used")]);
    await store.create(conversation("c64"));
    expect(await store.get("c1")).toBeNull();
    expect(await store.get("c0")).not.toBeNull();
    await store.keep("c64", "r1", "T", [draft("x".repeat(2_100_000))]);
    expect(await store.get("c0")).toBeNull();
    expect(await store.messages("c64")).toHaveLength(1);
  });

  it("do nothing for one that was forgotten, and forget all on reset", async () => {
    const session = memorySession();
    const store = new EphemeralConversationStore(session);
    await store.keep("gone", "r1", "T", [draft("a")]);
    expect(await store.get("gone")).toBeNull();
    await store.create(conversation("c"));
    await store.reset();
    expect(await store.get("c")).toBeNull();
    expect(await session.get("ephemeral")).toBeUndefined();
  });

  it("go on after a change that failed", async () => {
    const session = memorySession();
    const store = new EphemeralConversationStore(session);
    const { set } = session;
    session.set = () => Promise.reject(new Error("quota"));
    await expect(store.create(conversation("c"))).rejects.toThrow("quota");
    session.set = set;
    await store.create(conversation("c"));
    expect(await store.get("c")).not.toBeNull();
  });
});
