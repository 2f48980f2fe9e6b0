import { ChevronRight, Download, EllipsisVertical, File, Folder, FolderOpen, Trash2 } from "lucide-react";
import { useRef } from "react";
import type { FileStat } from "@/files/types";
import { useT } from "@/locales/react";
import { IconButton } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Menu } from "@/ui/Menu";
import { Loading, Skeleton } from "@/ui/Skeleton";
import { Time } from "@/ui/Time";
import { useWindowing } from "@/ui/useWindowing";
import { errorLine } from "../../shared/describe-error";
import { sizeInWords } from "./size";
import { nameOf, type Tree, type TreeRow } from "./use-tree";

/** All rows are equally high, as windowing needs it. */
const ROW_HEIGHT = "h-10";
/** Indentation beyond this helps nobody, and leaves no room for the name. */
const INDENTS = ["", "pl-5", "pl-10", "pl-15", "pl-20"];

export interface FileTreeProps {
  tree: Tree;
  onShow(file: FileStat): void;
  onDownload(file: FileStat): void;
  onDelete(entry: FileStat): void;
}

/** Folders and files, one line each; only those near the visible part are rendered. */
export function FileTree({ tree, ...actions }: FileTreeProps) {
  const t = useT();
  const list = useRef<HTMLUListElement>(null);
  const { start, end, before, after } = useWindowing(list, tree.rows.length);
  return (
    <ul
      ref={list}
      aria-label={t("files.list")}
      className="rounded-ui border border-line"
      style={{ paddingTop: before, paddingBottom: after }}
    >
      {tree.rows.slice(start, end).map((row, at) => (
        <li
          key={`${row.kind} ${row.kind === "entry" ? row.entry.path : row.path}`}
          data-row
          aria-setsize={tree.rows.length}
          aria-posinset={start + at + 1}
          className={cx(
            ROW_HEIGHT,
            "flex items-center gap-2 pr-1 pl-2",
            start + at > 0 && "border-t border-line",
          )}
        >
          <span className={INDENTS[Math.min(row.depth, INDENTS.length - 1)]} aria-hidden="true" />
          <Row row={row} toggle={tree.toggle} {...actions} />
        </li>
      ))}
    </ul>
  );
}

function Row({
  row,
  toggle,
  onShow,
  onDownload,
  onDelete,
}: { row: TreeRow; toggle(path: string): void } & Omit<FileTreeProps, "tree">) {
  const t = useT();
  if (row.kind === "empty") return <span className="pl-5 text-faint">{t("files.emptyFolder")}</span>;
  if (row.kind === "error") {
    return (
      <span role="alert" className="truncate pl-5 text-danger-fg">
        {errorLine(t, t("files.failed.list"), row.error)}
      </span>
    );
  }
  const { entry } = row;
  const name = nameOf(entry.path);
  const isFolder = entry.type === "directory";
  return (
    <>
      {isFolder ? (
        <button
          type="button"
          aria-expanded={row.open}
          aria-busy={row.loading || undefined}
          aria-label={t("files.openFolder", { name })}
          onClick={() => toggle(entry.path)}
          className="flex h-full min-w-0 grow items-center gap-2 text-left font-medium focus-visible:-outline-offset-2"
        >
          <ChevronRight
            size={16}
            aria-hidden="true"
            className={cx(
              "shrink-0 text-faint transition-transform motion-reduce:transition-none",
              row.open && "rotate-90",
            )}
          />
          {row.open ? (
            <FolderOpen size={16} aria-hidden="true" className="shrink-0 text-faint" />
          ) : (
            <Folder size={16} aria-hidden="true" className="shrink-0 text-faint" />
          )}
          <span className="truncate">{name}</span>
        </button>
      ) : (
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={t("files.openFile", { name })}
          onClick={() => onShow(entry)}
          className="flex h-full min-w-0 grow items-center gap-2 pl-6 text-left focus-visible:-outline-offset-2"
        >
          <File size={16} aria-hidden="true" className="shrink-0 text-faint" />
          <span className="truncate">{name}</span>
        </button>
      )}
      {!isFolder && (
        <span className="flex shrink-0 gap-4 text-small text-faint tabular-nums">
          <span className="max-sm:hidden">
            <Time at={entry.modifiedAt} />
          </span>
          <span className="text-right sm:w-20">{sizeInWords(t.language, entry.size)}</span>
        </span>
      )}
      <Menu
        trigger={
          <IconButton label={t("files.more", { name })}>
            <EllipsisVertical size={16} aria-hidden="true" />
          </IconButton>
        }
        groups={[
          isFolder
            ? []
            : [
                {
                  label: t("files.download"),
                  icon: <Download size={16} aria-hidden="true" />,
                  onSelect: () => onDownload(entry),
                },
              ],
          [
            {
              label: t("files.delete"),
              icon: <Trash2 size={16} aria-hidden="true" />,
              danger: true,
              onSelect: () => onDelete(entry),
            },
          ],
        ]}
      />
    </>
  );
}

/** The shape of the tree while it is read. */
export function TreeSkeleton() {
  const t = useT();
  return (
    <Loading label={t("common.loading")}>
      <div className="rounded-ui border border-line">
        {[30, 45, 25, 38].map((width) => (
          <div
            key={width}
            className={cx(ROW_HEIGHT, "flex items-center gap-3 border-line px-3 not-first:border-t")}
          >
            <Skeleton className="size-4" />
            <span style={{ width: `${width}%` }}>
              <Skeleton className="h-3.5" />
            </span>
          </div>
        ))}
      </div>
    </Loading>
  );
}
