import "fake-indexeddb/auto";
import { expect, it } from "vitest";
import { eraseOwner } from "@/agent/services/erase-owner";
import { MoggyDatabase } from "@/platform/db";

async function fill(db: MoggyDatabase, owner: string): Promise<void> {
  const id = `${owner}/chat`;
  await db.conversations.add({ id, owner, updatetime: 1 });
  await db.messages.bulkAdd([0, 1].map((seq) => ({ conversationId: id, seq })));
  for (const run of [`${owner}-kept`, `${owner}-ephemeral`]) {
    const conversationId = run.endsWith("kept") ? id : `${owner}/other`;
    await db.runs.add({ id: run, kind: "chat", status: "done", conversationId, startedAt: 1 });
    await db.events.bulkAdd([1, 2].map((seq) => ({ runId: run, seq })));
  }
}

it("takes all that a script said to models, and nothing of another's", async () => {
  const db = new MoggyDatabase("erase-owner");
  const tables = [db.conversations, db.messages, db.runs, db.events];
  await fill(db, "one");
  const before = await Promise.all(tables.map((table) => table.toArray()));
  await fill(db, "one-more");
  await eraseOwner(db, "one-more", 5);
  expect(await Promise.all(tables.map((table) => table.toArray()))).toEqual(before);
  await eraseOwner(db, "one", 5);
  expect(await Promise.all(tables.map((table) => table.count()))).toEqual([0, 0, 0, 0]);
});

it("lets go of the attachments of its conversations, which others may still need", async () => {
  const db = new MoggyDatabase("erase-owner-attachments");
  const row = { name: "x", mimeType: "", type: "file", size: 1, createdAt: 1 } as const;
  await db.attachments.bulkAdd(["a", "b"].map((id) => ({ id, ...row })));
  await db.attachmentRefs.bulkAdd([
    { attachment: "a", owner: "conversation:one/chat" },
    { attachment: "b", owner: "conversation:one/chat" },
    { attachment: "b", owner: "conversation:one-more/chat" },
  ]);
  await eraseOwner(db, "one", 7);
  expect(await db.attachments.toArray()).toEqual([
    { id: "a", ...row, unusedSince: 7 },
    { id: "b", ...row },
  ]);
  expect(await db.attachmentRefs.count()).toBe(1);
});
