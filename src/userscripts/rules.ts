import { type CompiledRules, compileRules } from "./match";
import type { Problem } from "./metadata";
import type { ScriptHead } from "./types";

const compiled = new WeakMap<ScriptHead, { rules: CompiledRules; problems: Problem[] }>();

/** Where a script runs, by its header and by what the person changed. Compiled once for each state of a script. */
export function rulesOf(head: ScriptHead): { rules: CompiledRules; problems: Problem[] } {
  let result = compiled.get(head);
  if (!result) {
    const { matches, excludes } = head.overrides;
    result = compileRules(head.metadata, { matches, excludes });
    compiled.set(head, result);
  }
  return result;
}
