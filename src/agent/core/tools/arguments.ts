import { Validator } from "@cfworker/json-schema";
import type { ToolDeclaration } from "@/agent/contract/conversation";

export type ArgumentsCheck =
  | { ok: true; args: Record<string, unknown> }
  /** In words for the model, so that it can call again. */
  | { ok: false; problem: string };

/**
 * Reads the arguments that a model wrote for a tool and checks them against the tool's JSON Schema. Text that is no JSON is a
 * problem to be told, never an empty object: a call with silently lost arguments does the wrong thing. Only "" means none.
 */
export function checkArguments(tool: ToolDeclaration, text: string): ArgumentsCheck {
  let args: unknown;
  try {
    args = text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      problem: `The arguments of ${tool.name} are not JSON (${why}). Call it again with valid JSON.`,
    };
  }
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    return {
      ok: false,
      problem: `The arguments of ${tool.name} must be a JSON object. Call it again with one.`,
    };
  }
  const problems = schemaProblems(tool.parameters, args);
  if (problems) {
    return { ok: false, problem: `The arguments of ${tool.name} do not fit its parameters: ${problems}` };
  }
  return { ok: true, args: args as Record<string, unknown> };
}

const MOST_PROBLEMS = 5;
const validators = new WeakMap<object, Validator>();

/**
 * What does not fit in `value`, in words; null when it fits.
 * A schema that cannot be applied (a `$ref` to nowhere, a broken `pattern`) is such a problem too.
 */
export function schemaProblems(schema: Record<string, unknown>, value: unknown): string | null {
  try {
    let validator = validators.get(schema);
    if (!validator) {
      validator = new Validator(schema, "2019-09", false);
      validators.set(schema, validator);
    }
    const { valid, errors } = validator.validate(value);
    if (valid) return null;
    // The innermost errors come last for each place and say most; the outer ones only repeat that something inside is wrong.
    const telling = errors.filter((e) => e.keyword !== "properties" && e.keyword !== "items");
    const said = (telling.length > 0 ? telling : errors).slice(0, MOST_PROBLEMS);
    return said.map((e) => `${e.instanceLocation}: ${e.error}`).join(" ");
  } catch (error) {
    return `the schema cannot be applied (${error instanceof Error ? error.message : String(error)}).`;
  }
}
