import type { ChatMessage, ConversationHead, ConversationOptions } from "@/agent/contract/conversation";
import { type StoredMessage, toChatMessages } from "@/agent/core/context/messages";
import type { ConversationRecord, KeptOptions } from "@/agent/core/run/journal";
import { NamedError } from "@/rpc/errors";
import type { EphemeralConversationStore } from "./conversation-ephemeral";
import type { DexieConversationStore } from "./conversation-store";

export interface ConversationServiceDeps {
  kept: DexieConversationStore;
  ephemeral: EphemeralConversationStore;
  /** Id of the default model config; "" if there is none. */
  defaultModelId(): Promise<string>;
  now(): number;
}

const LONGEST_ID = 200;

/** Key of a conversation among all: what one owner calls its conversations can neither meet nor betray those of another. */
export function conversationKey(owner: string, publicId: string): string {
  return `${owner}/${publicId}`;
}

/** Makes, finds and shows conversations. An owner reaches its own only; to it, the others do not exist. */
export class ConversationService {
  constructor(private readonly deps: ConversationServiceDeps) {}

  /**
   * A new conversation, or the owner's one with that id, whose settings are then changed as far as they are given.
   * @throws NamedError TypeError for settings that make no sense, NotSupportedError for those that are not built yet
   */
  async create(owner: string, options: ConversationOptions): Promise<ConversationHead> {
    const { id, ephemeral = false, ...given } = options;
    checkOptions(options);
    const publicId = id ?? crypto.randomUUID();
    const key = conversationKey(owner, publicId);
    const now = this.deps.now();
    const fresh: ConversationRecord = {
      id: key,
      publicId,
      owner,
      title: "",
      ephemeral,
      options: given,
      createtime: now,
      updatetime: now,
      nextSeq: 0,
    };
    const stored = (await this.#get(key)) ?? (await this.#storeOf(fresh).create(fresh));
    if (stored === fresh) return this.#head(fresh);
    if (options.ephemeral !== undefined && stored.ephemeral !== ephemeral) {
      const what = stored.ephemeral ? "ephemeral" : "kept";
      throw new NamedError("TypeError", `The conversation "${publicId}" is ${what}, and stays so.`);
    }
    const merged = { ...stored.options, ...defined(given) };
    await this.#storeOf(stored).update(key, { options: merged });
    return this.#head({ ...stored, options: merged });
  }

  /** Null for an id that the owner has no conversation with. */
  async get(owner: string, publicId: string): Promise<ConversationHead | null> {
    const record = await this.#get(conversationKey(owner, publicId));
    return record && this.#head(record);
  }

  /** @throws NamedError NotFoundError */
  async record(owner: string, publicId: string): Promise<ConversationRecord> {
    const record = await this.#get(conversationKey(owner, publicId));
    if (record) return record;
    throw new NamedError(
      "NotFoundError",
      `There is no conversation "${publicId}". An ephemeral one ends with the browser, or when many newer ones need its room.`,
    );
  }

  /** Messages from before `before` (a sequence number). */
  history(record: Pick<ConversationRecord, "id" | "ephemeral">, before?: number): Promise<StoredMessage[]> {
    return record.ephemeral
      ? this.deps.ephemeral.messages(record.id)
      : this.deps.kept.messages(record.id, before);
  }

  /** @param running messages of a turn in flight that are not stored with an ephemeral conversation yet */
  async messages(record: ConversationRecord, running: readonly StoredMessage[]): Promise<ChatMessage[]> {
    return toChatMessages([...(await this.history(record)), ...running], record.publicId);
  }

  clear(record: ConversationRecord): Promise<void> {
    return this.#storeOf(record).clear(record.id);
  }

  async #get(key: string): Promise<ConversationRecord | null> {
    return (await this.deps.kept.get(key)) ?? this.deps.ephemeral.get(key);
  }

  #storeOf({ ephemeral }: ConversationRecord): DexieConversationStore | EphemeralConversationStore {
    return ephemeral ? this.deps.ephemeral : this.deps.kept;
  }

  async #head({ publicId, title, options }: ConversationRecord): Promise<ConversationHead> {
    return { id: publicId, title, modelId: options.model || (await this.deps.defaultModelId()) };
  }
}

function checkOptions({ id, maxIterations, budget }: ConversationOptions): void {
  if (id !== undefined && (id === "" || id.length > LONGEST_ID)) {
    throw new NamedError("TypeError", `A conversation's id has 1 to ${LONGEST_ID} characters.`);
  }
  if (maxIterations !== undefined && !(Number.isInteger(maxIterations) && maxIterations > 0)) {
    throw new NamedError("TypeError", "maxIterations must be a whole number above 0.");
  }
  checkBudget(budget);
}

/** @throws NamedError when a limit is no positive number, or is one that cannot be enforced yet */
export function checkBudget(budget: ConversationOptions["budget"]): void {
  for (const [name, limit] of Object.entries(budget ?? {})) {
    if (limit === undefined) continue;
    if (name === "costUsd") {
      throw new NamedError(
        "NotSupportedError",
        "budget.costUsd cannot be kept yet, for the prices of models are not known. Use budget.tokens.",
      );
    }
    if (!(limit > 0)) throw new NamedError("TypeError", `budget.${name} must be a number above 0.`);
  }
}

function defined(options: KeptOptions): KeptOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
