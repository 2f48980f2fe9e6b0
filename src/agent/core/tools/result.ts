import { bounded } from "@/agent/contract/tool-result";

/** A tool's outcome as it comes from the script. */
export type ToolOutcome = { ok: true; value: unknown } | { ok: false; error: string };

/**
 * A tool's outcome as the model reads it: text as it is, everything else as JSON, cut when it is too long.
 * A value without a JSON form (a cycle, a BigInt) becomes an error that says so.
 */
export function resultText(outcome: ToolOutcome): { result: string; isError: boolean } {
  if (!outcome.ok) return { result: bounded(outcome.error), isError: true };
  const { value } = outcome;
  if (typeof value === "string") return { result: bounded(value), isError: false };
  if (value === undefined) return { result: "null", isError: false };
  try {
    const text: unknown = JSON.stringify(value);
    if (typeof text === "string") return { result: bounded(text), isError: false };
    return { result: `The tool returned a ${typeof value}, which has no JSON form.`, isError: true };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { result: `The tool returned something that has no JSON form: ${why}`, isError: true };
  }
}
