import type {
  ConversationContract,
  MessageContent,
  TurnBatch,
  TurnInput,
} from "@/agent/contract/conversation";
import type { StoredMessage } from "@/agent/core/context/messages";
import { systemPrompt } from "@/agent/core/prompts/system";
import type { Clock } from "@/agent/core/run/clock";
import type { RunEngine } from "@/agent/core/run/engine";
import type { RunSpec } from "@/agent/core/run/events";
import { follow } from "@/agent/core/run/follow";
import type { ConversationRecord } from "@/agent/core/run/journal";
import { messagesOf } from "@/agent/core/run/projection";
import type { CallContext } from "@/rpc/caller";
import type { Handlers } from "@/rpc/contract";
import { NamedError } from "@/rpc/errors";
import { type ConversationService, checkBudget, conversationKey } from "./conversation-service";

export interface ChatServiceDeps {
  engine: RunEngine;
  conversations: ConversationService;
  clock: Clock;
}

const DEFAULT_ITERATIONS = 50;
const LONGEST_TITLE = 60;
const LONGEST_TURN_ID = 100;

/** Who begins a turn: the owner of the conversation, and the document that holds the handlers of its tools. */
export interface Asker {
  owner: string;
  documentId: string;
}

/** Turns of conversations: begins them, streams them, takes tool outcomes in, stops them. */
export class ChatService {
  constructor(private readonly deps: ChatServiceDeps) {}

  /**
   * Begins a turn, or finds the one that its id began before.
   * @returns the conversation and the id of the run
   * @throws NamedError NotFoundError, ConversationBusyError, TypeError or NotSupportedError; nothing has happened then
   */
  async begin(
    asker: Asker,
    input: TurnInput,
    options: { background?: boolean; signal?: AbortSignal } = {},
  ): Promise<{ runId: string; conversation: ConversationRecord }> {
    const { engine, conversations } = this.deps;
    const { turnId } = input;
    const conversation = await conversations.record(asker.owner, input.conversationId);
    const before = await engine.get(turnId);
    if (before) {
      this.#checkOwn(before, conversation, turnId);
      return { runId: turnId, conversation };
    }
    if (input.cursor) throw gone(turnId);
    checkTurn(input);
    const spec = specOf(asker, conversation, input, options.background);
    options.signal?.throwIfAborted();
    const record = await engine.start(turnId, spec, titleOf(input.content));
    this.#checkOwn(record, conversation, turnId);
    return { runId: turnId, conversation };
  }

  /** Ends the turn in flight, or does nothing when there is none (with `turnId`: when it is another). */
  async stop(conversation: ConversationRecord, turnId?: string): Promise<void> {
    const runId = await this.deps.engine.runOf(conversation.id);
    if (runId === null || (turnId !== undefined && runId !== turnId)) return;
    await this.deps.engine.stop(runId, "The turn was stopped.");
  }

  /** The contract for scripts. */
  handlers(): Handlers<ConversationContract, CallContext> {
    const { conversations } = this.deps;
    return {
      create: (options, { caller }) => conversations.create(ownerOf(caller), options),
      get: ({ id }, { caller }) => conversations.get(ownerOf(caller), id),
      turn: (input, context) => this.#turn(input, context),
      toolResult: async ({ runId, callId, outcome }, { caller }) => {
        const record = await this.deps.engine.get(runId);
        if (record?.owner !== ownerOf(caller)) throw gone(runId);
        await this.deps.engine.deliver(runId, callId, outcome);
      },
      messages: async ({ conversationId }, { caller }) => {
        const conversation = await conversations.record(ownerOf(caller), conversationId);
        return conversations.messages(conversation, await this.#unstored(conversation));
      },
      clear: async ({ conversationId }, { caller }) => {
        const conversation = await conversations.record(ownerOf(caller), conversationId);
        await this.stop(conversation);
        await conversations.clear(conversation);
      },
      // Everything is durable when it has happened; saving only has to tell whether there is something to save.
      save: async ({ conversationId }, { caller }) => {
        await conversations.record(ownerOf(caller), conversationId);
      },
      stop: async ({ conversationId, turnId }, { caller }) => {
        await this.stop(await conversations.record(ownerOf(caller), conversationId), turnId);
      },
    };
  }

  async *#turn(input: TurnInput, { caller, signal }: CallContext): AsyncGenerator<TurnBatch> {
    const { documentId } = caller;
    const asker = { owner: ownerOf(caller), documentId };
    const { runId, conversation } = await this.begin(asker, input, { signal });
    const title = conversation.title || titleOf(input.content);
    const reader = { documentId, cursor: input.cursor };
    for await (const batch of follow(this.deps.engine, runId, reader, this.deps.clock, signal)) {
      yield batch.reply ? { ...batch, title } : batch;
    }
  }

  /** What an ephemeral turn in flight has said so far: it joins the conversation when it ends. */
  async #unstored({ id, ephemeral }: ConversationRecord): Promise<StoredMessage[]> {
    const runId = ephemeral ? await this.deps.engine.runOf(id) : null;
    if (runId === null) return [];
    const { run } = await this.deps.engine.open(runId);
    return messagesOf(null, run.log).map((draft, seq) => ({ ...draft, conversationId: id, seq }));
  }

  #checkOwn(
    record: { owner: string; conversationId: string },
    conversation: ConversationRecord,
    turnId: string,
  ): void {
    if (record.owner !== conversation.owner || record.conversationId !== conversation.id) throw gone(turnId);
  }
}

function ownerOf(caller: CallContext["caller"]): string {
  if (caller.kind === "script") return caller.uuid;
  throw new NamedError("PermissionDeniedError", "Conversations of scripts are reached by scripts only.");
}

function gone(runId: string): NamedError {
  return new NamedError("NotFoundError", `There is no turn "${runId}" here, or it is over and was erased.`);
}

function checkTurn({ content, turnId, tools, budget }: TurnInput): void {
  if (turnId === "" || turnId.length > LONGEST_TURN_ID) {
    throw new NamedError("TypeError", `A turn's id has 1 to ${LONGEST_TURN_ID} characters.`);
  }
  if (typeof content !== "string" && content.some((block) => block.type !== "text")) {
    throw new NamedError(
      "NotSupportedError",
      "Messages can hold text only; images, files and audio come later.",
    );
  }
  if (textOf(content).trim() === "") throw new NamedError("TypeError", "A message must not be empty.");
  const names = (tools ?? []).map((tool) => tool.name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new NamedError("TypeError", `Two tools are named "${twice}".`);
  checkBudget(budget);
}

function specOf(
  { owner, documentId }: Asker,
  conversation: ConversationRecord,
  input: TurnInput,
  background?: boolean,
): RunSpec {
  const { options } = conversation;
  return {
    kind: "chat",
    owner,
    conversationId: conversationKey(owner, conversation.publicId),
    documentId,
    content: input.content,
    system: systemPrompt(options.system, input.schema),
    modelId: options.model ?? "",
    tools: input.tools ?? [],
    maxIterations: options.maxIterations ?? DEFAULT_ITERATIONS,
    budget: { ...options.budget, ...input.budget },
    cache: options.cache ?? true,
    ephemeral: conversation.ephemeral,
    background: background ?? options.background ?? false,
    ...(input.schema && { schema: input.schema }),
    historyEnd: conversation.nextSeq,
  };
}

function textOf(content: MessageContent): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}

/** A title is the beginning of the first message, on one line. */
function titleOf(content: MessageContent): string {
  const line = textOf(content).replace(/\s+/g, " ").trim();
  return line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE - 1).trimEnd()}…`;
}
