/** One thing whose cost is measured: packages, and code that uses them the way the worker does or will. */
export interface Subject {
  name: string;
  /** Packages with versions, beside those of package.json, whose versions are taken from there. */
  packages: Readonly<Record<string, string>>;
  /** An ES module that puts what it builds on `globalThis.subject`, so that nothing that is used is shaken off. */
  code: string;
}

const HERE = "";

function provider(name: string, pkg: string, create: string, version: string = HERE, options = ""): Subject {
  const code = `import { ${create} } from "${pkg}";
globalThis.subject = (model) => ${create}({ apiKey: "k", fetch, ${options} })(model).doStream;`;
  return { name, packages: { [pkg]: version }, code };
}

/**
 * Every package that the design means for the worker, used yet or not. An empty version is the one in package.json; the others are
 * not dependencies of this version, and are installed into a temporary folder only.
 */
export const SUBJECTS: readonly Subject[] = [
  { name: "(empty worker)", packages: {}, code: "globalThis.subject = 1;" },
  {
    name: "dexie",
    packages: { dexie: HERE },
    code: `import Dexie from "dexie"; globalThis.subject = class extends Dexie { constructor() { super("x"); this.version(1).stores({ a: "id" }); } };`,
  },
  {
    name: "zod",
    packages: { zod: HERE },
    code: `import * as z from "zod"; globalThis.subject = z.object({ a: z.string(), b: z.optional(z.array(z.union([z.number(), z.literal("x")]))) });`,
  },
  {
    name: "zod/mini",
    packages: { zod: HERE },
    code: `import * as z from "zod/mini"; globalThis.subject = z.object({ a: z.string(), b: z.optional(z.array(z.union([z.number(), z.literal("x")]))) });`,
  },
  {
    name: "eventemitter3",
    packages: { eventemitter3: HERE },
    code: `import { EventEmitter } from "eventemitter3"; globalThis.subject = new EventEmitter();`,
  },
  {
    name: "cron-parser",
    packages: { "cron-parser": HERE },
    code: `import { CronExpressionParser } from "cron-parser"; globalThis.subject = (text) => CronExpressionParser.parse(text).next();`,
  },
  {
    name: "tldts-icann",
    packages: { "tldts-icann": HERE },
    code: `import { getDomain } from "tldts-icann"; globalThis.subject = getDomain;`,
  },
  {
    name: "webextension-polyfill",
    packages: { "webextension-polyfill": HERE },
    code: `import browser from "webextension-polyfill"; globalThis.subject = browser.runtime;`,
  },
  {
    name: "@cfworker/json-schema",
    packages: { "@cfworker/json-schema": HERE },
    code: `import { Validator } from "@cfworker/json-schema"; globalThis.subject = (schema) => new Validator(schema);`,
  },
  {
    name: "eventsource-parser",
    packages: { "eventsource-parser": HERE },
    code: `import { createParser } from "eventsource-parser"; globalThis.subject = createParser({});`,
  },
  provider(
    "AI SDK: OpenAI-compatible",
    "@ai-sdk/openai-compatible",
    "createOpenAICompatible",
    HERE,
    `name: "x", baseURL: "http://x"`,
  ),
  provider("AI SDK: Anthropic", "@ai-sdk/anthropic", "createAnthropic"),
  provider("AI SDK: OpenAI", "@ai-sdk/openai", "createOpenAI", "3.0.141"),
  provider("AI SDK: Google", "@ai-sdk/google", "createGoogleGenerativeAI", "3.0.141"),
  provider("AI SDK: xAI", "@ai-sdk/xai", "createXai", "3.0.138"),
  provider("AI SDK: DeepSeek", "@ai-sdk/deepseek", "createDeepSeek", "2.0.69"),
  provider("AI SDK: OpenRouter", "@openrouter/ai-sdk-provider", "createOpenRouter", "2.10.0"),
  {
    name: "MCP client",
    packages: { "@modelcontextprotocol/sdk": "1.32.2", "@cfworker/json-schema": HERE },
    code: `import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/cfworker";
globalThis.subject = () => [
  new Client({ name: "x", version: "1" }, { jsonSchemaValidator: new CfWorkerJsonSchemaValidator() }),
  new StreamableHTTPClientTransport(new URL("http://x")),
];`,
  },
];

/** Subjects in one bundle, which share what they have in common. */
export const COMBINATIONS: ReadonlyArray<{ name: string; parts: readonly string[] }> = [
  {
    name: "together: the two providers of this version",
    parts: ["AI SDK: OpenAI-compatible", "AI SDK: Anthropic", "eventsource-parser", "@cfworker/json-schema"],
  },
  {
    name: "together: those and OpenAI, Google",
    parts: [
      "AI SDK: OpenAI-compatible",
      "AI SDK: Anthropic",
      "AI SDK: OpenAI",
      "AI SDK: Google",
      "eventsource-parser",
      "@cfworker/json-schema",
    ],
  },
  {
    name: "together: all seven providers",
    parts: SUBJECTS.map(({ name }) => name).filter((n) => n.startsWith("AI SDK")),
  },
  {
    name: "together: everything meant for the engine",
    // Dexie and zod/mini are in core.js, which hands the database over; the suffix list is a bundle of its own.
    parts: SUBJECTS.map(({ name }) => name).filter(
      (name) => !["(empty worker)", "dexie", "zod/mini", "tldts-icann"].includes(name),
    ),
  },
];

/** One subject made of several: each keeps what it builds. */
export function combine(name: string, parts: readonly Subject[]): Subject {
  return {
    name,
    packages: Object.assign({}, ...parts.map((part) => part.packages)) as Record<string, string>,
    code: parts.map((_, i) => `import "./part-${i}";`).join("\n"),
  };
}
