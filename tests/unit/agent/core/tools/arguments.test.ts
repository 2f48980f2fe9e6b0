import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolDeclaration } from "@/agent/contract/conversation";
import { checkArguments, schemaProblems } from "@/agent/core/tools/arguments";

function tool(parameters: Record<string, unknown>): ToolDeclaration {
  return { name: "look", description: "", parameters };
}

const person = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    tags: { type: "array", items: { type: "string" } },
    inner: { $ref: "#/$defs/inner" },
  },
  required: ["name"],
  additionalProperties: false,
  $defs: { inner: { type: "object", properties: { n: { type: "integer" } } } },
};

describe("arguments of a tool", () => {
  it.each(["", "  ", "{}", "\n"])("C095 %j is no arguments", (text) => {
    expect(checkArguments(tool({}), text)).toEqual({ ok: true, args: {} });
  });

  it.each(["{", '{"a":}', "undefined", "{'a':1}", '{"a":1}}', '{"a":1}{"b":2}', "NaN"])(
    "C095 %j is a problem to be told, never an empty object",
    (text) => {
      const checked = checkArguments(tool({}), text);
      expect(checked).toMatchObject({ ok: false, problem: expect.stringContaining("not JSON") });
    },
  );

  it.each(["null", "1", '"x"', "[]", "true"])("%s is JSON, but no arguments", (text) => {
    expect(checkArguments(tool({}), text)).toMatchObject({ ok: false });
  });

  it("takes what fits the schema, as it is", () => {
    const args = { name: "Ada", tags: ["x"], inner: { n: 1 } };
    expect(checkArguments(tool(person), JSON.stringify(args))).toEqual({ ok: true, args });
  });

  it.each([
    ['{"tags":[]}', "name"],
    ['{"name":""}', "#/name"],
    ['{"name":"x","tags":[1]}', "#/tags/0"],
    ['{"name":"x","inner":{"n":1.5}}', "#/inner/n"],
    ['{"name":"x","other":1}', "other"],
  ])("says of %s what does not fit", (text, words) => {
    expect(checkArguments(tool(person), text)).toMatchObject({
      ok: false,
      problem: expect.stringContaining(words),
    });
  });

  it("never throws, and passes on only what JSON says", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const checked = checkArguments(tool({}), text);
        if (checked.ok) expect(checked.args).toEqual(text.trim() === "" ? {} : JSON.parse(text));
      }),
    );
  });

  it.each([
    ["a reference to nowhere", { $ref: "#/$defs/nothing" }],
    ["a broken pattern", { properties: { a: { pattern: "(" } } }],
  ])("reports a schema with %s as a problem instead of throwing", (_what, schema) => {
    expect(schemaProblems(schema, { a: "x" })).toContain("schema cannot be applied");
  });

  it("needs no eval", () => {
    const evil = () => {
      throw new EvalError("refused by the content security policy");
    };
    const { Function: original } = globalThis;
    globalThis.Function = evil as unknown as FunctionConstructor;
    try {
      expect(checkArguments(tool(structuredClone(person)), '{"name":"x"}').ok).toBe(true);
    } finally {
      globalThis.Function = original;
    }
  });
});
