import { Brush, FolderClosed } from "lucide-react";
import { useState } from "react";
import type { CleanUpResult, FileStat } from "@/files/types";
import type { Translate } from "@/locales";
import { useT } from "@/locales/react";
import { Button } from "@/ui/Button";
import { AlertDialog } from "@/ui/Dialog";
import { Section } from "@/ui/Section";
import { EmptyState } from "@/ui/States";
import { useToast } from "@/ui/Toast";
import { useServices } from "../../connect";
import { FailedCall } from "../../shared/FailedCall";
import { useAct } from "../../shared/use-act";
import { useCall } from "../../use-call";
import { PageHead } from "../PageHead";
import { FileTree, TreeSkeleton } from "./FileTree";
import { PreviewDialog } from "./PreviewDialog";
import { sizeInWords } from "./size";
import { UsageSection } from "./UsageSection";
import { folderOf, nameOf, useTree } from "./use-tree";

/** The files of the workspace, and how much room everything takes. */
export function FilesPage() {
  const t = useT();
  const { files } = useServices();
  const act = useAct();
  const tree = useTree();
  const usage = useCall(files, "usage", {});
  const [shown, setShown] = useState<FileStat | null>(null);
  const [deleting, setDeleting] = useState<FileStat | null>(null);

  const download = (file: FileStat) =>
    void act(t("files.failed.read", { name: nameOf(file.path) }), async () => {
      const place = { area: "workspace", path: file.path } as const;
      saveAs(await files.call("read", { place }, { repeatable: true }), nameOf(file.path));
    });
  const remove = async ({ path }: FileStat) => {
    const place = { area: "workspace", path } as const;
    const op = crypto.randomUUID();
    await act(t("files.failed.delete", { name: nameOf(path) }), () =>
      files.call("delete", { op, place }, { repeatable: true }),
    );
    // Also after a failure: it may be gone already.
    tree.reload(folderOf(path));
    usage.reload();
  };

  return (
    <section aria-label={t("nav.files")} className="flex flex-col gap-6">
      <PageHead title={t("nav.files")} actions={<CleanUp onDone={usage.reload} />} />
      <Section title={t("files.workspace")} hint={t("files.workspaceHint")}>
        {tree.error && (
          <FailedCall
            title={t("files.failed.list")}
            error={tree.error}
            onRetry={() => tree.reload("")}
            compact
          />
        )}
        {!tree.root && !tree.error && <TreeSkeleton />}
        {tree.root?.length === 0 && (
          <EmptyState
            icon={<FolderClosed size={32} strokeWidth={1.5} aria-hidden="true" />}
            title={t("files.empty.title")}
          >
            <p>{t("files.empty.text")}</p>
          </EmptyState>
        )}
        {tree.rows.length > 0 && (
          <FileTree tree={tree} onShow={setShown} onDownload={download} onDelete={setDeleting} />
        )}
      </Section>
      <UsageSection usage={usage} />
      {shown && <PreviewDialog file={shown} onDownload={download} onClose={() => setShown(null)} />}
      <AlertDialog
        open={deleting !== null}
        title={deleteTitle(t, deleting)}
        description={
          deleting?.type === "directory"
            ? t("files.deleteFolder.text")
            : t("files.deleteFile.text", { size: sizeInWords(t.language, deleting?.size ?? 0) })
        }
        confirm={t("files.delete")}
        onClose={() => setDeleting(null)}
        onConfirm={() => deleting && void remove(deleting)}
      />
    </section>
  );
}

/** Deletes what nobody needs any more, and says what that came to. */
function CleanUp({ onDone }: { onDone(): void }) {
  const t = useT();
  const { files } = useServices();
  const act = useAct();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    await act(t("files.failed.cleanUp"), async () => {
      const result = await files.call("cleanUp", {}, { repeatable: true });
      toast({ text: resultInWords(t, result) });
    });
    setBusy(false);
    onDone();
  };
  return (
    <Button busy={busy} icon={<Brush size={16} aria-hidden="true" />} onClick={() => void run()}>
      {t("files.cleanUp")}
    </Button>
  );
}

function resultInWords(t: Translate, { attachments, entries, bytes }: CleanUpResult): string {
  const said: string[] = [];
  if (attachments > 0)
    said.push(t("files.cleaned", { n: attachments, size: sizeInWords(t.language, bytes) }));
  if (entries > 0) said.push(t("files.cleanedEntries", { n: entries }));
  return said.length > 0 ? said.join(" ") : t("files.cleanedNothing");
}

function deleteTitle(t: Translate, entry: FileStat | null): string {
  const name = nameOf(entry?.path ?? "");
  return t(entry?.type === "directory" ? "files.deleteFolder.title" : "files.deleteFile.title", { name });
}

/** Hands a file to the browser's downloads. */
function saveAs(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the Blob by then; its address alone ends.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
