import { describe, expect, it } from "vitest";
import { MAX_RESULT_CHARS } from "@/agent/contract/tool-result";
import { resultText } from "@/agent/core/tools/result";

describe("the result of a tool", () => {
  it.each([
    ["text", "as it is", "as it is"],
    ["an object", { a: [1, null] }, '{"a":[1,null]}'],
    ["nothing", undefined, "null"],
    ["false", false, "false"],
    ["a date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ])("%s is shown", (_what, value, result) => {
    expect(resultText({ ok: true, value })).toEqual({ result, isError: false });
  });

  it("says why a value cannot be shown", () => {
    expect(resultText({ ok: true, value: 1n })).toMatchObject({
      isError: true,
      result: expect.stringContaining("JSON form"),
    });
    expect(resultText({ ok: true, value: () => 1 })).toMatchObject({
      isError: true,
      result: expect.stringContaining("function"),
    });
  });

  it("passes an error on", () => {
    expect(resultText({ ok: false, error: "no" })).toEqual({ result: "no", isError: true });
  });

  it("is cut at its limit, errors too, and nothing is cut below it", () => {
    const whole = "x".repeat(MAX_RESULT_CHARS);
    expect(resultText({ ok: true, value: whole }).result).toBe(whole);
    const { result } = resultText({ ok: true, value: `${whole}y` });
    expect(result.startsWith(`${whole}\n[Cut: ${MAX_RESULT_CHARS + 1} characters`)).toBe(true);
    expect(resultText({ ok: false, error: `${whole}y` }).result).toBe(result);
  });
});
