import type { LogRow } from "@/log/types";

export type LevelFilter = "all" | LogRow["level"];

/** The entries of a level in which all words of the query occur, in any case. */
export function filterEntries(
  rows: readonly LogRow[],
  level: LevelFilter,
  query: string,
  sourceText: (source: string) => string,
): LogRow[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (level !== "all" && row.level !== level) return false;
    if (words.length === 0) return true;
    const { name, during, message, source, stack = "" } = row;
    const text = [name, during, message, source, sourceText(source), stack].join("\n").toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}
