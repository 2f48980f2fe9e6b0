// npm run bench -- agent: what a conversation through CAT.agent costs beside a direct fetch of the same stream, taken in turn.
import type { Page } from "playwright-core";
import { burst, startLlmServer } from "../servers/llm";
import { startPageServer } from "../servers/pages";
import { launchMoggy } from "./harness";
import { median, ms, spread, table } from "./stats";

const RUNS = 30;
const WARM_UP = 3;
const DELTAS = 2000;
const ROUNDS = 10;

const [pages, llm] = await Promise.all([startPageServer(), startLlmServer({ keepRequests: 10 })]);
const moggy = await launchMoggy();
const reference = await moggy.context.newPage();
try {
  await moggy.eval("eval:setModel", {
    provider: "openai",
    apiBaseUrl: llm.openaiBaseUrl,
    apiKey: "k",
    model: "m",
  });
  await moggy.eval("eval:installScript", { code: benchScript() });
  const page = await moggy.context.newPage();
  await page.goto(`${pages.a}/plain`);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");

  // Of the model server's own origin, so that the browser lets it fetch there without further questions.
  await reference.goto(`${llm.url}/effects`);

  await firstToken(page);
  await throughput(page);
  await rounds(page);
} finally {
  await Promise.all([moggy.close(), pages.close(), llm.close()]);
}

async function firstToken(page: Page): Promise<void> {
  llm.scriptByState(() => ({ text: "Yes." }));
  const samples = await inTurn(
    () => measure(page, "stream"),
    () => direct(),
  );
  const chat: number[] = [];
  for (let i = 0; i < RUNS; i++) chat.push((await measure(page, "chat")).total);
  const ours = samples.ours.map((s) => s.first);
  const theirs = samples.theirs.map((s) => s.first);
  const extra = median(ours) - median(theirs);
  table("First token", [
    ["through chatStream()", spread(ours)],
    ["direct fetch", spread(theirs)],
    ["difference of medians", `${ms(extra)} — budget 15 ms ${extra <= 15 ? "met" : "MISSED"}`],
    ["one-token chat()", `${spread(chat)} — budget 25 ms ${median(chat) <= 25 ? "met" : "MISSED"}`],
  ]);
}

async function throughput(page: Page): Promise<void> {
  llm.scriptByState(() => burst(DELTAS));
  const samples = await inTurn(
    () => measure(page, "stream"),
    () => direct(),
  );
  const rate = (s: Sample) => (s.deltas / s.total) * 1000;
  const ours = median(samples.ours.map(rate));
  const theirs = median(samples.theirs.map(rate));
  table(`A burst of ${DELTAS} deltas`, [
    [
      "through chatStream()",
      `${Math.round(ours)} deltas/s (all ${DELTAS} came: ${samples.ours.every((s) => s.deltas === DELTAS)})`,
    ],
    ["direct fetch", `${Math.round(theirs)} deltas/s`],
    [
      "share",
      `${((ours / theirs) * 100).toFixed(0)} % — budget 80 % ${ours / theirs >= 0.8 ? "met" : "MISSED"}`,
    ],
  ]);
}

async function rounds(page: Page): Promise<void> {
  llm.scriptByState((request) =>
    request.messages.filter((m) => m.role === "tool").length % ROUNDS === 0 &&
    request.messages.at(-1)?.role === "tool"
      ? { text: "Done." }
      : { toolCalls: [{ name: "nothing", args: {} }] },
  );
  const samples = await inTurn(
    () => measure(page, "rounds"),
    async () => {
      let total = 0;
      for (let i = 0; i <= ROUNDS; i++) total += (await direct()).total;
      return { first: 0, total, deltas: 0 };
    },
  );
  const per = (list: Sample[]) => median(list.map((s) => s.total)) / (ROUNDS + 1);
  const extra = per(samples.ours) - per(samples.theirs);
  table(`A tool loop of ${ROUNDS} rounds`, [
    ["per round, through CAT", ms(per(samples.ours))],
    ["per request, direct fetch", ms(per(samples.theirs))],
    ["difference", `${ms(extra)} — budget 5 ms ${extra <= 5 ? "met" : "MISSED"}`],
  ]);
}

interface Sample {
  /** ms to the first delta. */
  first: number;
  /** ms to the end. */
  total: number;
  deltas: number;
}

async function inTurn(ours: () => Promise<Sample>, theirs: () => Promise<Sample>) {
  const samples = { ours: [] as Sample[], theirs: [] as Sample[] };
  for (let i = -WARM_UP; i < RUNS; i++) {
    const [a, b] = i % 2 === 0 ? [await ours(), await theirs()] : [await theirs(), await ours()].reverse();
    if (i < 0 || !a || !b) continue;
    samples.ours.push(a);
    samples.theirs.push(b);
  }
  return samples;
}

/** Lets the userscript do one turn and returns what it measured. */
function measure(page: Page, kind: string): Promise<Sample> {
  return page.evaluate(
    (detail) =>
      new Promise<Sample>((resolve) => {
        document.addEventListener(
          "bench-done",
          (e) => resolve(JSON.parse((e as CustomEvent<string>).detail)),
          { once: true },
        );
        document.dispatchEvent(new CustomEvent("bench", { detail }));
      }),
    kind,
  );
}

/** The same request from a page, read and split into frames, nothing more. */
function direct(): Promise<Sample> {
  return reference.evaluate(async (base) => {
    const started = performance.now();
    const response = await fetch(`${base}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer k" },
      body: JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Is it so?" }] }),
      cache: "no-store",
    });
    let first = 0;
    let deltas = 0;
    let rest = "";
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const frames = (rest + text).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) {
        if (!frame.startsWith("data: {")) continue;
        const delta = JSON.parse(frame.slice(6)).choices[0]?.delta;
        if (!delta?.content && !delta?.tool_calls) continue;
        first ||= performance.now() - started;
        deltas += 1;
      }
    }
    return { first, total: performance.now() - started, deltas };
  }, llm.openaiBaseUrl);
}

function benchScript(): string {
  return `// ==UserScript==
// @name Bench
// @match *://*/*
// @grant CAT.agent.conversation
// ==/UserScript==
const tools = [{ name: "nothing", description: "Does nothing.", parameters: { type: "object", properties: {} }, effect: "read", handler: async () => "ok" }];
document.addEventListener("bench", async ({ detail: kind }) => {
  const conv = await CAT.agent.conversation.create(kind === "rounds" ? { tools, maxIterations: 50 } : {});
  const started = performance.now();
  let first = 0, deltas = 0;
  if (kind === "chat" || kind === "rounds") await conv.chat("Is it so?");
  else for await (const chunk of await conv.chatStream("Is it so?")) {
    if (chunk.type !== "content_delta") continue;
    first ||= performance.now() - started;
    deltas += 1;
  }
  const detail = JSON.stringify({ first, total: performance.now() - started, deltas });
  document.dispatchEvent(new CustomEvent("bench-done", { detail }));
});
document.documentElement.dataset.ready = "yes";`;
}
