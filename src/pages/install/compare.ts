import { structuredPatch } from "diff";
import type { DiffHunk } from "@/ui/DiffView";

/** What a change of a script comes to. */
export type Comparison =
  | { kind: "same" }
  | { kind: "changed"; hunks: DiffHunk[]; added: number; removed: number }
  /** So much differs that a line by line view would take too long and say too little. */
  | { kind: "rewritten" };

/** Past this many different lines the search for the shortest difference is given up (its cost grows with the square). */
const MAX_EDITS = 2_000;
/** The page stands still meanwhile, in ms. */
const PATIENCE_MS = 400;

/** Compares two versions of a script line by line; line ends do not count as a change. */
export function compareCode(before: string, after: string): Comparison {
  const [a, b] = [before, after].map((text) => text.replace(/\r\n?/g, "\n"));
  if (a === b) return { kind: "same" };
  const patch = structuredPatch("", "", a ?? "", b ?? "", "", "", {
    context: 3,
    maxEditLength: MAX_EDITS,
    timeout: PATIENCE_MS,
  });
  if (!patch) return { kind: "rewritten" };
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    kind: "changed",
    hunks: patch.hunks,
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}
