import { useState } from "react";
import { useT } from "@/locales/react";
import { Button } from "./Button";
import { cx } from "./cx";

/** A part of a unified diff: its lines begin with "+", "-" or a space. */
export interface DiffHunk {
  oldStart: number;
  newStart: number;
  lines: readonly string[];
}

interface Row {
  sign: "+" | "-" | " ";
  text: string;
  line: number;
}

const MAX_ROWS = 1_000;

/** What changed between two texts, one under the other; long changes are cut until asked for. */
export function DiffView({ hunks, label }: { hunks: readonly DiffHunk[]; label: string }) {
  const t = useT();
  const [all, setAll] = useState(false);
  const total = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  let room = all ? Number.POSITIVE_INFINITY : MAX_ROWS;
  return (
    <div className="flex flex-col gap-2">
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1).
        tabIndex={0}
        className="max-h-[32rem] overflow-auto rounded-ui border border-line bg-sunken font-mono text-code focus-visible:-outline-offset-2"
      >
        <div className="min-w-max py-2">
          {hunks.map((hunk) => {
            const rows = rowsOf(hunk).slice(0, Math.max(0, room));
            room -= hunk.lines.length;
            return rows.length === 0 ? null : <Hunk key={hunk.newStart} hunk={hunk} rows={rows} />;
          })}
        </div>
      </section>
      {!all && total > MAX_ROWS && (
        <Button className="self-start" onClick={() => setAll(true)}>
          {t("code.showAll", { n: total })}
        </Button>
      )}
    </div>
  );
}

function Hunk({ hunk, rows }: { hunk: DiffHunk; rows: readonly Row[] }) {
  return (
    <div className="border-line not-first:mt-2 not-first:border-t not-first:pt-2">
      {rows.map(({ sign, text, line }, at) => (
        <pre
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a diff have no identity but their place.
          key={at + hunk.newStart}
          className={cx("flex", sign === "+" && "bg-ok-soft", sign === "-" && "bg-danger-soft")}
        >
          <span aria-hidden="true" className="w-14 shrink-0 pr-2 text-right text-faint select-none">
            {line}
          </span>
          <span className={cx("w-5 shrink-0", sign === "+" && "text-ok", sign === "-" && "text-danger-fg")}>
            {sign}
          </span>
          <span className="grow pr-4">{text}</span>
        </pre>
      ))}
    </div>
  );
}

function rowsOf(hunk: DiffHunk): Row[] {
  let { oldStart, newStart } = hunk;
  return hunk.lines.flatMap((raw): Row[] => {
    const text = raw.slice(1);
    if (raw.startsWith("+")) return [{ sign: "+", text, line: newStart++ }];
    if (raw.startsWith("-")) return [{ sign: "-", text, line: oldStart++ }];
    // "\ No newline at end of file" is a remark, not a line.
    if (raw.startsWith("\\")) return [];
    oldStart++;
    return [{ sign: " ", text, line: newStart++ }];
  });
}
