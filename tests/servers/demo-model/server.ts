import { type LlmServer, startLlmServer } from "../llm/server";
import { demoTurn } from "./brain";

export interface DemoModelOptions {
  /** 0 or left out: any free port. */
  port?: number;
  /** Pause between two words, in milliseconds; 25 when left out, as of a person reading along. */
  delayMs?: number;
}

export interface DemoModel {
  port: number;
  url: string;
  /** The base URL for OpenAI-compatible clients. Any API key is accepted. */
  openaiBaseUrl: string;
  /** The only model it lists. */
  model: string;
  close(): Promise<void>;
}

const MODEL = "moggy-demo";
const DEFAULT_DELAY_MS = 25;
const FIRST_WORD_PAUSES = 8;

/**
 * Starts the demo model: an OpenAI chat-completions server on 127.0.0.1 that answers by fixed rules, says so, and uses
 * the tools that it is offered.
 */
export async function startDemoModel(options: DemoModelOptions = {}): Promise<DemoModel> {
  const delayMs = options.delayMs ?? DEFAULT_DELAY_MS;
  const server: LlmServer = await startLlmServer({
    port: options.port ?? 0,
    models: [MODEL],
    control: false,
    keepRequests: 1,
    script: (request) => ({
      ...demoTurn(request),
      delays: { beforeHeadersMs: delayMs * FIRST_WORD_PAUSES, betweenMs: delayMs },
    }),
  });
  const { port, url, openaiBaseUrl } = server;
  return { port, url, openaiBaseUrl, model: MODEL, close: () => server.close() };
}
