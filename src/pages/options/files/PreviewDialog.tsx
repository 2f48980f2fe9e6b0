import { Download } from "lucide-react";
import { useEffect, useMemo } from "react";
import type { FileStat } from "@/files/types";
import { useT } from "@/locales/react";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Loading, Skeleton } from "@/ui/Skeleton";
import { FailedCall } from "../../shared/FailedCall";
import { kindOf, MAX_SHOWN_BYTES } from "./preview";
import { sizeInWords } from "./size";
import { usePreview } from "./use-preview";
import { nameOf } from "./use-tree";

export interface PreviewDialogProps {
  file: FileStat;
  onDownload(file: FileStat): void;
  onClose(): void;
}

/** A file, looked at: text and pictures. They come from scripts and agents, so they are shown as what they are and run nothing. */
export function PreviewDialog({ file, onDownload, onClose }: PreviewDialogProps) {
  const t = useT();
  const name = nameOf(file.path);
  return (
    <Dialog open wide onClose={onClose} title={name} description={sizeInWords(t.language, file.size)}>
      {kindOf(file) === "other" ? (
        <p className="text-muted">
          {file.size > MAX_SHOWN_BYTES
            ? t("files.preview.tooLarge", { size: sizeInWords(t.language, file.size) })
            : t("files.preview.kind")}
        </p>
      ) : (
        <Content file={file} name={name} />
      )}
      <div className="flex justify-end">
        <Button icon={<Download size={16} aria-hidden="true" />} onClick={() => onDownload(file)}>
          {t("files.download")}
        </Button>
      </div>
    </Dialog>
  );
}

function Content({ file, name }: { file: FileStat; name: string }) {
  const t = useT();
  const { data, error, reload } = usePreview(file);
  if (error)
    return <FailedCall title={t("files.failed.read", { name })} error={error} onRetry={reload} compact />;
  if (!data) {
    return (
      <Loading label={t("common.loading")}>
        <Skeleton className="h-40 w-full" />
      </Loading>
    );
  }
  if (data.kind === "image") return <Picture blob={data.blob} name={name} />;
  if (data.text === null) return <p className="text-muted">{t("files.preview.kind")}</p>;
  if (data.text === "") return <p className="text-muted">{t("files.preview.emptyFile")}</p>;
  return (
    <section
      aria-label={t("files.preview.text", { name })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-ui border border-line bg-sunken p-3"
    >
      <pre className="font-mono text-code whitespace-pre-wrap wrap-anywhere">{data.text}</pre>
    </section>
  );
}

function Picture({ blob, name }: { blob: Blob; name: string }) {
  const url = useMemo(() => URL.createObjectURL(blob), [blob]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <div className="flex justify-center rounded-ui border border-line bg-sunken p-3">
      <img src={url} alt={name} className="max-h-96 max-w-full object-contain" />
    </div>
  );
}
