import type {
  ChatReply,
  ConversationContract,
  ConversationHead,
  MessageContent,
  StreamChunk,
  ToolDeclaration,
  TurnBatch,
} from "@/agent/contract/conversation";
import { REPEATABLE } from "@/rpc/client";
import type { Client } from "@/rpc/contract";
import { NamedError } from "@/rpc/errors";
import { newId, notSupported, parse, stringify, unsupported } from "./support";
import { openTurn, turnError } from "./turn";
import type {
  AgentSession,
  ChatOptions,
  CommandHandler,
  ConversationApi,
  ConversationCreateOptions,
  ConversationInstance,
  ToolDefinition,
} from "./types";

type Conversation = Client<ConversationContract>;
type Commands = Readonly<Record<string, CommandHandler>>;

/** `CAT.agent.conversation`. Handlers of tools and commands stay here; everything else is the worker's. */
export function conversationApi(session: AgentSession): ConversationApi {
  const conversation = session.rpc.of<ConversationContract>("agent.conversation");
  return {
    async create(given?: ConversationCreateOptions | null) {
      const options = given ?? {};
      const { system, model, maxIterations, ephemeral, cache, background, budget } = options;
      if (options.toolPolicy) throw notSupported("toolPolicy");
      if (options.skills && options.skills !== "auto" && options.skills.length > 0)
        throw notSupported("skills");
      checkTools(options.tools);
      const id = options.id ?? newId();
      const settings = { id, system, model, maxIterations, ephemeral, cache, background, budget };
      const head = await conversation.call("create", settings, REPEATABLE);
      return instance(session, conversation, head, options.tools ?? [], options.commands ?? {});
    },
    async get(id) {
      const head = await conversation.call("get", { id }, REPEATABLE);
      return head && instance(session, conversation, head, [], {});
    },
    list: unsupported("conversation.list()"),
    remove: unsupported("conversation.remove()"),
  };
}

function instance(
  session: AgentSession,
  conversation: Conversation,
  head: ConversationHead,
  ownTools: readonly ToolDefinition[],
  commands: Commands,
): ConversationInstance {
  const { id: conversationId, modelId } = head;
  let { title } = head;

  const turn = (content: MessageContent, { tools, signal, schema: wanted, budget }: ChatOptions) => {
    checkTools(tools);
    const schema = asJson(wanted);
    const all = [
      ...ownTools.filter((own) => !tools?.some((tool) => tool.name === own.name)),
      ...(tools ?? []),
    ];
    const declared = all.map(declaration);
    const input = { conversationId, turnId: newId(), content, tools: declared, schema, budget };
    return openTurn(session, conversation, input, all, signal);
  };

  const clear = async () => {
    await conversation.call("clear", { conversationId }, REPEATABLE);
    title = "";
  };

  /** The answer of a slash command; null when the content is for the model. */
  const command = async (content: MessageContent): Promise<ChatReply | null> => {
    const [, name, args = ""] =
      (typeof content === "string" && /^\/(\S+)\s*(.*)$/s.exec(content.trim())) || [];
    if (name === undefined) return null;
    const handler = own(commands, `/${name}`) ?? own(commands, name);
    if (handler) return { content: (await handler(args.trim(), self)) ?? "", command: true };
    if (name === "compact") throw notSupported("/compact");
    if (name !== "new" && name !== "reset") return null;
    await clear();
    return { content: "", command: true };
  };

  async function* chunksOf(batches: AsyncIterable<TurnBatch>): AsyncGenerator<StreamChunk, void, void> {
    for await (const batch of batches) {
      title = batch.title ?? title;
      yield* batch.chunks;
    }
  }

  const self: ConversationInstance = {
    id: conversationId,
    get title() {
      return title;
    },
    modelId,
    async chat(content, options = {}) {
      const answered = await command(content);
      if (answered) return answered;
      for await (const batch of turn(content, options)) {
        title = batch.title ?? title;
        const failed = batch.chunks.find((chunk) => chunk.type === "error");
        if (failed) throw turnError(failed);
        if (batch.reply) return batch.reply;
      }
      throw new NamedError("AgentError", "The turn ended without a reply.", { code: "api_error" });
    },
    async chatStream(content, options = {}) {
      const answered = await command(content);
      return answered ? commandChunks(answered) : chunksOf(turn(content, options));
    },
    getMessages: () => conversation.call("messages", { conversationId }, REPEATABLE),
    clear,
    save: () => conversation.call("save", { conversationId }, REPEATABLE),
    stop: () => conversation.call("stop", { conversationId }, REPEATABLE),
    attach: unsupported("attach()"),
    answer: unsupported("answer()"),
    export: unsupported("export()"),
  };
  return self;
}

async function* commandChunks({ content }: ChatReply): AsyncGenerator<StreamChunk, void, void> {
  if (typeof content === "string" && content !== "") yield { type: "content_delta", content, command: true };
  yield { type: "done", command: true };
}

function own(commands: Commands, name: string): CommandHandler | undefined {
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}

function checkTools(tools: readonly ToolDefinition[] | undefined): void {
  if (tools === undefined) return;
  if (!Array.isArray(tools)) throw new NamedError("TypeError", "tools must be a list.");
  const wrong = tools.findIndex((tool) => typeof tool?.handler !== "function");
  if (wrong >= 0)
    throw new NamedError("TypeError", `The tool "${tools[wrong]?.name}" has no handler function.`);
}

/** A tool without its handler, which cannot leave this document. */
function declaration({ name, description, parameters, effect }: ToolDefinition): ToolDeclaration {
  return { name, description, parameters: asJson(parameters), effect };
}

/** A JSON Schema as it will reach the model. @throws TypeError when it has no JSON form */
function asJson<T>(schema: T): T {
  return schema && (parse(stringify(schema)) as T);
}
