import { CircleCheck, ClipboardList, Eraser } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useT } from "@/locales/react";
import type { LogRow } from "@/log/types";
import { Button } from "@/ui/Button";
import { SearchField } from "@/ui/SearchField";
import { Select } from "@/ui/Select";
import { EmptyState } from "@/ui/States";
import { useToast } from "@/ui/Toast";
import { useServices } from "../../connect";
import { FailedCall } from "../../shared/FailedCall";
import { useAct } from "../../shared/use-act";
import { useCall } from "../../use-call";
import { useStream } from "../../use-stream";
import { PageHead } from "../PageHead";
import { EntryDialog } from "./EntryDialog";
import { EntryList, EntrySkeletons } from "./EntryList";
import { filterEntries, type LevelFilter } from "./filter";
import { ReportDialog } from "./ReportDialog";
import { ScriptErrors } from "./ScriptErrors";
import { describeSource } from "./source";

/** What went wrong in Moggy itself, the newest first, as it happens. Whoever looks at it has seen it: the toolbar button stops calling. */
export function LogPage() {
  const t = useT();
  const services = useServices();
  const feed = useStream(services.log, "entries", {});
  const scripts = useCall(services.scripts, "list", {});
  const [open, setOpen] = useState<LogRow | null>(null);
  const [reporting, setReporting] = useState(false);
  const rows = feed.item;
  useSeen(rows);

  const names = useMemo(
    () => scripts.data && new Map(scripts.data.map(({ uuid, name }) => [uuid, name])),
    [scripts.data],
  );
  const clear = useClear();

  return (
    <section aria-label={t("nav.log")} className="flex flex-col gap-4">
      <PageHead
        title={t("nav.log")}
        aside={
          rows &&
          rows.length > 0 && (
            <span className="text-faint tabular-nums max-sm:hidden">
              {t("logPage.count", { n: rows.length })}
            </span>
          )
        }
        actions={
          <>
            <Button icon={<ClipboardList size={16} aria-hidden="true" />} onClick={() => setReporting(true)}>
              {t("logPage.report")}
            </Button>
            {rows && rows.length > 0 && (
              <Button icon={<Eraser size={16} aria-hidden="true" />} onClick={() => void clear(rows)}>
                {t("logPage.clear")}
              </Button>
            )}
          </>
        }
      />
      <ScriptErrors scripts={scripts.data ?? []} />
      {feed.error && (
        <FailedCall
          title={t("logPage.failed")}
          error={feed.error}
          onRetry={feed.retry}
          compact={rows !== undefined}
        />
      )}
      {!rows && !feed.error && <EntrySkeletons />}
      {rows?.length === 0 && (
        <EmptyState
          icon={<CircleCheck size={32} strokeWidth={1.5} aria-hidden="true" />}
          title={t("logPage.empty.title")}
        >
          <p>{t("logPage.empty.text")}</p>
        </EmptyState>
      )}
      {rows && rows.length > 0 && <Entries rows={rows} names={names} onOpen={setOpen} />}
      {open && <EntryDialog entry={open} names={names} onClose={() => setOpen(null)} />}
      {reporting && <ReportDialog onClose={() => setReporting(false)} />}
    </section>
  );
}

interface EntriesProps {
  rows: readonly LogRow[];
  names: ReadonlyMap<string, string> | undefined;
  onOpen(entry: LogRow): void;
}

/** The entries with what narrows them down. */
function Entries({ rows, names, onOpen }: EntriesProps) {
  const t = useT();
  const [query, setQuery] = useState("");
  const [level, setLevel] = useState<LevelFilter>("all");
  const found = useMemo(
    () => filterEntries(rows, level, query, (source) => describeSource(t, source, names).text),
    [rows, level, query, names, t],
  );
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <SearchField label={t("logPage.search")} query={query} onQuery={setQuery} className="min-w-48 grow" />
        <Select<LevelFilter>
          label={t("logPage.level")}
          value={level}
          onChange={setLevel}
          options={[
            { value: "all", label: t("logPage.level.all") },
            { value: "error", label: t("logPage.level.error") },
            { value: "warning", label: t("logPage.level.warning") },
          ]}
          className="sm:w-40"
        />
      </div>
      {found.length === 0 ? (
        <div role="status" className="flex flex-col items-center gap-3 py-12 text-center text-muted">
          <p>{t("logPage.noneFound")}</p>
          <Button
            onClick={() => {
              setQuery("");
              setLevel("all");
            }}
          >
            {t("logPage.showAll")}
          </Button>
        </div>
      ) : (
        <EntryList entries={found} names={names} onOpen={onOpen} />
      )}
    </>
  );
}

/** Tells the worker up to when the person has seen the log. The stream only runs while the page is in sight. */
function useSeen(rows: readonly LogRow[] | undefined): void {
  const { log } = useServices();
  const newest = rows?.reduce((latest, { at }) => Math.max(latest, at), 0) ?? 0;
  useEffect(() => {
    if (newest === 0) return;
    log
      .call("seen", { at: newest }, { repeatable: true })
      // The button goes on calling, which does no harm; the next entry or visit says it again.
      .catch((error: unknown) => console.warn("That the log was seen could not be stored.", error));
  }, [log, newest]);
}

function useClear(): (rows: readonly LogRow[]) => Promise<void> {
  const t = useT();
  const { log } = useServices();
  const act = useAct();
  const toast = useToast();
  return async (rows) => {
    if (!(await act(t("logPage.failed.clear"), () => log.call("clear", {})))) return;
    // The button that was pressed is gone with the entries.
    document.getElementById("main")?.focus({ preventScroll: true });
    toast({
      text: t("logPage.cleared"),
      action: {
        label: t("common.undo"),
        run: () => void act(t("logPage.failed.restore"), () => log.call("restore", { rows: [...rows] })),
      },
    });
  };
}
