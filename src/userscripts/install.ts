import { hasPowers, KNOWN_GRANTS, needsPage } from "./grants";
import type { InstallProblemCode } from "./install-messages.en";
import { compileRules } from "./match";
import { mentions } from "./mentions";
import { parseUserscript, type ScriptMetadata } from "./metadata";
import type { ScriptProblem, ScriptWorld } from "./types";
import { worldFor } from "./world-for";

/** The outcome of reading a script for installation. `metadata` is missing only when there is no usable header. */
export interface InstallCheck {
  ok: boolean;
  problems: ScriptProblem[];
  metadata: ScriptMetadata | null;
  world: ScriptWorld;
}

/** Reads a script and says whether it can run here: what it needs and cannot have is refused now, by name, not at run time. */
export function checkInstall(code: string): InstallCheck {
  const { metadata, problems } = parseUserscript(code);
  if (!metadata) return { ok: false, problems, metadata: null, world: "isolated" };
  const all: ScriptProblem[] = [
    ...problems,
    ...compileRules(metadata).problems,
    ...unsupported(metadata, code),
    ...warnings(metadata),
  ];
  return { ok: !all.some((p) => p.severity === "error"), problems: all, metadata, world: worldFor(metadata) };
}

function unsupported(metadata: ScriptMetadata, code: string): ScriptProblem[] {
  const found: ScriptProblem[] = [];
  const refuse = (what: InstallProblemCode, params: Record<string, string>, key: string, value?: string) =>
    found.push({ severity: "error", code: what, params, line: lineOf(metadata, key, value) });

  for (const grant of metadata.grants) {
    if (!KNOWN_GRANTS.has(grant)) refuse("unsupported.grant", { name: grant }, "grant", grant);
  }
  for (const { url } of metadata.requires) refuse("unsupported.require", { url }, "require");
  for (const { name } of metadata.resources) refuse("unsupported.resource", { name }, "resource");
  if (metadata.requireCss.length > 0) refuse("unsupported.require-css", {}, "require-css");
  if (metadata.background) {
    for (const grant of metadata.grants.filter(needsPage))
      refuse("unsupported.background-grant", { name: grant }, "grant", grant);
  }
  if (metadata.crontab !== undefined) refuse("unsupported.crontab", {}, "crontab");
  if (metadata.runAt === "context-menu") refuse("unsupported.context-menu", {}, "run-at");
  if (metadata.runIn.length > 0) refuse("unsupported.run-in", {}, "run-in");
  if (metadata.topLevelAwait) refuse("unsupported.top-level-await", {}, "top-level-await");
  if (metadata.unwrap) refuse("unsupported.unwrap", {}, "unwrap");
  if (metadata.storageName) refuse("unsupported.storage-name", {}, "storageName");
  const nul = code.indexOf("\0");
  if (nul >= 0) {
    const line = code.slice(0, nul).split("\n").length;
    found.push({ severity: "error", code: "unsupported.nul", params: {}, line });
  }
  if (worldFor(metadata) === "page") {
    if (hasPowers(metadata.grants)) refuse("unsupported.page-powers", {}, "inject-into");
  } else if (metadata.grants.includes("unsafeWindow") || mentions(code, "unsafeWindow")) {
    refuse("unsupported.unsafe-window", {}, "grant", "unsafeWindow");
  }
  return found;
}

const EVERYWHERE = new Set([
  "<all_urls>",
  "*",
  "*://*/*",
  "http*://*/*",
  "*://*",
  "http://*/*",
  "https://*/*",
]);

function warnings(metadata: ScriptMetadata): ScriptProblem[] {
  const found: ScriptProblem[] = [];
  const warn = (code: InstallProblemCode, params: Record<string, string>, key: string, value?: string) =>
    found.push({ severity: "warning", code, params, line: lineOf(metadata, key, value) });

  if (metadata.background) warn("warning.background", {}, "background");
  const broad = metadata.background
    ? undefined
    : [...metadata.matches, ...metadata.includes].find((pattern) => EVERYWHERE.has(pattern));
  if (broad !== undefined) {
    warn(
      "warning.everywhere",
      { pattern: broad },
      metadata.matches.includes(broad) ? "match" : "include",
      broad,
    );
  }
  if (metadata.connects.includes("*")) warn("warning.connect-any", {}, "connect", "*");
  // Only that grant can spend anything: the other areas of CAT.agent are said with what the script may do.
  if (metadata.grants.includes("CAT.agent.conversation")) {
    warn("warning.agent", {}, "grant", "CAT.agent.conversation");
  }
  return found;
}

/** Line of the first header entry with this key (and value), 1 when there is none. */
function lineOf(metadata: ScriptMetadata, key: string, value?: string): number {
  return (
    metadata.raw.find((entry) => entry.key === key && (value === undefined || entry.value === value))?.line ??
    1
  );
}
