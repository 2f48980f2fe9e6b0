import Dexie from "dexie";
import { releaseOwners } from "@/files/attachments";
import type { MoggyDatabase } from "@/platform/db";

/**
 * Deletes all kept conversations of an owner, with their messages, runs and journals: all of it, or nothing. Their attachments are
 * let go of, and go with the next clean-up.
 * @param now ms since the epoch
 */
export async function eraseOwner(db: MoggyDatabase, owner: string, now: number): Promise<void> {
  const { conversations, messages, runs, events, attachments, attachmentRefs } = db;
  const tables = [conversations, messages, runs, events, attachments, attachmentRefs];
  await db.transaction("rw", tables, async () => {
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
    await releaseOwners(db, `conversation:${owner}/`, now);
  });
}
