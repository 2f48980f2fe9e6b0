import type { Translate } from "@/locales";
import type { MessageKey } from "@/locales/catalogue";
import type { ScriptWorld } from "@/userscripts/types";

const RUN_AT: Record<string, MessageKey> = {
  "document-start": "runAt.start",
  "document-body": "runAt.body",
  "document-end": "runAt.end",
  "document-idle": "runAt.idle",
};

/** When a script runs, as a sentence. */
export function runAtSentence(t: Translate, runAt: string): string {
  return t.any(RUN_AT[runAt] ?? "runAt.idle");
}

/** In which world a script runs, as a sentence. */
export function worldSentence(t: Translate, world: ScriptWorld): string {
  return t(world === "page" ? "world.page" : "world.isolated");
}

/**
 * A pattern as short as it can be said in a list: `*://*.example.com/*` is `*.example.com`.
 */
export function shortPattern(pattern: string): string {
  const [, host, path] = /^(?:\*|https?|http\*):\/\/([^/]+)(\/.*)?$/.exec(pattern) ?? [];
  if (host === undefined || host === "*") return pattern;
  return path === undefined || path === "/*" || path === "/" ? host : `${host}${path}`;
}
