import type { LogRow } from "./types";

/** What a report says beside the entries of the log. Nothing in it tells what a person does: no address, name, text or key. */
export interface ReportFacts {
  version: string;
  browser: string;
  os: string;
  /** Settings by name, those without any of the person's own words. */
  settings: Readonly<Record<string, string | number | boolean>>;
  /** How many there are of what: "scripts" → 12. */
  counts: Readonly<Record<string, number>>;
  now: number;
}

/** The report as plain text: one fact a line, then the entries, the newest first. */
export function reportText(facts: ReportFacts, rows: readonly LogRow[], total: number): string {
  const pairs = (record: Readonly<Record<string, unknown>>): string =>
    Object.entries(record)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join(" ");
  const head = [
    `Moggy ${facts.version}`,
    `Browser: ${facts.browser}`,
    `System: ${facts.os}`,
    `Settings: ${pairs(facts.settings)}`,
    `Counts: ${pairs(facts.counts)}`,
    `Time: ${new Date(facts.now).toISOString()}`,
    `Log: ${total === rows.length ? total : `the newest ${rows.length} of ${total}`}`,
  ].join("\n");
  return [head, ...rows.map(entryText)].join("\n\n");
}

function entryText({ at, level, source, name, during, message, stack, count }: LogRow): string {
  const times = count > 1 ? ` (${count} times, last then)` : "";
  const head = `${new Date(at).toISOString()} ${level} ${source}${times}\n${during}\n${name}: ${message}`;
  if (!stack) return head;
  // V8 begins a stack with name and message.
  const frames = stack.startsWith(`${name}: ${message}`) ? stack.slice(`${name}: ${message}`.length) : stack;
  return `${head}\n${frames.replace(/^\n+/, "")}`.trimEnd();
}
