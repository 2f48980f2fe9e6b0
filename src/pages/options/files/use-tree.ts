import { useCallback, useEffect, useMemo, useState } from "react";
import type { FileStat } from "@/files/types";
import { useServices } from "../../connect";

/** What is known of one folder. */
interface Folder {
  entries?: readonly FileStat[];
  error?: Error;
}

/** One line of the tree. */
export type TreeRow =
  | { kind: "entry"; entry: FileStat; depth: number; open: boolean; loading: boolean }
  | { kind: "empty"; path: string; depth: number }
  | { kind: "error"; path: string; depth: number; error: Error };

export interface Tree {
  /** The root: undefined until it was read. */
  root: readonly FileStat[] | undefined;
  error: Error | undefined;
  rows: readonly TreeRow[];
  toggle(path: string): void;
  /** Reads a folder again. */
  reload(path: string): void;
}

/** The workspace as a tree whose folders are read when they are opened. */
export function useTree(): Tree {
  const { files } = useServices();
  const [folders, setFolders] = useState<ReadonlyMap<string, Folder>>(new Map());
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());

  const reload = useCallback(
    (path: string) => {
      const keep = (folder: Folder) => setFolders((all) => new Map(all).set(path, folder));
      files.call("list", { place: { area: "workspace", path } }, { repeatable: true }).then(
        (entries) => keep({ entries }),
        (error: Error) => keep({ error }),
      );
    },
    [files],
  );
  useEffect(() => reload(""), [reload]);

  const toggle = useCallback(
    (path: string) => {
      const isOpen = open.has(path);
      // What was read before may have changed meanwhile.
      if (!isOpen) reload(path);
      const next = new Set(open);
      if (isOpen) next.delete(path);
      else next.add(path);
      setOpen(next);
    },
    [open, reload],
  );

  const rows = useMemo(() => rowsOf(folders, open), [folders, open]);
  const root = folders.get("");
  return { root: root?.entries, error: root?.error, rows, toggle, reload };
}

function rowsOf(folders: ReadonlyMap<string, Folder>, open: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (path: string, depth: number): void => {
    for (const entry of foldersFirst(folders.get(path)?.entries ?? [])) {
      const isOpen = entry.type === "directory" && open.has(entry.path);
      const inside = folders.get(entry.path);
      rows.push({ kind: "entry", entry, depth, open: isOpen, loading: isOpen && !inside });
      if (!isOpen || !inside) continue;
      if (inside.error) rows.push({ kind: "error", path: entry.path, depth: depth + 1, error: inside.error });
      else if (inside.entries?.length === 0) rows.push({ kind: "empty", path: entry.path, depth: depth + 1 });
      add(entry.path, depth + 1);
    }
  };
  add("", 0);
  return rows;
}

function foldersFirst(entries: readonly FileStat[]): FileStat[] {
  const rank = ({ type }: FileStat) => (type === "directory" ? 0 : 1);
  return [...entries].sort((a, b) => rank(a) - rank(b));
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The folder of a path; "" for what lies in the workspace itself. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
