import {
  type ConversationContract,
  conversationContract,
  type ErrorCode,
} from "@/agent/contract/conversation";
import { modelApiContract, modelsContract } from "@/agent/contract/models";
import { systemClock } from "@/agent/core/run/clock";
import { RunEngine } from "@/agent/core/run/engine";
import type { OffscreenLink } from "@/offscreen/types";
import type { MoggyDatabase } from "@/platform/db";
import type { Keepalive } from "@/platform/keepalive";
import type { SecretBox } from "@/platform/secrets";
import type { SessionStorage } from "@/platform/session-storage";
import type { KeyValueStorage } from "@/platform/storage";
import type { Router } from "@/rpc/server";
import type { Sandbox } from "@/sandbox/service";
import { ChatService } from "./chat-service";
import { EphemeralConversationStore } from "./conversation-ephemeral";
import { ConversationService } from "./conversation-service";
import { DexieConversationStore } from "./conversation-store";
import { IdbJournalStore } from "./journal-store";
import { ModelService } from "./model-service";
import { BuiltinTools } from "./tools";

export interface AgentServiceDeps {
  db: MoggyDatabase;
  router: Router;
  secrets: SecretBox;
  storage: KeyValueStorage;
  session: SessionStorage;
  keepalive: Keepalive;
  fetch: typeof fetch;
  offscreen: OffscreenLink;
  sandbox: Sandbox;
  /** For a fault that concerns no caller. */
  report(during: string, error: unknown, source?: string): void;
}

/** Ends of a run that a person can do something about: the key, the host, the choice of the model. */
const MODEL_FAULTS: ReadonlySet<ErrorCode> = new Set([
  "auth",
  "rate_limit",
  "api_error",
  "context_too_large",
  "no_model",
]);

/** Everything of agents that lives in the worker, built once and composed here; each part gets only what it uses. */
export class AgentService {
  readonly engine: RunEngine;
  readonly models: ModelService;
  readonly conversations: ConversationService;
  readonly chat: ChatService;
  readonly tools: BuiltinTools;
  readonly #ephemeral: EphemeralConversationStore;

  constructor(deps: AgentServiceDeps) {
    const { db, router, secrets, storage, session, keepalive, fetch, offscreen, sandbox, report } = deps;
    const clock = systemClock;
    const models = new ModelService({ storage, secrets, fetch, now: clock.now });
    const kept = new DexieConversationStore(db);
    const ephemeral = new EphemeralConversationStore(session);
    const conversations = new ConversationService({
      kept,
      ephemeral,
      defaultModelId: async () => (await models.list()).find((model) => model.isDefault)?.id ?? "",
      now: clock.now,
    });
    const engine = new RunEngine(new IdbJournalStore(db), {
      clock,
      random: Math.random,
      newId: () => crypto.randomUUID(),
      resolveModel: (id) => models.resolve(id),
      history: ({ conversationId: id, ephemeral, historyEnd }) =>
        conversations.history({ id, ephemeral }, historyEnd),
      hold: (reason) => keepalive.hold(reason),
      keepEphemeral: ({ conversationId, id, title }, messages) =>
        ephemeral.keep(conversationId, id, title, messages),
      report: (error, during) => report(`Agents: ${during}`, error),
      failed: ({ error = "", errorCode }, { modelId }) => {
        // The other ends (a limit of rounds, a stop) are what the script asked for.
        if (!errorCode || !MODEL_FAULTS.has(errorCode)) return;
        report("Asking the model", { name: "ModelError", message: error }, `model:${modelId}`);
      },
    });
    const chat = new ChatService({ engine, conversations, clock });
    router.register(modelsContract, models.pageHandlers());
    router.register(modelApiContract, models.scriptHandlers());
    router.register<ConversationContract>(conversationContract, chat.handlers());
    this.tools = new BuiltinTools({ offscreen, sandbox });
    this.engine = engine;
    this.models = models;
    this.conversations = conversations;
    this.chat = chat;
    this.#ephemeral = ephemeral;
  }

  /** Takes up what an earlier worker left unfinished. */
  resumeRuns(): Promise<void> {
    return this.engine.resumeAll();
  }

  /** Ends the runs of a script that may not go on: it was removed or switched off. */
  stopScript(uuid: string): Promise<void> {
    return this.engine.stopAll("The script was removed or switched off.", uuid);
  }

  /** Ends every run and forgets what is held outside the database. */
  async reset(): Promise<void> {
    await this.engine.stopAll("Everything was erased.");
    await this.#ephemeral.reset();
  }
}
