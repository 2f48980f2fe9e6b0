import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolCallPart } from "@/agent/core/models/types";
import { chunk, runWith } from "../harness";

const END = `${chunk({}, "tool_calls")}data: [DONE]\n\n`;

/** The calls that a stream of such `tool_calls` lists comes to, by way of the whole client. */
async function callsOf(lists: unknown[]): Promise<Pick<ToolCallPart, "id" | "name" | "arguments">[]> {
  const text = lists.map((tool_calls) => chunk({ tool_calls })).join("") + END;
  const { finish, error } = await runWith(text);
  if (error) throw error;
  const calls = finish?.content.filter((part) => part.type === "tool-call") ?? [];
  return calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }));
}

const head = (id: string, name: string, args = "") => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
const tail = (args: string) => ({ function: { arguments: args } });
const A = { id: "a", name: "one", arguments: '{"x":1}' };
const B = { id: "b", name: "two", arguments: '{"y":2}' };

describe("fragments of tool calls", () => {
  it("as OpenAI sends them", async () => {
    const lists = [
      [{ index: 0, ...head("a", "one") }],
      [{ index: 0, ...tail('{"x"') }],
      [{ index: 1, ...head("b", "two") }],
      [{ index: 0, ...tail(":1}") }],
      [{ index: 1, ...tail('{"y":2}') }],
    ];
    expect(await callsOf(lists)).toEqual([A, B]);
  });

  it("C088 without an index, one after the other", async () => {
    const lists = [[head("a", "one")], [tail('{"x"')], [tail(":1}")], [head("b", "two")], [tail('{"y":2}')]];
    expect(await callsOf(lists)).toEqual([A, B]);
  });

  it("C088 without an index, by id in each fragment", async () => {
    const lists = [
      [head("a", "one"), head("b", "two")],
      [{ id: "b", ...tail('{"y"') }],
      [{ id: "a", ...tail('{"x":1}') }],
      [{ id: "b", ...tail(":2}") }],
    ];
    expect(await callsOf(lists)).toEqual([A, B]);
  });

  it("C088 without an index, by position in the list", async () => {
    const lists = [
      [head("a", "one"), head("b", "two")],
      [tail('{"x"'), tail('{"y"')],
      [tail(":1}"), tail(":2}")],
    ];
    expect(await callsOf(lists)).toEqual([A, B]);
  });

  it("C088 whole calls without index and id", async () => {
    const call = (args: string) => ({ function: { name: "one", arguments: args } });
    const calls = await callsOf([[call('{"x":1}'), call('{"x":2}')], [call('{"x":3}')], [call('{"x":3}')]]);
    expect(calls.map((c) => c.arguments)).toEqual(['{"x":1}', '{"x":2}', '{"x":3}', '{"x":3}']);
    expect(new Set(calls.map((c) => c.id)).size).toBe(4);
  });

  it("C089 the second call's head has index 0, its tail index 1", async () => {
    const lists = [
      [{ index: 0, ...head("a", "one") }],
      [{ index: 0, ...tail('{"x":1}') }],
      [{ index: 0, ...head("b", "two") }],
      [{ index: 1, ...tail('{"y"') }],
      [{ index: 1, ...tail(":2}") }],
    ];
    expect(await callsOf(lists)).toEqual([A, B]);
  });

  it("C089 every call has index 0", async () => {
    const lists = [
      [{ index: 0, ...head("a", "one", '{"x":1}') }],
      [{ index: 0, ...head("b", "two") }],
      [{ index: 0, ...tail('{"y":2}') }],
    ];
    expect(await callsOf(lists)).toEqual([A, B]);
  });

  it("C089 a known id wins over a wrong index", async () => {
    const lists = [
      [{ index: 0, ...head("a", "one") }],
      [{ index: 1, ...head("b", "two") }],
      [{ index: 1, id: "a", ...tail('{"x":1}') }],
      [{ index: 0, id: "b", ...tail('{"y":2}') }],
    ];
    expect(await callsOf(lists)).toEqual([A, B]);
  });

  it("the name in each fragment is not taken twice", async () => {
    const more = (args: string) => ({ index: 0, function: { name: "one", arguments: args } });
    expect(await callsOf([[{ index: 0, ...head("a", "one") }], [more('{"x"')], [more(":1}")]])).toEqual([A]);
  });

  it("a name that comes after the id is waited for", async () => {
    const lists = [
      [{ index: 0, id: "a" }],
      [{ index: 0, function: { name: "one" } }],
      [{ index: 0, ...tail('{"x":1}') }],
    ];
    expect(await callsOf(lists)).toEqual([A]);
  });

  it("arguments as an object become text", async () => {
    expect(await callsOf([[{ id: "a", function: { name: "one", arguments: { x: 1 } } }]])).toEqual([A]);
  });

  it("a call that never gets a name is an error that may be tried again", async () => {
    await expect(callsOf([[{ index: 0, id: "a", ...tail("{}") }]])).rejects.toMatchObject({
      name: "ModelError",
      retryable: true,
    });
  });

  it("C095 empty arguments stay none, a placeholder before the real ones is dropped, broken JSON stays broken", async () => {
    const args = async (...parts: string[]) => {
      const lists = [[head("a", "one", parts[0])], ...parts.slice(1).map((part) => [tail(part)])];
      return (await callsOf(lists))[0]?.arguments;
    };
    expect(await args("")).toBe("");
    expect(await args("", "{}")).toBe("{}");
    expect(await args("{}", '{"x":1}')).toBe('{"x":1}');
    expect(await args('{"x":')).toBe('{"x":');
  });

  it("one id for two calls of different names becomes two", async () => {
    const calls = await callsOf([
      [head("call_0", "one", "{}"), head("call_0", "two", '{"y"')],
      [{ id: "call_0", ...tail(":2}") }],
    ]);
    expect(calls.map(({ name, arguments: args }) => [name, args])).toEqual([
      ["one", "{}"],
      ["two", '{"y":2}'],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  it("a whole call that is sent again is one call", async () => {
    const whole = head("a", "one", '{"x":1}');
    expect(await callsOf([[whole], [whole]])).toEqual([A]);
    expect(await callsOf([[{ index: 0, ...whole }], [{ index: 0, ...whole }]])).toEqual([A]);
  });

  it("calls come out whole, whatever the host leaves out and however it cuts and mixes the fragments", async () => {
    const call = fc.record({
      name: fc.constantFrom("one", "two"),
      args: fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ unit: "grapheme", maxLength: 5 }), {
        maxKeys: 3,
      }),
    });
    const style = fc.constantFrom("index", "index and id", "id", "order");
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { minLength: 1, maxLength: 4 }),
        style,
        fc.integer({ min: 1, max: 9 }),
        async (calls, how, size) => {
          const texts = calls.map(({ args }) => JSON.stringify(args));
          const pieces = texts.map((text) => text.match(new RegExp(`[\\s\\S]{1,${size}}`, "gu")) ?? []);
          const queue: unknown[][] = [];
          const mixed = how === "order" ? 1 : calls.length;
          for (let from = 0; from < calls.length; from += mixed) {
            const group = calls.map((_, i) => i).slice(from, from + mixed);
            for (const i of group) {
              const at = how.includes("index") ? { index: i } : {};
              queue.push([{ ...at, ...head(`c${i}`, calls[i]?.name ?? "") }]);
            }
            for (let round = 0; group.some((i) => (pieces[i]?.length ?? 0) > round); round += 1) {
              for (const i of group) {
                const piece = pieces[i]?.[round];
                if (piece === undefined) continue;
                const at = {
                  ...(how.includes("index") ? { index: i } : {}),
                  ...(how.includes("id") ? { id: `c${i}` } : {}),
                };
                queue.push([{ ...at, ...tail(piece) }]);
              }
            }
          }
          expect(await callsOf(queue)).toEqual(
            calls.map(({ name }, i) => ({ id: `c${i}`, name, arguments: texts[i] })),
          );
        },
      ),
      { numRuns: 80 },
    );
  });
});
