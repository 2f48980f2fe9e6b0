import "fake-indexeddb/auto";
import { memorySession } from "@tests/fixtures/memory-session";
import { startLlmServer } from "@tests/servers/llm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { agentEvalMessages } from "@/agent/services/agent-eval";
import { AgentService } from "@/agent/services/agent-service";
import { modelEvalMessages } from "@/agent/services/model-eval";
import { MoggyDatabase } from "@/platform/db";
import { createKeepalive } from "@/platform/keepalive";
import { Router } from "@/rpc/server";

let db: MoggyDatabase;
let server: Awaited<ReturnType<typeof startLlmServer>>;
let agents: AgentService;
/** What went to the log. */
let reports: string[];

beforeEach(async () => {
  reports = [];
  db = new MoggyDatabase(`agents-${Math.random()}`);
  server = await startLlmServer();
  agents = new AgentService({
    db,
    router: new Router(),
    secrets: {
      encrypt: async (text) => ({ iv: "", data: text }),
      decrypt: async ({ data }) => data,
    },
    storage: memorySession(),
    session: memorySession(),
    keepalive: createKeepalive(async () => undefined),
    fetch: (...args) => fetch(...args),
    offscreen: {
      of: () => {
        throw new Error("Nothing here needs the offscreen document.");
      },
      recreate: async () => undefined,
      onQuiesce: () => undefined,
      onRecreated: () => undefined,
    },
    sandbox: {
      run: () => Promise.reject(new Error("Nothing here needs the sandbox.")),
      acknowledge: async () => undefined,
      waitForPerson: () => () => undefined,
    },
    report: (during, error, source) =>
      reports.push(`${source}: ${during}: ${(error as { message: string }).message}`),
  });
});
afterEach(async () => {
  await agents.reset();
  await server.close();
  await db.delete();
});

async function evaluate(type: string, params: Record<string, unknown> = {}): Promise<unknown> {
  const handler = { ...modelEvalMessages(agents.models), ...agentEvalMessages(agents) }[type];
  if (!handler) throw new Error(`There is no ${type}.`);
  return handler(params);
}

async function chat(params: Record<string, unknown>): Promise<{ runId: string; conversationId: string }> {
  return (await evaluate("eval:chat", params)) as { runId: string; conversationId: string };
}

async function ended(runId: string, status = "done"): Promise<void> {
  await vi.waitFor(async () => {
    const runs = (await evaluate("eval:runs", { status })) as Array<{ id: string }>;
    expect(runs.map((run) => run.id)).toContain(runId);
  });
}

describe("the eval build's messages", () => {
  it("eval:chat begins a turn at once; eval:runs and eval:events tell what became of it", async () => {
    await evaluate("eval:setModel", {
      provider: "openai",
      apiBaseUrl: server.openaiBaseUrl,
      apiKey: "k",
      model: "fake",
    });
    server.script([{ text: "First answer." }, { text: "Second answer." }]);
    const first = await chat({ content: "hello there" });
    await ended(first.runId);
    const second = await chat({ content: "and again", conversationId: first.conversationId });
    expect(second.conversationId).toBe(first.conversationId);
    await ended(second.runId);
    const runs = (await evaluate("eval:runs", { kind: "chat" })) as object[];
    expect(runs).toHaveLength(2);
    expect(runs.at(-1)).toMatchObject({
      id: first.runId,
      kind: "chat",
      status: "done",
      title: "hello there",
    });
    const events = (await evaluate("eval:events", { runId: second.runId })) as Array<{
      type: string;
      seq: number;
    }>;
    expect(events.map((event) => event.type)).toEqual([
      "run.started",
      "model.requested",
      "model.completed",
      "run.completed",
    ]);
    const rest = (await evaluate("eval:events", { runId: second.runId, fromSeq: 4 })) as object[];
    expect(rest).toEqual(events.slice(3));
    const body = JSON.stringify(server.requests.at(-1)?.body);
    expect(body).toContain("First answer.");
  });

  it("a turn without a model fails by that name", async () => {
    const { runId } = await chat({ content: "hello" });
    await ended(runId, "error");
    const events = (await evaluate("eval:events", { runId })) as Array<{ type: string; code?: string }>;
    expect(events.at(-1)).toMatchObject({ type: "run.failed", code: "no_model" });
    await vi.waitFor(() =>
      expect(reports).toEqual([expect.stringMatching(/^model:: Asking the model: No model is set up/)]),
    );
  });

  it("refuse parameters of the wrong type", async () => {
    await expect(chat({ content: 5 })).rejects.toThrow();
    await expect(evaluate("eval:runs", { kind: 5 })).rejects.toMatchObject({ name: "TypeError" });
    await expect(async () => evaluate("eval:events", {})).rejects.toMatchObject({ name: "TypeError" });
  });

  it("reset() ends what runs", async () => {
    await evaluate("eval:setModel", { provider: "openai", apiBaseUrl: server.openaiBaseUrl, model: "fake" });
    server.script([{ text: "never said whole", chunking: { deltaChars: 1 }, delays: { betweenMs: 200 } }]);
    const { runId } = await chat({ content: "hello" });
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    await agents.reset();
    await ended(runId, "stopped");
  });
});
