import { compileRules, type UserRules } from "@/userscripts/match";
import { parseUserscript, type ScriptMetadata } from "@/userscripts/metadata";

/** Metadata of a script whose header holds these lines after @name (line 2) and @version (line 3). */
export function metadataOf(...lines: string[]): ScriptMetadata {
  const header = ["// @name Test", "// @version 1", ...lines.map((line) => `// ${line}`)];
  const { metadata } = parseUserscript(`// ==UserScript==\n${header.join("\n")}\n// ==/UserScript==\n`);
  if (!metadata) throw new Error(`no metadata in ${lines.join(" | ")}`);
  return metadata;
}

/** Rules and problems of such a script. */
export function compiled(lines: string[], user?: UserRules) {
  return compileRules(metadataOf(...lines), user);
}

/** Which of the URLs the lines match. */
export function matched(lines: string[], urls: string[]): string[] {
  const { rules } = compiled(lines);
  return urls.filter((url) => rules.test(url));
}
