import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type DemoModel, startDemoModel } from "@tests/servers/demo-model";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

type Messages = OpenAI.Chat.ChatCompletionMessageParam[];

let demo: DemoModel;
let client: OpenAI;

beforeAll(async () => {
  demo = await startDemoModel({ delayMs: 0 });
  client = new OpenAI({ apiKey: "any", baseURL: demo.openaiBaseUrl, maxRetries: 0 });
});
afterAll(() => demo.close());

function tool(name: string, description: string, parameters: Record<string, unknown> = { type: "object" }) {
  return { type: "function" as const, function: { name, description, parameters } };
}

const WEATHER = tool("get_weather", "The weather of a city now", {
  type: "object",
  properties: { city: { type: "string" }, unit: { type: "string", enum: ["celsius", "fahrenheit"] } },
  required: ["city", "unit"],
});
const TOOLS = [
  WEATHER,
  tool("count_words", "How many words a text has", {
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
  }),
  tool("list_tabs", "Lists the open tabs"),
  tool("create_task", "Creates a task", { type: "object", properties: { subject: { type: "string" } } }),
  tool("ask_user", "Asks the user a question and waits for the answer"),
];

function stream(messages: Messages, extra: Partial<OpenAI.Chat.ChatCompletionCreateParams> = {}) {
  return client.chat.completions.stream({ model: demo.model, messages, ...extra, stream: true });
}

/** Sends one user message through a whole tool round; answers what was called and what was said. */
async function converse(content: string, result: string, messages: Messages = [], tools = TOOLS) {
  const history: Messages = [...messages, { role: "user", content }];
  const calls: { name: string; args: unknown }[] = [];
  for (let round = 0; round < 4; round += 1) {
    const message = await stream(history, tools.length > 0 ? { tools } : {}).finalMessage();
    history.push(message);
    if (!message.tool_calls) return { calls, text: message.content ?? "", history };
    for (const call of message.tool_calls) {
      if (call.type !== "function") throw new Error(`unexpected call of type ${call.type}`);
      calls.push({ name: call.function.name, args: JSON.parse(call.function.arguments) });
      history.push({ role: "tool", tool_call_id: call.id, content: result });
    }
  }
  throw new Error("the demo model goes on calling tools");
}

describe("the demo model, through the official client", () => {
  it("says that it is a demo, streams in several deltas, and repeats itself exactly", async () => {
    const deltas: string[] = [];
    const first = await stream([{ role: "user", content: "Hello, who are you?" }], { tools: TOOLS })
      .on("content", (delta) => deltas.push(delta))
      .finalMessage();
    expect(first.content).toContain("Demo model");
    expect(first.tool_calls).toBeUndefined();
    expect(deltas.length).toBeGreaterThan(5);
    const again = await stream([{ role: "user", content: "Hello, who are you?" }], {
      tools: TOOLS,
    }).finalMessage();
    expect(again.content).toBe(first.content);
  });

  it("holds a whole tool round: one call with arguments from the words, then an answer with the result", async () => {
    const { calls, text } = await converse(
      "What is the weather in New York, in fahrenheit please?",
      '{"sky":"clear","temperature":75}',
    );
    expect(calls).toEqual([{ name: "get_weather", args: { city: "New York", unit: "fahrenheit" } }]);
    expect(text).toContain("get_weather");
    expect(text).toMatch(/sky: clear[\s\S]*temperature: 75/);
  });

  it("handles further turns of the same conversation, with and without a tool", async () => {
    const first = await converse("weather in Oslo?", "rain");
    expect(first.text).toContain("rain");
    const second = await converse('How many words are in "one two three"?', "3", first.history);
    expect(second.calls).toEqual([{ name: "count_words", args: { text: "one two three" } }]);
    const third = await converse("Thank you!", "unused", second.history);
    expect(third.calls).toEqual([]);
    expect(third.text).toContain("one two three");
  });

  it("answers Chinese in Chinese", async () => {
    const plain = await converse("你好", "");
    expect(plain.text).toContain("演示模型");
    const asked = await converse(
      "北京今天的天气怎么样？",
      "晴",
      [],
      [tool("get_weather", "查询城市的天气", WEATHER.function.parameters)],
    );
    expect(asked.calls).toEqual([{ name: "get_weather", args: { city: "北京", unit: "celsius" } }]);
    expect(asked.text).toContain("晴");
  });

  it("reports a tool's error as one", async () => {
    for (const result of ['{"error":"no network"}', "Error: no network"]) {
      const { text } = await converse("weather in Oslo", result);
      expect(text).toMatch(/reported an error[\s\S]*no network/);
    }
  });

  it("sums up long text from its own sentences", async () => {
    const page = [
      "Cats sleep for most of the day.",
      "The weather was mild.",
      "Cats that sleep a lot hunt at dawn, and cats that hunt at dawn sleep in the day.",
      "My neighbour painted a fence.",
      "Trains were late again yesterday evening.",
      "Cats hunt mice at dawn because mice are awake at dawn.",
      "Somebody left an umbrella near the door.",
      "Bread costs more than last winter.",
      "An old clock stopped ticking during lunch.",
      "Children played football behind the library.",
      "Later everyone went home and cooked soup.",
    ].join(" ");
    const { text } = await converse(`Summarise this page: ${page}`, "", [], []);
    expect(text).toContain("hunt at dawn");
    expect(text.length).toBeLessThan(page.length);
  });

  it("obeys tool_choice and response_format", async () => {
    const weather: Messages = [{ role: "user", content: "weather in Oslo" }];
    const none = await stream(weather, { tools: TOOLS, tool_choice: "none" }).finalMessage();
    expect(none.tool_calls).toBeUndefined();
    const forced = await stream([{ role: "user", content: "hi" }], {
      tools: TOOLS,
      tool_choice: { type: "function", function: { name: "list_tabs" } },
    }).finalMessage();
    expect(forced.tool_calls?.[0]).toMatchObject({ function: { name: "list_tabs", arguments: "{}" } });
    const required = await stream([{ role: "user", content: "hi" }], {
      tools: TOOLS,
      tool_choice: "required",
    }).finalMessage();
    expect(required.tool_calls).toHaveLength(1);
    const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const json = await client.chat.completions.create({
      model: demo.model,
      messages: weather,
      response_format: { type: "json_schema", json_schema: { name: "place", schema } },
    });
    expect(JSON.parse(json.choices[0]?.message.content ?? "")).toEqual({ city: "Oslo" });
  });

  it("lists its model and streams with pauses when asked to", async () => {
    const slow = await startDemoModel({ delayMs: 10 });
    try {
      const other = new OpenAI({ apiKey: "any", baseURL: slow.openaiBaseUrl });
      const models = await other.models.list();
      expect(models.data.map((model) => model.id)).toEqual([slow.model]);
      const start = performance.now();
      const events = await other.chat.completions.create({
        model: slow.model,
        stream: true,
        messages: [{ role: "user", content: "one two three" }],
      });
      let chunks = 0;
      for await (const _ of events) chunks += 1;
      // Every pause lies between the request and the end; how the chunks bunch up on a busy machine does not matter.
      expect(performance.now() - start).toBeGreaterThan((chunks - 5) * 10);
      expect(chunks).toBeGreaterThan(20);
    } finally {
      await slow.close();
    }
  });
});

it("runs as a child process that says its address on the first line", async () => {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "tests/servers/demo-model/main.ts", "--delay-ms", "0"],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  try {
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    const { url, model } = JSON.parse(line) as { url: string; model: string };
    const models = (await (await fetch(`${url}/v1/models`)).json()) as { data: { id: string }[] };
    expect(models.data.map((each) => each.id)).toEqual([model]);
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    expect((await exit)[0]).toBe(0);
  } finally {
    child.kill("SIGKILL");
  }
});
