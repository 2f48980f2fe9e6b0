import { demoTurn } from "../../servers/demo-model/brain";
import { type LlmServer, startLlmServer, type Turn } from "../../servers/llm";
import type { ChatRequest } from "../../servers/llm/types";
import type { TestBrowser } from "./browser";

/** The demo model as `npm start` has it, on a server whose requests can be counted and whose turns can be changed. */
export interface DemoLlm {
  server: LlmServer;
  /** Laid over what the demo model says, from now on. */
  change(patch: (request: ChatRequest) => Partial<Turn>): void;
  /** Forgets all requests and changes, and makes this the default model. */
  reset(browser: TestBrowser): Promise<void>;
}

export async function startDemoLlm(): Promise<DemoLlm> {
  const server = await startLlmServer({ models: ["moggy-demo"] });
  const change: DemoLlm["change"] = (patch) =>
    server.script((request) => ({ ...demoTurn(request), ...patch(request) }));
  return {
    server,
    change,
    async reset(browser) {
      server.reset();
      change(() => ({ delays: { betweenMs: 5 } }));
      await browser.eval("eval:setModel", {
        provider: "openai",
        apiBaseUrl: server.openaiBaseUrl,
        model: "moggy-demo",
      });
    },
  };
}
