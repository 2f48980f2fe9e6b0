import { FileCode2, FilePlus2 } from "lucide-react";
import { type DragEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useT } from "@/locales/react";
import { buttonClass } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { SearchField } from "@/ui/SearchField";
import { Loading, Skeleton, SkeletonRows } from "@/ui/Skeleton";
import { EmptyState } from "@/ui/States";
import { useWindowing } from "@/ui/useWindowing";
import type { ScriptSummary } from "@/userscripts/types";
import { useServices } from "../../connect";
import { readSourceFile, stashDraft } from "../../shared/draft";
import { FailedCall } from "../../shared/FailedCall";
import { useAct } from "../../shared/use-act";
import { useCall } from "../../use-call";
import { useChanges } from "../../use-stream";
import { PageHead } from "../PageHead";
import { filterScripts } from "./filter";
import { ROW_HEIGHT, rowId, ScriptRow } from "./ScriptRow";
import { useScriptActions } from "./use-script-actions";

/** All installed scripts, in their order of execution. A script file dropped on it goes to the install page. */
export function ScriptList() {
  const t = useT();
  const { scripts } = useServices();
  const changes = useChanges(scripts);
  const list = useCall(scripts, "list", {}, changes);
  const [query, setQuery] = useState("");
  const all = useMemo(() => [...(list.data ?? [])].sort((a, b) => a.position - b.position), [list.data]);
  const found = useMemo(() => filterScripts(all, query), [all, query]);
  const drop = useDrop();

  return (
    <section
      {...drop.handlers}
      aria-label={t("nav.scripts")}
      className={cx(
        "flex flex-col gap-4 rounded-ui outline-offset-8",
        drop.over && "outline-2 outline-focus outline-dashed",
      )}
    >
      <PageHead
        title={t("nav.scripts")}
        aside={
          all.length > 0 && (
            <span className="text-faint tabular-nums max-sm:hidden">
              {t("scripts.count", { n: all.length })}
            </span>
          )
        }
        actions={
          // An empty list has its own, larger way to begin.
          (list.data?.length ?? 1) > 0 && (
            <a href="install.html#paste" className={buttonClass("primary")}>
              <FilePlus2 size={16} aria-hidden="true" />
              {t("scripts.install")}
            </a>
          )
        }
      />
      {(list.loading || all.length > 0) && (
        <SearchField label={t("scripts.search")} query={query} onQuery={setQuery} />
      )}
      {list.error && (
        <FailedCall
          title={t("scripts.failed.list")}
          error={list.error}
          onRetry={list.reload}
          compact={all.length > 0}
        />
      )}
      {list.loading && !list.error && <RowSkeletons />}
      {list.data && all.length === 0 && <NoScripts />}
      {all.length > 0 && found.length === 0 && (
        <p role="status" className="py-12 text-center text-muted">
          {t("scripts.noneFound", { query })}
        </p>
      )}
      {found.length > 0 && <Rows scripts={found} total={all.length} />}
    </section>
  );
}

function Rows({ scripts, total }: { scripts: readonly ScriptSummary[]; total: number }) {
  const t = useT();
  const list = useRef<HTMLUListElement>(null);
  const { start, end, before, after } = useWindowing(list, scripts.length);
  const actions = useScriptActions();
  const next = useRef<ScriptSummary | null>(null);
  const remove = async (script: ScriptSummary): Promise<void> => {
    const at = scripts.indexOf(script);
    next.current = scripts[at + 1] ?? scripts[at - 1] ?? null;
    if (!(await actions.remove(script))) next.current = null;
  };
  useLayoutEffect(() => {
    // A row that goes away takes the focus with it, out of the list; the next row gets it instead.
    if (!next.current || document.activeElement !== document.body) return;
    document.getElementById(rowId(next.current))?.focus();
    next.current = null;
  });
  return (
    <ul
      ref={list}
      aria-label={t("scripts.list")}
      className="rounded-ui border border-line"
      style={{ paddingTop: before, paddingBottom: after }}
    >
      {scripts.slice(start, end).map((script, at) => (
        <ScriptRow
          key={script.uuid}
          script={script}
          actions={actions}
          onRemove={() => void remove(script)}
          place={start + at + 1}
          places={scripts.length}
          // In a filtered list the neighbours are not those of the order of execution.
          movable={scripts.length === total}
        />
      ))}
    </ul>
  );
}

function RowSkeletons() {
  const t = useT();
  return (
    <Loading label={t("common.loading")} className="rounded-ui border border-line">
      <SkeletonRows
        row={ROW_HEIGHT}
        widths={[48, 36, 56, 40]}
        lead={<Skeleton className="h-5 w-9 rounded-full" />}
      />
    </Loading>
  );
}

function NoScripts() {
  const t = useT();
  return (
    <EmptyState
      icon={<FileCode2 size={32} aria-hidden="true" strokeWidth={1.5} />}
      title={t("scripts.empty.title")}
      action={
        <>
          <a href="install.html#paste" className={buttonClass("primary")}>
            {t("scripts.empty.paste")}
          </a>
          <a href="install.html#file" className={buttonClass()}>
            {t("scripts.empty.file")}
          </a>
          <a href="install.html#url=" className={buttonClass()}>
            {t("scripts.empty.url")}
          </a>
        </>
      }
    >
      <p>{t("scripts.empty.text")}</p>
      <p>{t("scripts.empty.drop")}</p>
    </EmptyState>
  );
}

/** Takes a file dropped anywhere on the list to the install page. */
function useDrop() {
  const t = useT();
  const act = useAct();
  const [over, setOver] = useState(false);
  const hasFile = (event: DragEvent): boolean => event.dataTransfer.types.includes("Files");
  return {
    over,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!hasFile(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: (event: DragEvent) => {
        const inside =
          event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
        if (!inside) setOver(false);
      },
      onDrop: (event: DragEvent) => {
        if (!hasFile(event)) return;
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer.files[0];
        if (!file) return;
        void act(t("install.failed.file", { name: file.name }), async () => {
          stashDraft(await readSourceFile(t, file));
          window.location.assign("install.html#draft");
        });
      },
    },
  };
}
