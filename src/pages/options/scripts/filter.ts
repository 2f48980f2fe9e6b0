import { rank } from "@/ui/rank";
import type { ScriptSummary } from "@/userscripts/types";

/** The scripts that have every typed word in their name, description, author or matches; their order stays. */
export function filterScripts(scripts: readonly ScriptSummary[], query: string): ScriptSummary[] {
  if (query.trim() === "") return [...scripts];
  return scripts.filter((script) => {
    const { name, description, author, namespace, matches } = script;
    return rank(query, [name, description, author, namespace, ...matches].filter(Boolean).join("\n")) > 0;
  });
}
