import type { ConsentEntry } from "@/consent/contract";
import type { ConsentEffect } from "@/consent/types";
import { rank } from "@/ui/rank";
import { hostName } from "../../shared/consent/host-name";

/** What the list of decisions shows, row by row: the name of who asked, then what was decided about it. */
export type Row =
  | { kind: "group"; key: string; subject: string; name: string; entries: readonly ConsentEntry[] }
  | { kind: "decision"; key: string; entry: ConsentEntry };

export interface Filter {
  query: string;
  effect: ConsentEffect | "all";
  /** The words for an effect and a decision, which can be searched for, too. */
  words(entry: ConsentEntry): string;
}

/** The decisions that have every typed word in the name, the host or the words for them; their order stays. */
export function filterDecisions(entries: readonly ConsentEntry[], filter: Filter): ConsentEntry[] {
  const { query, effect, words } = filter;
  return entries.filter((entry) => {
    if (effect !== "all" && entry.effect !== effect) return false;
    if (query.trim() === "") return true;
    const { host, subjectName } = entry;
    return rank(query, [subjectName, host, hostName(host).readable ?? "", words(entry)].join("\n")) > 0;
  });
}

/** Decisions grouped by who asked: the subject with the newest first, the newest of each first. */
export function rowsOf(entries: readonly ConsentEntry[]): Row[] {
  const groups = new Map<string, ConsentEntry[]>();
  for (const entry of [...entries].sort((a, b) => b.decidedAt - a.decidedAt)) {
    const group = groups.get(entry.subject);
    if (group) group.push(entry);
    else groups.set(entry.subject, [entry]);
  }
  return [...groups].flatMap(([subject, members]) => [
    { kind: "group", key: subject, subject, name: members[0]?.subjectName ?? "", entries: members },
    ...members.map((entry): Row => ({ kind: "decision", key: entry.id, entry })),
  ]);
}
