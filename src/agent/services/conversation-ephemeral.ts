import type { MessageDraft, StoredMessage } from "@/agent/core/context/messages";
import type { ConversationRecord, ConversationStore } from "@/agent/core/run/journal";
import { SerialQueue } from "@/platform/serial-queue";
import type { SessionStorage } from "@/platform/session-storage";

interface Held {
  record: ConversationRecord;
  messages: StoredMessage[];
}

/** The newest last, with the size of each. */
type Index = Array<{ id: string; chars: number }>;

const INDEX = "ephemeral";
/** What is kept at most: session storage holds 10 MB for everything. */
const MAX_CONVERSATIONS = 64;
const MAX_CHARS = 2_000_000;

/**
 * Conversations that are never written to disk by their content: they outlive the worker, which the browser stops whenever it
 * idles, and end with the browser. The least recently used make room for new ones.
 */
export class EphemeralConversationStore implements ConversationStore {
  /** One change at a time: each is a read and a write. */
  readonly #changes = new SerialQueue();

  constructor(private readonly session: SessionStorage) {}

  async get(id: string): Promise<ConversationRecord | null> {
    return (await this.#held(id))?.record ?? null;
  }

  create(record: ConversationRecord): Promise<ConversationRecord> {
    return this.#changes.run(async () => {
      const before = await this.get(record.id);
      if (!before) await this.#put({ record, messages: [] });
      return before ?? record;
    });
  }

  update(id: string, patch: Partial<Pick<ConversationRecord, "title" | "options">>): Promise<void> {
    return this.#change(id, ({ record, messages }) => ({ record: { ...record, ...patch }, messages }));
  }

  async messages(id: string): Promise<StoredMessage[]> {
    return (await this.#held(id))?.messages ?? [];
  }

  clear(id: string): Promise<void> {
    return this.#change(id, ({ record }) => ({ record: { ...record, title: "" }, messages: [] }));
  }

  /** Adds the messages of a run that has ended; a second time it does nothing. */
  keep(id: string, runId: string, title: string, drafts: readonly MessageDraft[]): Promise<void> {
    return this.#change(id, ({ record, messages }) => {
      if (messages.some((message) => message.runId === runId)) return { record, messages };
      let { nextSeq } = record;
      const added = drafts.map((draft) => ({ ...draft, conversationId: id, seq: nextSeq++ }));
      const updatetime = drafts.at(-1)?.createtime ?? record.updatetime;
      return {
        record: { ...record, title: record.title || title, updatetime, nextSeq },
        messages: [...messages, ...added],
      };
    });
  }

  /** Forgets everything. */
  reset(): Promise<void> {
    return this.#changes.run(async () => {
      for (const { id } of await this.#index()) await this.session.remove(keyOf(id));
      await this.session.remove(INDEX);
    });
  }

  #held(id: string): Promise<Held | undefined> {
    return this.session.get<Held>(keyOf(id));
  }

  async #index(): Promise<Index> {
    return (await this.session.get<Index>(INDEX)) ?? [];
  }

  #change(id: string, update: (held: Held) => Held): Promise<void> {
    return this.#changes.run(async () => {
      const held = await this.#held(id);
      if (held) await this.#put(update(held));
    });
  }

  async #put(held: Held): Promise<void> {
    const { id } = held.record;
    const chars = JSON.stringify(held).length;
    const others = (await this.#index()).filter((entry) => entry.id !== id);
    const index = [...others, { id, chars }];
    const room = () => index.length <= MAX_CONVERSATIONS && sum(index) <= MAX_CHARS;
    while (index.length > 1 && !room()) {
      const oldest = index.shift();
      if (oldest) await this.session.remove(keyOf(oldest.id));
    }
    await this.session.set(INDEX, index);
    await this.session.set(keyOf(id), held);
  }
}

function keyOf(id: string): string {
  return `${INDEX}:${id}`;
}

function sum(index: Index): number {
  return index.reduce((total, { chars }) => total + chars, 0);
}
