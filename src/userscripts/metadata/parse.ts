import { readFields } from "./fields";
import { excerpt, findHeader, type SourceLine } from "./header";
import { type Problem, problem } from "./problems";
import type { RawEntry, ScriptMetadata } from "./types";

export interface ParsedUserscript {
  /** null when a problem of severity "error" was found. */
  metadata: ScriptMetadata | null;
  problems: Problem[];
  /** Offsets in the code: from the opening delimiter's line to the end of the closing one's. */
  headerRange?: { start: number; end: number };
}

const ENTRY = /^\s*\/\/(\s*)@(\S+)(.*)$/;

/**
 * Reads the metadata block of a userscript.
 * Never throws, and takes time linear in the length of the code.
 */
export function parseUserscript(code: string): ParsedUserscript {
  const { header, problems } = findHeader(code);
  if (!header) return { metadata: null, problems };
  const metadata = readFields(readEntries(header.lines, problems), problems);
  if (metadata.version === undefined) problems.push(problem("version.missing", header.line, {}));
  if (metadata.name === "") problems.push(problem("header.name-missing", header.line, {}));
  problems.sort((a, b) => a.line - b.line);
  return { metadata: metadata.name === "" ? null : metadata, problems, headerRange: header.range };
}

function readEntries(lines: SourceLine[], problems: Problem[]): RawEntry[] {
  const entries: RawEntry[] = [];
  const code: SourceLine[] = [];
  for (const line of lines) {
    const found = ENTRY.exec(line.text);
    if (found) {
      const [, space = "", key = "", value = ""] = found;
      if (space === "") problems.push(problem("line.no-space", line.number, { key: excerpt(key) }));
      entries.push({ key, value: value.trim(), line: line.number });
    } else if (!/^\s*(?:\/\/|$)/.test(line.text)) {
      code.push(line);
    }
  }
  const [first] = code;
  if (first) {
    const params = { text: excerpt(first.text), count: String(code.length) };
    problems.push(problem("header.code", first.number, params));
  }
  return entries;
}
