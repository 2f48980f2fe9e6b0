import { specOf, tool } from "@tests/fixtures/agent/engine-kit";
import { ManualClock } from "@tests/fixtures/agent/manual-clock";
import { MemoryJournalStore } from "@tests/fixtures/agent/memory-store";
import { type Death, MortalWorker } from "@tests/fixtures/agent/mortal-worker";
import { PageDouble } from "@tests/fixtures/agent/page-double";
import { Random } from "@tests/fixtures/agent/random";
import { type Answer, roundOf, ScriptedModel, serverError } from "@tests/fixtures/agent/scripted-model";
import { describe, expect, it } from "vitest";
import { sleep } from "@/agent/core/run/clock";

const TOOLS = [tool("read", "read"), tool("write")];

/** Three rounds: calls side by side, calls in order, and the last words. */
const ANSWERS: Answer[] = [
  {
    thinking: "first I look",
    text: "Let me look at both. ",
    calls: [
      { id: "a", name: "read", arguments: '{"n":1}' },
      { id: "b", name: "read", arguments: '{"n":2}' },
    ],
  },
  {
    text: "Now I write. ",
    calls: [
      { id: "c", name: "write" },
      { id: "d", name: "write" },
    ],
  },
  { thinking: "done", text: "All is written. 👍🏽 汉字" },
];
const TEXTS = ANSWERS.map(({ text = "", thinking = "" }) => ({ text, thinking }));

interface Plan {
  /** One worker after another; the last one lives. */
  deaths: Death[];
  /** Instants at which the worker of then is killed, ms after the start. */
  kills: number[];
  /** Model calls that fail before they can succeed, by their round. */
  failures: number[];
  chunk: number;
  delay: number;
  toolMs: number;
  /** How long it takes until there is a new worker. */
  rebirthMs: number;
  ephemeral?: boolean;
}

async function play(plan: Plan) {
  const clock = new ManualClock();
  const start = clock.now();
  const store = new MemoryJournalStore();
  const failures = [...plan.failures];
  const kept = new Map<string, unknown>();
  const reports: unknown[] = [];
  let ids = 0;
  const model = new ScriptedModel(clock, (request) => {
    const round = roundOf(request);
    const answer: Answer = { ...ANSWERS[round], chunk: plan.chunk, delay: plan.delay };
    const failing = failures.indexOf(round);
    if (failing < 0) return answer;
    failures.splice(failing, 1);
    return { ...answer, fail: { after: 2, error: serverError() } };
  });

  let workers = 0;
  let current: Promise<MortalWorker>;
  const bear = (): MortalWorker => {
    const worker = new MortalWorker(
      store,
      {
        clock,
        random: () => 0.5,
        newId: () => `id-${++ids}`,
        resolveModel: async () => model.asModel(),
        history: async () => [],
        hold: () => () => undefined,
        keepEphemeral: async (record, messages) => {
          kept.set(record.id, messages);
        },
        report: (error) => reports.push(error),
      },
      plan.deaths[workers++] ?? null,
    );
    worker.died.then(() => {
      current = sleep(clock, plan.rebirthMs).then(bear);
    });
    void worker.live(worker.engine.resumeAll());
    return worker;
  };
  current = Promise.resolve(bear());
  for (const at of plan.kills) {
    clock.after(at, () => void current.then((worker) => worker.kill()));
  }

  const spec = specOf({ tools: TOOLS, ephemeral: plan.ephemeral ?? false });
  const page = new PageDouble(
    clock,
    { id: "turn", spec },
    () => current,
    async ({ name, args }) => {
      await sleep(clock, plan.toolMs);
      return { ok: true, value: `${name} ${JSON.stringify(args)}` };
    },
  );
  let failed: unknown;
  page.run().catch((error: unknown) => {
    failed = error;
  });
  await clock.runUntil(() => page.done || failed !== undefined);
  if (failed) throw failed;
  const { workers: born } = { workers };
  return { page, store, kept, reports, born, took: clock.now() - start };
}

function check({ page, store, reports }: Awaited<ReturnType<typeof play>>): void {
  expect(reports).toEqual([]);
  expect(page.error).toBeUndefined();
  expect(page.transcript.messages).toEqual(TEXTS);
  expect(page.reply).toMatchObject({ content: TEXTS[2]?.text, thinking: TEXTS[2]?.thinking });
  expect(page.reply?.toolCalls?.map((call) => [call.id, call.status, call.result])).toEqual([
    ["a", "completed", 'read {"n":1}'],
    ["b", "completed", 'read {"n":2}'],
    ["c", "completed", "write {}"],
    ["d", "completed", "write {}"],
  ]);
  expect([...page.effects]).toEqual([...page.effects.keys()].map((id) => [id, 1]));
  expect([...page.effects.keys()].sort()).toEqual(["a", "b", "c", "d"]);
  const completed = page.transcript.chunks.filter((chunk) => chunk.type === "tool_call_complete");
  expect(completed.map((chunk) => chunk.toolCall?.id).sort()).toEqual(["a", "b", "c", "d"]);
  expect(page.transcript.chunks.filter((chunk) => chunk.type === "done")).toHaveLength(1);
  const said = (store.messages.get("script-1/c1") ?? []).filter((message) => message.role === "assistant");
  expect(
    said.map((message) => message.parts?.map((part) => ("text" in part ? part.text : "")).join("")),
  ).toEqual(TEXTS.map(({ text, thinking }) => thinking + text));
}

const CALM: Plan = { deaths: [], kills: [], failures: [], chunk: 4, delay: 20, toolMs: 30, rebirthMs: 40 };

describe("a worker that dies", () => {
  it("is not needed for the turn to be right", async () => {
    const result = await play(CALM);
    check(result);
    expect(result.born).toBe(1);
  });

  it("at every single write of the journal, before or after it, costs nothing", async () => {
    let boundaries = 0;
    for (const when of ["before", "after"] as const) {
      for (let atCall = 1; atCall < 60; atCall++) {
        const result = await play({ ...CALM, delay: 60, deaths: [{ atCall, when }] });
        check(result);
        if (result.born === 1) break; // The run needs no more calls than that.
        boundaries += 1;
      }
    }
    expect(boundaries).toBeGreaterThan(20);
  });

  it("at random instants, again and again, with a failing model in between, costs nothing (200 seeds)", async () => {
    let deaths = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const random = new Random(seed);
      const plan: Plan = {
        deaths: Array.from({ length: random.below(4) }, () => ({
          atCall: 1 + random.below(25),
          when: random.pick(["before", "after"] as const),
        })),
        kills: Array.from({ length: random.below(6) }, () => random.below(3000)),
        failures: Array.from({ length: random.below(3) }, () => random.below(3)),
        chunk: 1 + random.below(12),
        delay: random.pick([0, 1, 20, 120]),
        toolMs: random.pick([0, 30, 800]),
        rebirthMs: random.pick([0, 40, 2000]),
      };
      const result = await play(plan);
      try {
        check(result);
      } catch (error) {
        throw new Error(`Seed ${seed}: ${JSON.stringify(plan)}`, { cause: error });
      }
      deaths += result.born - 1;
    }
    expect(deaths).toBeGreaterThan(200);
  });

  it("leaves of an ephemeral turn nothing but its messages in memory", async () => {
    for (let atCall = 1; atCall < 20; atCall += 3) {
      const result = await play({ ...CALM, ephemeral: true, deaths: [{ atCall, when: "after" }] });
      expect(result.page.reply?.content).toBe(TEXTS[2]?.text);
      expect(result.kept.has("turn")).toBe(true);
      expect(result.store.messages.get("script-1/c1")).toEqual([]);
    }
  });
});
