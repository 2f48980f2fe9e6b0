import type { IncomingMessage, ServerResponse } from "node:http";
import { EffectCounter } from "../http/effects";
import { clientGone, readBody, requestUrl } from "../http/exchange";
import { listen } from "../http/listen";
import { answerOf, type WireError } from "./answer";
import { handleControl } from "./control";
import { type Gate, GateBook } from "./gate";
import { Ledger } from "./ledger";
import { playTurn } from "./play";
import { ReasoningMemory } from "./reasoning";
import { readChatRequest } from "./request";
import { type Route, routeOf, sendModels, sendRefusal, wireOf } from "./routes";
import { type Script, scriptByState, scriptInOrder } from "./script";
import type { Counters, RecordedRequest, Responder, Turn } from "./types";

export interface LlmServerOptions {
  /** 0 or left out: any free port. */
  port?: number;
  /** With a key, any other one is answered 401 in the vendor's shape. */
  apiKey?: string;
  /** What `GET /v1/models` lists. */
  models?: string[];
  /** Only the listed models answer; others get the vendor's 404. */
  onlyListedModels?: boolean;
  /** A wrong key is repeated whole in the error text, as careless servers do: to test that clients mask it. */
  echoWrongKey?: boolean;
  /** 400 when an assistant message with tool calls comes back without the reasoning it was sent with (C100). */
  requireReasoning?: boolean;
  /** false: neither the control routes nor the effect counter are served. */
  control?: boolean;
  /** How many requests are remembered, newest last; all when left out. */
  keepRequests?: number;
  /** What answers while no script is set. */
  script?: Turn[] | Responder;
}

export interface LlmServer {
  port: number;
  /** The root: `http://127.0.0.1:<port>`. */
  url: string;
  /** What OpenAI clients take as their base: `<url>/v1`. */
  openaiBaseUrl: string;
  /** What `@anthropic-ai/sdk` takes: the root, to which it adds `/v1/messages`. */
  anthropicBaseUrl: string;
  /** What `@ai-sdk/anthropic` takes: `<url>/v1`, to which it adds `/messages`. */
  anthropicV1BaseUrl: string;
  /** Turns taken in order, or a function asked for each request. Replaces the script. */
  script(turns: Turn[] | Responder): void;
  /** Turns by the state of the conversation: a repeated request gets the same answer. Replaces the script. */
  scriptByState(source: Turn[] | Responder): void;
  /** The gate of that name, to wait for or to open. */
  gate(name: string): Gate;
  readonly requests: RecordedRequest[];
  readonly counters: Counters;
  readonly effects: EffectCounter;
  /** Turns of an ordered script not taken yet; undefined for the other kinds. */
  readonly remainingTurns: number | undefined;
  /** Forgets script, requests, counters, effects; opens and forgets the gates. */
  reset(): void;
  close(): Promise<void>;
}

/**
 * Starts a fake model server on 127.0.0.1 that speaks OpenAI chat completions and Anthropic messages, says what its
 * script says, and remembers what it was asked.
 */
export async function startLlmServer(options: LlmServerOptions = {}): Promise<LlmServer> {
  const server = new FakeLlm(options);
  const listening = await listen((req, res) => server.handle(req, res), options.port);
  const { url, port } = listening;
  return {
    port,
    url,
    openaiBaseUrl: `${url}/v1`,
    anthropicBaseUrl: url,
    anthropicV1BaseUrl: `${url}/v1`,
    script: (turns) => server.use(scriptInOrder(turns)),
    scriptByState: (source) => server.use(scriptByState(source)),
    gate: (name) => server.gates.get(name),
    get requests() {
      return server.ledger.requests;
    },
    get counters() {
      return server.ledger.counters;
    },
    effects: server.effects,
    get remainingTurns() {
      return server.script.remaining();
    },
    reset: () => server.reset(),
    close: async () => {
      server.gates.reset();
      await listening.close();
    },
  };
}

const DEFAULT_MODELS = ["fake-model", "fake-small"];

/** The server's state and its way from a request to an answer. */
export class FakeLlm {
  readonly gates = new GateBook();
  readonly effects = new EffectCounter();
  readonly ledger: Ledger;
  script: Script;
  readonly #options: LlmServerOptions;
  readonly #reasoning = new ReasoningMemory();

  constructor(options: LlmServerOptions) {
    this.#options = options;
    this.ledger = new Ledger(options.keepRequests);
    this.script = scriptInOrder(options.script ?? []);
  }

  use(script: Script): void {
    this.script = script;
  }

  reset(): void {
    this.script = scriptInOrder(this.#options.script ?? []);
    this.ledger.reset();
    this.effects.reset();
    this.gates.reset();
    this.#reasoning.reset();
  }

  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (this.#options.control !== false) {
      if (await this.effects.handle(req, res)) return;
      if (await handleControl(this, req, res)) return;
    }
    const route = routeOf(req);
    const gone = clientGone(res);
    const text = (await readBody(req)).toString("utf8");
    const record = this.ledger.open(req, res, route.protocol, text);
    const refusal = this.#refusal(route, req, record);
    if (refusal) {
      record.outcome = "rejected";
      record.status = refusal.status;
      sendRefusal(res, route, refusal, record);
      return;
    }
    if (route.kind === "models" || route.kind === "model") {
      record.status = 200;
      record.outcome = "complete";
      sendModels(res, route, this.#models());
      return;
    }
    await this.#chat(route, res, record, gone);
  }

  async #chat(route: Route, res: ServerResponse, record: RecordedRequest, gone: AbortSignal): Promise<void> {
    const body = record.body as Record<string, unknown>;
    const read = readChatRequest(route.protocol, body);
    record.key = read.key;
    const request = { ...read, attempt: this.ledger.attempt(read.key) };
    this.ledger.counters.chats += 1;
    if (request.stream) this.ledger.counters.streamed += 1;
    const turn = await this.script.next(request);
    if (!turn) {
      this.ledger.counters.unscripted += 1;
      record.outcome = "rejected";
      record.status = 400;
      // 400, because clients repeat a 5xx, and the test would wait for the end of their patience.
      const message = `The fake server's script has no turn for this request. Last user message: ${JSON.stringify(request.lastUserText.slice(0, 200))}`;
      sendRefusal(res, route, { status: 400, message }, record);
      return;
    }
    const answer = answerOf(turn, request);
    this.#reasoning.remember(answer);
    const wire = wireOf(route.protocol, body, record);
    await playTurn({ res, wire, turn, answer, stream: request.stream, record, gates: this.gates, gone });
  }

  #models(): string[] {
    return this.#options.models ?? DEFAULT_MODELS;
  }

  #refusal(route: Route, req: IncomingMessage, record: RecordedRequest): WireError | undefined {
    const { apiKey, echoWrongKey, onlyListedModels, requireReasoning } = this.#options;
    if (route.kind === "unknown") return route.unknown(`${req.method} ${requestUrl(req).pathname}`);
    const key = route.keyOf(record.headers);
    if (apiKey !== undefined && key !== apiKey) return route.wrongKey(key, echoWrongKey === true);
    if (route.kind === "models") return undefined;
    if (route.kind === "model")
      return this.#models().includes(route.model) ? undefined : route.noModel(route.model);
    const { body } = record;
    if (typeof body !== "object" || body === null || Array.isArray(body)) {
      return { status: 400, message: "The body of the request is no JSON object." };
    }
    const fields = body as Record<string, unknown>;
    const wrong = route.check(fields, record.headers);
    if (wrong) return wrong;
    if (onlyListedModels && !this.#models().includes(String(fields.model)))
      return route.noModel(String(fields.model));
    return this.#reasoning.missing(route.protocol, fields, requireReasoning === true);
  }
}
