import type { StoredMessage } from "@/agent/core/context/messages";
import type { ConversationRecord, ConversationStore } from "@/agent/core/run/journal";
import type { MoggyDatabase } from "@/platform/db";

/** Conversations that are kept. Their messages are written by the journal, in the transaction of the events that they show. */
export class DexieConversationStore implements ConversationStore {
  constructor(private readonly db: MoggyDatabase) {}

  async get(id: string): Promise<ConversationRecord | null> {
    return ((await this.db.conversations.get(id)) as ConversationRecord | undefined) ?? null;
  }

  create(record: ConversationRecord): Promise<ConversationRecord> {
    return this.db.transaction("rw", this.db.conversations, async () => {
      const before = await this.get(record.id);
      if (!before) await this.db.conversations.add(record);
      return before ?? record;
    });
  }

  async update(id: string, patch: Partial<Pick<ConversationRecord, "title" | "options">>): Promise<void> {
    await this.db.conversations.update(id, patch as Partial<ConversationRecord>);
  }

  async messages(id: string, before = Number.POSITIVE_INFINITY): Promise<StoredMessage[]> {
    const range = this.db.messages.where("[conversationId+seq]").between([id, 0], [id, before], true, false);
    return (await range.toArray()) as StoredMessage[];
  }

  async clear(id: string): Promise<void> {
    await this.db.transaction("rw", this.db.conversations, this.db.messages, async () => {
      await this.db.messages
        .where("[conversationId+seq]")
        .between([id, 0], [id, Number.POSITIVE_INFINITY])
        .delete();
      await this.db.conversations.update(id, { title: "" } as Partial<ConversationRecord>);
    });
  }
}
