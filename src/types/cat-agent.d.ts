/**
 * The scripting API of agents: what a userscript with a `CAT.agent.*` grant finds under `CAT.agent`.
 *
 * An area exists only for a script that was granted it. This version has `CAT.agent.conversation` and `CAT.agent.model`; the other
 * areas are declared so that scripts can be written against them, and their grants are refused at install. Members that an area
 * does not have yet reject with an error named "NotSupportedError" that says so.
 *
 * Names marked "ours" exist in no other manager; everything else is the API that existing scripts already use.
 *
 * Errors are `Error` objects with a `name`, a `message` in words and, where one is given below, a `code`.
 */

// ---------------------------------------------------------------------------------------------------------------
// Conversation                                                                     @grant CAT.agent.conversation
// ---------------------------------------------------------------------------------------------------------------
declare namespace CATAgent {
  type TextBlock = { type: "text"; text: string };
  /** Images, files and audio are not accepted yet: chat() rejects with "NotSupportedError". */
  type ImageBlock = { type: "image"; attachmentId: string; mimeType: string; name?: string };
  type FileBlock = { type: "file"; attachmentId: string; mimeType: string; name: string; size?: number };
  type AudioBlock = { type: "audio"; attachmentId: string; mimeType: string; name?: string; durationMs?: number };
  type ContentBlock = TextBlock | ImageBlock | FileBlock | AudioBlock;
  /** What a person or a model says. A string, or blocks; it must not be empty. */
  type MessageContent = string | ContentBlock[];

  /**
   * A tool whose handler runs in the calling script.
   *
   * The model's arguments are checked against `parameters` before the handler is called; what does not fit is told to the model, which
   * may call again. What the handler returns is shown to the model as it is when it is a string, else as JSON, up to 100,000
   * characters (the rest is cut, with a note). A handler that throws, or returns what has no JSON form, gives the model an error in words.
   *
   * A call is never handed to a handler twice, even when the extension restarts in the middle: the outcome is kept here until the
   * extension has it.
   */
  interface ToolDefinition {
    /** 1 to 64 of A-Z a-z 0-9 _ -, unique among the tools of a turn. */
    name: string;
    /** For the model: what the tool does and when to use it. */
    description: string;
    /** JSON Schema of the arguments, an object. */
    parameters: Record<string, unknown>;
    /**
     * ours. What a repeat after an interruption may do; "write" if left out. Calls of tools that only "read", or that are "idempotent",
     * run side by side; those that "write" run one after the other, in the model's order.
     */
    effect?: "read" | "idempotent" | "write";
    /** @param signal aborted when the turn ends before the handler does */
    handler: (args: Record<string, unknown>, signal: AbortSignal) => Promise<unknown>;
  }

  /**
   * Slash command ("/name rest of the line"). A returned string becomes the reply; the model is not called and nothing is stored.
   * @param args what follows the name, trimmed
   */
  type CommandHandler = (args: string, conv: ConversationInstance) => Promise<string | void>;

  interface ConversationCreateOptions {
    /**
     * Resume the conversation of this script with that id, or choose the id of a new one: 1 to 200 characters. Ids belong to the script:
     * another one may use the same for its own. Options given when resuming replace the stored ones.
     */
    id?: string;
    /** System prompt, appended after a short built-in one. */
    system?: string;
    /** Model config id (see CAT.agent.model); the default model if left out. */
    model?: string;
    /** Model rounds in one turn, at least 1; 50 if left out. Over it the turn fails with code "max_iterations". */
    maxIterations?: number;
    /** Skills come later: a list of names is refused ("NotSupportedError"), "auto" finds none. */
    skills?: "auto" | string[];
    /** Tools of every turn. Their handlers are not stored: give them again when you resume. */
    tools?: ToolDefinition[];
    /** By name, with or without the slash. Built in: /new and /reset, which empty the conversation. /compact comes later. */
    commands?: Record<string, CommandHandler>;
    /**
     * Memory only: survives restarts of the extension's worker, ends with the browser. Its words are on disk only while a turn
     * runs, and erased when it is over. The least recently used go first: 64 conversations, 2 million characters together.
     */
    ephemeral?: boolean;
    /** Prompt caching where the vendor has it; true if left out. */
    cache?: boolean;
    /**
     * A turn outlives the page. Without it a turn is cancelled when its page has been gone for 30 s (reloading and the back-forward
     * cache count as gone).
     */
    background?: boolean;
    /** ours. Comes later: refused with "NotSupportedError", for a restriction must never be ignored. */
    toolPolicy?: ToolPolicy;
    /** ours. Limits of each turn. */
    budget?: Budget;
  }

  interface ChatOptions {
    /** Tools of this turn, added to those of the conversation; one with the same name takes its place. */
    tools?: ToolDefinition[];
    /** ours. Aborts the turn, its model call and its tools; what was produced stays in the conversation. The reply rejects with name "AbortError". */
    signal?: AbortSignal;
    /**
     * ours. JSON Schema: the reply carries a validated `object`. An answer that does not fit is sent back to the model once; after that the
     * turn fails with code "api_error".
     */
    schema?: Record<string, unknown>;
    /** ours. Limits of this turn; each takes the place of the conversation's. */
    budget?: Budget;
  }

  interface Attachment { id: string; type: "image" | "file" | "audio"; name: string; mimeType: string; size?: number }

  interface ToolCallInfo {
    /** Unique within a turn. */
    id: string;
    name: string;
    /** JSON text as the model wrote it; "" means none. */
    arguments: string;
    /** What the model was shown: text, or JSON text. */
    result?: string;
    attachments?: Attachment[];
    status?: "pending" | "running" | "completed" | "error";
  }

  /** As the vendor counts. */
  interface TokenUsage {
    inputTokens: number;
    outputTokens: number;
    cacheCreationInputTokens?: number;
    cacheReadInputTokens?: number;
    /** ours. Absent where the model's price is unknown, which in this version is everywhere. */
    costUsd?: number;
  }

  interface ChatReply {
    /** The last answer of the turn. */
    content: MessageContent;
    thinking?: string;
    /** All calls of the turn, with results. */
    toolCalls?: ToolCallInfo[];
    /** Summed over the rounds of the turn. */
    usage?: TokenUsage;
    /** ms from the beginning of the turn to its end. */
    durationMs?: number;
    /** A command handler answered. */
    command?: boolean;
    /** Such as: the answer was cut off at the model's limit of output tokens. */
    warning?: string;
    /** ours. Present when ChatOptions.schema was given. */
    object?: unknown;
    /** ours. */
    runId?: string;
  }

  /**
   * One step of a turn, in this order: deltas of an answer, its `tool_call`s, a `tool_call_complete` for each, `new_message`, deltas of the
   * next answer …, and at last `done` or `error`, after which the iterator ends.
   */
  interface StreamChunk {
    type: "content_delta" | "thinking_delta" | "tool_call" | "tool_call_complete" | "content_block"
        | "new_message" | "system_warning" | "done" | "error";
    /** Of the deltas. */
    content?: string;
    block?: ContentBlock;
    /** Of `tool_call` (when the call is known) and `tool_call_complete` (with its result). */
    toolCall?: ToolCallInfo;
    /** Of `done` and `error`: summed over the rounds of the turn. */
    usage?: TokenUsage;
    /** Of `done` and `error`, in ms. */
    durationMs?: number;
    /** Of `error`: what happened, in words. */
    error?: string;
    errorCode?: ErrorCode;
    /** A command handler answered. */
    command?: boolean;
    /** Of `system_warning`: a failed model call is tried again, or the answer was cut off. */
    warning?: string;
    /**
     * ours, on new_message: discard the text and thinking since the previous new_message. Sent when a model call broke off (the extension
     * restarted, or its connection was lost) and is made again.
     */
    replaces?: true;
  }

  /**
   * Why a turn failed: `code` of the error that chat() rejects with, and `errorCode` of the `error` chunk.
   * - "rate_limit", "api_error": the model's host, after up to five tries (429, 5xx and broken connections are tried again, with growing
   *   pauses and as late as Retry-After says);
   * - "auth": wrong or missing key; "no_model": no model is set up, or not that one; "context_too_large": more than the model takes;
   * - "max_iterations", "budget_exceeded": a limit that you set; "cancelled": stopped, or its page was closed (error name "AbortError").
   */
  type ErrorCode = "rate_limit" | "auth" | "tool_timeout" | "context_too_large" | "max_iterations" | "api_error"
                 | "cancelled"
                 // ours
                 | "budget_exceeded" | "permission_denied" | "no_model";

  /** First chunk of attach(): all that happened before. */
  interface SyncStreamChunk {
    type: "sync";
    streamingMessage?: { content: string; thinking?: string; toolCalls: ToolCallInfo[] };
    pendingAskUser?: { id: string; question: string; options?: string[]; optionValues?: string[];
                       multiple?: boolean; allowCustom?: boolean };
    tasks: Array<{ id: string; subject: string; status: "pending" | "in_progress" | "completed"; description?: string }>;
    status: "running" | "done" | "error";
  }

  /** A message as it is stored. An answer that broke off and was made again is not among them. */
  interface ChatMessage {
    id: string;
    conversationId: string;
    /** "tool" is the result of a call, which also stands in `toolCalls` of the assistant's message. */
    role: "user" | "assistant" | "system" | "tool";
    content: MessageContent;
    thinking?: { content: string };
    toolCalls?: ToolCallInfo[];
    /** Of role "tool". */
    toolCallId?: string;
    /** The turn ended here with this error; `content` is what had come of the answer. */
    error?: string;
    errorCode?: string;
    warning?: string;
    modelId?: string;
    /** Of this answer alone. */
    usage?: TokenUsage;
    /** ms that this answer took. */
    durationMs?: number;
    /** ms until its first delta. */
    firstTokenMs?: number;
    parentId?: string;
    /** ms since the epoch. */
    createtime: number;
  }

  /**
   * A conversation. One turn at a time: chat() and chatStream() during another reject with name "ConversationBusyError". A turn goes on when the
   * extension's worker restarts; neither effects nor text are doubled by it.
   */
  interface ConversationInstance {
    readonly id: string;
    /** The beginning of the first message, up to 60 characters; "" before. */
    readonly title: string;
    readonly modelId: string;
    /**
     * One turn: the model is called, its tool calls are run, until it answers without one.
     * Rejects with name "AgentError" and a `code` (see ErrorCode), "AbortError" when it was stopped, "ConversationBusyError", "TypeError" for
     * a message or tools that make no sense, "NotFoundError" for a conversation that is gone, "NotSupportedError".
     */
    chat(content: MessageContent, options?: ChatOptions): Promise<ChatReply>;
    /**
     * The same turn as it comes. It starts at once. A turn that fails yields an `error` chunk and ends; what chat() rejects with before
     * a turn has begun, and an aborted signal, make the iterator throw. Leaving the loop early stops the turn.
     */
    chatStream(content: MessageContent, options?: ChatOptions): Promise<AsyncIterable<StreamChunk>>;
    /** Comes later. */
    attach(): Promise<AsyncIterable<StreamChunk | SyncStreamChunk>>;
    /** All messages so far, oldest first; of a turn in flight, its completed answers. */
    getMessages(): Promise<ChatMessage[]>;
    /** Removes all messages and the title. A turn in flight is stopped first. */
    clear(): Promise<void>;
    /** Everything is stored when it happens; rejects with "NotFoundError" when the conversation is gone. */
    save(): Promise<void>;
    /** ours. Cancels the turn in flight, keeping what it produced; resolves when it has ended, at once when there is none. */
    stop(): Promise<void>;
    /** ours. Comes later. */
    answer(askUserId: string, answer: string | string[]): Promise<void>;
    /** ours. Comes later. */
    export(format: "json" | "markdown" | "html"): Promise<Blob>;
  }

  interface ConversationAPI {
    /** Rejects with name "TypeError" for options that make no sense. */
    create(options?: ConversationCreateOptions): Promise<ConversationInstance>;
    /** A conversation of this script, without tools and commands (chat() takes tools); null if there is none with that id. */
    get(id: string): Promise<ConversationInstance | null>;
    /** ours. Comes later. */
    list(): Promise<Array<{ id: string; title: string; modelId: string; updatetime: number; status: "idle" | "running" | "error" }>>;
    /** ours. Comes later. */
    remove(id: string): Promise<boolean>;
  }

  /** ours. What a conversation may do, on top of what the user allowed the script. Comes later. */
  interface ToolPolicy {
    /** Tool names or globs; default: all the script was granted. */
    allow?: string[];
    deny?: string[];
    /** Match patterns that page and network tools may touch. */
    hosts?: string[];
    /** Tools that always ask the user. */
    confirm?: string[];
  }

  /** ours. Limits of one turn, each above 0; over one, the turn fails with code "budget_exceeded". */
  interface Budget {
    /** Input and output together; looked at before each model call. */
    tokens?: number;
    /** Comes later, with a table of prices: refused with "NotSupportedError". */
    costUsd?: number;
    /** Model calls. */
    rounds?: number;
    /** ms from the beginning of the turn, waiting included. */
    wallMs?: number;
  }
}

// ---------------------------------------------------------------------------------------------------------------
// DOM automation                                                                            @grant CAT.agent.dom
// ---------------------------------------------------------------------------------------------------------------
declare namespace CATAgentDom {
  interface TabInfo { tabId: number; url: string; title: string; active: boolean; windowId: number; discarded: boolean }
  interface ActionResult { success: boolean; navigated?: boolean; url?: string; newTab?: { tabId: number; url: string } }
  interface PageContent { title: string; url: string; html: string; truncated?: boolean; totalLength?: number }
  interface ReadPageOptions { tabId?: number; selector?: string; maxLength?: number; removeTags?: string[] }
  /** trusted: real input through the debugger protocol, falling back to synthetic events when it cannot attach. */
  interface DomActionOptions { tabId?: number; trusted?: boolean }
  interface ScreenshotOptions { tabId?: number; quality?: number; fullPage?: boolean; selector?: string; saveTo?: string }
  interface ScreenshotResult { dataUrl: string; path?: string; size?: number }
  interface NavigateOptions { tabId?: number; waitUntil?: boolean; timeout?: number }
  interface NavigateResult { tabId: number; url: string; title: string }
  interface ScrollOptions { tabId?: number; selector?: string }
  interface ScrollResult { scrollTop: number; scrollHeight: number; clientHeight: number; atBottom: boolean }
  interface WaitForOptions { tabId?: number; timeout?: number }
  interface WaitForResult {
    found: boolean;
    element?: { selector: string; tag: string; text: string; role?: string; type?: string; visible: boolean };
  }
  interface ExecuteScriptOptions { tabId?: number; world?: "MAIN" | "ISOLATED" }
  interface MonitorResult {
    dialogs: Array<{ type: string; message: string }>;
    addedNodes: Array<{ tag: string; id?: string; class?: string; role?: string; text: string }>;
  }
  interface MonitorStatus { hasChanges: boolean; dialogCount: number; nodeCount: number }

  interface DomAPI {
    listTabs(): Promise<TabInfo[]>;
    navigate(url: string, options?: NavigateOptions): Promise<NavigateResult>;
    readPage(options?: ReadPageOptions): Promise<PageContent>;
    screenshot(options?: ScreenshotOptions): Promise<ScreenshotResult>;
    click(target: string, options?: DomActionOptions): Promise<ActionResult>;
    fill(target: string, value: string, options?: DomActionOptions): Promise<ActionResult>;
    scroll(direction: "up" | "down" | "top" | "bottom", options?: ScrollOptions): Promise<ScrollResult>;
    waitFor(selector: string, options?: WaitForOptions): Promise<WaitForResult>;
    executeScript(code: string, options?: ExecuteScriptOptions): Promise<unknown>;
    startMonitor(tabId: number): Promise<void>;
    stopMonitor(tabId: number): Promise<MonitorResult>;
    peekMonitor(tabId: number): Promise<MonitorStatus>;
    // ours. A target is a CSS selector, or a ref such as "@e12" from the newest observe() of that tab.
    observe(options?: { tabId?: number; maxTokens?: number; since?: string; screenshot?: boolean }): Promise<Observation>;
    press(keys: string, options?: DomActionOptions & { target?: string }): Promise<ActionResult>;
    select(target: string, values: string[], options?: DomActionOptions): Promise<ActionResult>;
    hover(target: string, options?: DomActionOptions): Promise<ActionResult>;
    drag(from: string, to: string, options?: DomActionOptions): Promise<ActionResult>;
    upload(target: string, files: string[], options?: { tabId?: number }): Promise<ActionResult>;   // OPFS workspace paths
  }

  /** ours: the page as the operator sees it */
  interface Observation {
    id: string;                                    // pass as `since` to get only what changed
    tabId: number;
    url: string;
    title: string;
    text: string;                                  // the serialized accessibility tree with refs
    tokens: number;                                // estimated
    elements: number;
    truncated: boolean;
    hash: string;
    screenshot?: string;                           // attachment id
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Scheduled tasks                                                                          @grant CAT.agent.task
// ---------------------------------------------------------------------------------------------------------------
declare namespace CATAgentTask {
  interface AgentTask {
    id: string;
    generation?: string;                           // optimistic concurrency: hand back what get()/list() gave
    revision?: number;
    name: string;
    crontab: string;                               // 5 fields, or 6 with seconds
    timezone?: string;                             // ours: IANA name; the browser's if left out
    mode: "internal" | "event";                    // internal: the agent runs `prompt`; event: the script is told
    enabled: boolean;
    notify: boolean;
    missed?: "skip" | "once";                      // ours: what a fire missed while the browser was shut gets
    prompt?: string;
    modelId?: string;
    conversationId?: string;
    conversationGeneration?: string;
    skills?: "auto" | string[];
    maxIterations?: number;
    sourceScriptUuid?: string;
    lastruntime?: number;
    nextruntime?: number;
    lastRunStatus?: "success" | "error";
    lastRunError?: string;
    createtime: number;
    updatetime: number;
  }
  interface AgentTaskTrigger { taskId: string; name: string; crontab: string; triggeredAt: number }
  type AgentTaskCreateOptions = Omit<AgentTask, "id" | "createtime" | "updatetime" | "nextruntime" | "sourceScriptUuid">;

  interface TaskAPI {
    create(options: AgentTaskCreateOptions): Promise<AgentTask>;
    list(): Promise<AgentTask[]>;
    get(id: string): Promise<AgentTask | undefined>;
    /** Rejects with name "ConflictError" when `generation`/`revision` are given and no longer current. */
    update(id: string, task: Partial<AgentTask>): Promise<AgentTask>;
    remove(id: string, task?: Pick<AgentTask, "generation" | "revision">): Promise<boolean>;
    runNow(id: string): Promise<void>;
    addListener(taskId: string, callback: (trigger: AgentTaskTrigger) => void): number;
    removeListener(listenerId: number): void;
    // ours
    runs(id: string, limit?: number): Promise<Array<{ runId: string; startedAt: number; endedAt?: number;
         status: "running" | "success" | "error"; error?: string; usage?: CATAgent.TokenUsage; conversationId?: string }>>;
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Skills                                                                                 @grant CAT.agent.skills
// ---------------------------------------------------------------------------------------------------------------
declare namespace CATAgentSkills {
  interface SkillSummary {
    name: string;
    description: string;
    version?: string;
    toolNames: string[];
    referenceNames: string[];
    hasConfig?: boolean;
    enabled?: boolean;                             // undefined means true
    installUrl?: string;
    installtime: number;
    updatetime: number;
  }
  interface SkillConfigField {
    title: string;
    type: "text" | "number" | "select" | "switch";
    secret?: boolean;
    required?: boolean;
    default?: unknown;
    values?: string[];
  }
  interface SkillRecord extends SkillSummary { prompt: string; config?: Record<string, SkillConfigField> }

  interface SkillsAPI {
    list(): Promise<SkillSummary[]>;
    get(name: string): Promise<SkillRecord | null>;
    install(skillMd: string, scripts?: Array<{ name: string; code: string }>,
            references?: Array<{ name: string; content: string }>): Promise<SkillRecord>;
    remove(name: string): Promise<boolean>;
    call(skillName: string, scriptName: string, params?: Record<string, unknown>): Promise<unknown>;
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Models (read only, keys never leave the service worker)                                 @grant CAT.agent.model
// ---------------------------------------------------------------------------------------------------------------
declare namespace CATAgentModel {
  /** A model that the person has set up, without its key. */
  interface ModelSummary {
    id: string;
    name: string;
    /** The wire that it speaks: "openai-compatible" or "anthropic" in this version. */
    provider: string;
    apiBaseUrl: string;
    /** The name that the host gives it. */
    model: string;
    /** Upper limit of one answer, in tokens. */
    maxTokens?: number;
    /** In tokens. */
    contextWindow?: number;
    supportsVision?: boolean;
    supportsImageOutput?: boolean;
  }
  interface ModelAPI {
    /** In the order in which they were made. */
    list(): Promise<ModelSummary[]>;
    get(id: string): Promise<ModelSummary | null>;
    /** Id of the default model; "" if none. */
    getDefault(): Promise<string>;
    /** Id of the light model used for summaries; "" if none. */
    getSummary(): Promise<string>;
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Workspace files in OPFS                                                                  @grant CAT.agent.opfs
// Paths are relative to the agent workspace; "..", absolute paths and drive letters are refused.
// ---------------------------------------------------------------------------------------------------------------
declare namespace CATAgentOPFS {
  interface FileEntry { name: string; type: "file" | "directory"; size?: number }
  interface WriteResult { path: string; size: number }
  interface ReadResult { path: string; content?: string; data?: Blob; blobUrl?: string; size: number; mimeType?: string }
  interface OPFSAPI {
    write(path: string, content: string | Blob): Promise<WriteResult>;   // a data: URL string is decoded
    read(path: string, format?: "text" | "blob" | "bloburl"): Promise<ReadResult>;
    list(path?: string): Promise<FileEntry[]>;
    delete(path: string): Promise<{ success: true }>;
    readAttachment(id: string): Promise<{ id: string; data: Blob; size: number; mimeType?: string }>;
  }
}

// ---------------------------------------------------------------------------------------------------------------
// MCP servers                                                                               @grant CAT.agent.mcp
// ---------------------------------------------------------------------------------------------------------------
declare namespace CATAgentMCP {
  /** Secrets (apiKey, header values) are write-only: what is read back is masked. */
  interface MCPServerConfig {
    id: string; name: string; url: string; apiKey?: string; headers?: Record<string, string>;
    enabled: boolean; createtime: number; updatetime: number;
    // ours
    transport?: "auto" | "streamable-http" | "sse";
    auth?: "none" | "bearer" | "oauth";
    disabledTools?: string[];
  }
  interface MCPTool { name: string; description?: string; inputSchema: Record<string, unknown> }
  interface MCPAPI {
    listServers(): Promise<MCPServerConfig[]>;
    getServer(id: string): Promise<MCPServerConfig | null>;
    addServer(config: Omit<MCPServerConfig, "id" | "createtime" | "updatetime">): Promise<MCPServerConfig>;
    updateServer(id: string, patch: Partial<MCPServerConfig>): Promise<MCPServerConfig>;
    removeServer(id: string): Promise<boolean>;
    testConnection(id: string): Promise<void>;
    listTools(id: string): Promise<MCPTool[]>;
    listResources(id: string): Promise<Array<{ uri: string; name: string; description?: string; mimeType?: string }>>;
    readResource(id: string, uri: string): Promise<unknown>;
    listPrompts(id: string): Promise<Array<{ name: string; description?: string; arguments?: unknown[] }>>;
    getPrompt(id: string, name: string, args?: Record<string, string>): Promise<unknown>;
  }
}

// ---------------------------------------------------------------------------------------------------------------
// ours: the page operator and the durable runs                       @grant CAT.agent.operator, CAT.agent.runs
// ---------------------------------------------------------------------------------------------------------------
declare namespace CATAgentOperator {
  interface OperatorResult {
    runId: string;
    status: "done" | "failed" | "stopped" | "budget_exceeded";
    answer?: string;
    plan: Array<{ step: string; status: "pending" | "in_progress" | "done" | "skipped" }>;
    steps: number;
    usage: CATAgent.TokenUsage;
    error?: string;
  }
  interface OperatorAPI {
    run(task: string, options?: { tabId?: number; url?: string; model?: string; budget?: CATAgent.Budget;
        toolPolicy?: CATAgent.ToolPolicy; signal?: AbortSignal; onStep?: (step: unknown) => void }): Promise<OperatorResult>;
  }
}
declare namespace CATAgentRuns {
  interface RunSummary {
    id: string; kind: "chat" | "task" | "operator" | "homepage" | "sub-agent"; title: string;
    status: "running" | "waiting" | "done" | "error" | "stopped"; startedAt: number; endedAt?: number;
    usage?: CATAgent.TokenUsage; parentId?: string; error?: string;
  }
  interface RunsAPI {
    list(filter?: { status?: RunSummary["status"]; kind?: RunSummary["kind"] }): Promise<RunSummary[]>;
    /** Replays every event from `fromSeq` (default 0), then follows live. Survives service-worker restarts. */
    attach(id: string, fromSeq?: number): Promise<AsyncIterable<{ seq: number; at: number; type: string; [k: string]: unknown }>>;
    stop(id: string): Promise<void>;
    trace(id: string): Promise<Blob>;              // one self-contained HTML file
  }
}

/** Exactly the areas that the script was granted. */
declare const CAT: {
  agent: {
    conversation: CATAgent.ConversationAPI;
    dom: CATAgentDom.DomAPI;
    task: CATAgentTask.TaskAPI;
    skills: CATAgentSkills.SkillsAPI;
    model: CATAgentModel.ModelAPI;
    opfs: CATAgentOPFS.OPFSAPI;
    mcp: CATAgentMCP.MCPAPI;
    operator: CATAgentOperator.OperatorAPI;
    runs: CATAgentRuns.RunsAPI;
  };
};

/** In a skill script: the frozen values of the skill's `config`, as the user filled them in. */
declare const CAT_CONFIG: Readonly<Record<string, unknown>>;
