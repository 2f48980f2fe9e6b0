import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useT } from "@/locales/react";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Loading, Skeleton } from "@/ui/Skeleton";
import { useServices } from "../../connect";
import { FailedCall } from "../../shared/FailedCall";
import { useAct } from "../../shared/use-act";
import { useCall } from "../../use-call";

/** Shows the whole report before anything is copied, so that the person sees what leaves. */
export function ReportDialog({ onClose }: { onClose(): void }) {
  const t = useT();
  const { log } = useServices();
  const act = useAct();
  const report = useCall(log, "copyable", {});
  const [copied, setCopied] = useState(false);
  const text = report.data;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t("logPage.report.title")}
      description={t("logPage.report.text")}
    >
      {report.error && (
        <FailedCall title={t("logPage.failed.report")} error={report.error} onRetry={report.reload} compact />
      )}
      {text === undefined && !report.error && (
        <Loading label={t("common.loading")}>
          <Skeleton className="h-60 w-full" />
        </Loading>
      )}
      {text !== undefined && (
        <>
          <section
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1).
            tabIndex={0}
            aria-label={t("logPage.report.label")}
            className="max-h-80 min-h-24 overflow-auto rounded-ui border border-line bg-sunken p-3 focus-visible:-outline-offset-2"
          >
            <pre className="font-mono text-code whitespace-pre-wrap">{text}</pre>
          </section>
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={onClose}>{t("common.close")}</Button>
            <Button
              kind="primary"
              icon={copied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
              onClick={async () =>
                setCopied(await act(t("common.copyFailed"), () => navigator.clipboard.writeText(text)))
              }
            >
              <span aria-live="polite">{t(copied ? "common.copied" : "logPage.report.copy")}</span>
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
