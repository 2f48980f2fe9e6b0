import { buildArguments } from "@tests/servers/demo-model/arguments";
import { chooseTool } from "@tests/servers/demo-model/choose";
import { describe, expect, it } from "vitest";
import { z } from "zod";

describe("choosing a tool", () => {
  const offers = [
    ["get_weather", "The weather of a city now"],
    ["count_words", "How many words a text has"],
    ["list_tabs", "Lists the open tabs"],
    ["create_task", "Creates a task"],
    ["ask_user", "Asks the user a question and waits for the answer"],
  ].map(([name = "", description = ""]) => ({ name, description, schema: { type: "object" } }));
  it.each([
    ["What's the weather like in Rome?", "get_weather"],
    ["How many words are on this page?", "count_words"],
    ["Which tabs are open?", "list_tabs"],
    ["Please create a task to buy milk", "create_task"],
    ["use ask_user now", "ask_user"],
    ["Hello! Who are you?", undefined],
    ["What is a task?", undefined],
    ["Tell me a joke", undefined],
    ["I am a user and have a question", undefined],
  ])("%s → %s", (request, name) => {
    expect(chooseTool(request, offers)?.name).toBe(name);
  });
});

describe("arguments", () => {
  it.each<[string, Record<string, unknown>, string, unknown]>([
    [
      "a URL",
      { url: { type: "string" } },
      "read https://example.com/a?b=1, please",
      { url: "https://example.com/a?b=1" },
    ],
    [
      "numbers in order",
      { a: { type: "number" }, b: { type: "integer" } },
      "add 2.5 and 7",
      { a: 2.5, b: 7 },
    ],
    ["a named value", { city: { type: "string" } }, "city: Wien, unit: c", { city: "Wien" }],
    [
      "quoted values in order",
      { from: { type: "string" }, to: { type: "string" } },
      "rename 'a b' to “c”",
      { from: "a b", to: "c" },
    ],
    ["the default", { n: { type: "integer", default: 4 } }, "go", { n: 4 }],
    ["limits", { n: { type: "integer", minimum: 10, multipleOf: 4 } }, "use 7", { n: 12 }],
    [
      "a list",
      { names: { type: "array", items: { type: "string" } } },
      'of "x" and "y"',
      { names: ["x", "y"] },
    ],
    ["a flag", { verbose: { type: "boolean" } }, "be verbose", { verbose: true }],
    ["nullable", { n: { anyOf: [{ type: "null" }, { type: "number" }] } }, "with 3", { n: 3 }],
    ["the words themselves", { query: { type: "string" } }, "search for cats", { query: "search for cats" }],
  ])("%s", (_what, properties, request, expected) => {
    const schema = { type: "object", properties, required: Object.keys(properties) };
    expect(buildArguments(schema, request)).toEqual(expected);
  });

  it("leave out what is optional and not said, and follow $ref without end", () => {
    const schema = {
      type: "object",
      properties: { node: { $ref: "#/$defs/node" }, page: { type: "integer" }, tag: { type: "string" } },
      required: ["node"],
      $defs: {
        node: {
          type: "object",
          properties: { label: { type: "string", maxLength: 5 }, next: { $ref: "#/$defs/node" } },
          required: ["label"],
        },
      },
    };
    expect(buildArguments(schema, "hello hello")).toEqual({ node: { label: "hello" } });
  });

  it("satisfy the schema, whatever the words", () => {
    const schemas = [
      z.object({
        city: z.string().min(3).max(8),
        days: z.int().min(2).max(9),
        unit: z.enum(["c", "f"]).default("f"),
      }),
      z.object({
        when: z.iso.datetime(),
        mail: z.email(),
        link: z.url(),
        list: z.array(z.number()).min(2).max(3),
      }),
      z.object({
        kind: z.literal("x"),
        at: z.object({ x: z.number().gt(0).lt(1), y: z.number().multipleOf(5).gt(10) }),
      }),
      z.object({ either: z.union([z.boolean(), z.string()]), maybe: z.string().optional(), none: z.null() }),
    ];
    const requests = [
      "",
      "go",
      'weather in Paris for 3 days "quoted"',
      "天气 12 https://a.test/x",
      "-5 0.5 100 1e9",
    ];
    for (const schema of schemas) {
      for (const request of requests) {
        const args = buildArguments(
          z.toJSONSchema(schema, { io: "input" }) as Record<string, unknown>,
          request,
        );
        expect(schema.safeParse(args), `${request} → ${JSON.stringify(args)}`).toMatchObject({
          success: true,
        });
      }
    }
  });
});
