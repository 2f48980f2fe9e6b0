import Dexie from "dexie";
import type { MoggyDatabase } from "@/platform/db";

/** Deletes all kept conversations of an owner, with their messages, runs and journals: all of it, or nothing. */
export async function eraseOwner(db: MoggyDatabase, owner: string): Promise<void> {
  const { conversations, messages, runs, events } = db;
  await db.transaction("rw", conversations, messages, runs, events, async () => {
    const ids = await conversations.where("owner").equals(owner).primaryKeys();
    // Runs of ephemeral conversations too, which have no row there: a conversation's key begins with its owner (conversationKey).
    const runIds = await runs.where("conversationId").startsWith(`${owner}/`).primaryKeys();
    for (const id of ids) {
      await messages.where("[conversationId+seq]").between([id, Dexie.minKey], [id, Dexie.maxKey]).delete();
    }
    for (const id of runIds) {
      await events.where("[runId+seq]").between([id, Dexie.minKey], [id, Dexie.maxKey]).delete();
    }
    await conversations.bulkDelete(ids);
    await runs.bulkDelete(runIds);
  });
}
