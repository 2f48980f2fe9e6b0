import { CircleX, TriangleAlert } from "lucide-react";
import { useRef } from "react";
import { useT } from "@/locales/react";
import type { LogRow } from "@/log/types";
import { cx } from "@/ui/cx";
import { Loading, Skeleton, SkeletonRows } from "@/ui/Skeleton";
import { Time } from "@/ui/Time";
import { useWindowing } from "@/ui/useWindowing";
import { describeSource } from "./source";

/** All rows are equally high, as windowing needs it. */
const ROW_HEIGHT = "h-14";

export interface EntryListProps {
  entries: readonly LogRow[];
  names: ReadonlyMap<string, string> | undefined;
  onOpen(entry: LogRow): void;
}

/** Entries in two lines each; only those near the visible part are rendered. */
export function EntryList({ entries, names, onOpen }: EntryListProps) {
  const t = useT();
  const list = useRef<HTMLUListElement>(null);
  const { start, end, before, after } = useWindowing(list, entries.length);
  return (
    <ul
      ref={list}
      aria-label={t("logPage.list")}
      className="rounded-ui border border-line"
      style={{ paddingTop: before, paddingBottom: after }}
    >
      {entries.slice(start, end).map((entry, at) => (
        <li
          key={entry.id ?? `at-${start + at}`}
          data-row
          aria-setsize={entries.length}
          aria-posinset={start + at + 1}
          className={cx(ROW_HEIGHT, start + at > 0 && "border-t border-line")}
        >
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => onOpen(entry)}
            className="flex size-full items-center gap-3 px-3 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2"
          >
            <LevelMark level={entry.level} tight />
            <span className="flex min-w-0 grow flex-col">
              <span className="truncate font-medium">{entry.message}</span>
              <span className="truncate text-small text-faint">
                <span className="tabular-nums sm:hidden">
                  {entry.count > 1 && `${t("logPage.timesShort", { n: entry.count })} · `}
                  <Time at={entry.at} />
                  {" · "}
                </span>
                {entry.during} · {describeSource(t, entry.source, names).text}
              </span>
            </span>
            <span className="flex shrink-0 flex-col items-end text-small text-faint tabular-nums max-sm:hidden">
              <Time at={entry.at} />
              {entry.count > 1 && (
                <span title={t("logPage.times", { n: entry.count })}>
                  {t("logPage.timesShort", { n: entry.count })}
                </span>
              )}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The level as icon and word. `tight`: where there is no room, the word is only heard. */
export function LevelMark({ level, tight }: { level: LogRow["level"]; tight?: boolean }) {
  const t = useT();
  return (
    <span
      className={cx(
        "flex shrink-0 items-center gap-1.5 text-small font-medium sm:w-20",
        level === "error" ? "text-danger-fg" : "text-warn",
      )}
    >
      {level === "error" ? (
        <CircleX size={16} aria-hidden="true" />
      ) : (
        <TriangleAlert size={16} aria-hidden="true" />
      )}
      <span className={cx(tight && "max-sm:sr-only")}>
        {t(level === "error" ? "logPage.level.error" : "logPage.level.warning")}
      </span>
    </span>
  );
}

/** The shape of the list while it is read. */
export function EntrySkeletons() {
  const t = useT();
  return (
    <Loading label={t("common.loading")} className="flex flex-col gap-4">
      <Skeleton className="h-8 w-full" />
      <div className="rounded-ui border border-line">
        <SkeletonRows
          row={ROW_HEIGHT}
          widths={[64, 40, 56]}
          lead={<Skeleton className="size-4 rounded-full" />}
        />
      </div>
    </Loading>
  );
}
