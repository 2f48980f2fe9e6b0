import { RefreshCw } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { useT } from "@/locales/react";
import type { ConsoleLine } from "@/sandbox/types";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Section } from "@/ui/Section";
import { Loading, Skeleton } from "@/ui/Skeleton";
import type { ScriptSummary } from "@/userscripts/types";
import { useServices } from "../../connect";
import { FailedCall } from "../../shared/FailedCall";
import { useCall } from "../../use-call";

/** What a background script wrote to its console, the newest line last. */
export function BackgroundConsole({ script }: { script: ScriptSummary }) {
  const t = useT();
  const { background } = useServices();
  const lines = useCall(background, "console", { uuid: script.uuid }, script.background?.state);
  if (lines.error) {
    return <FailedCall title={t("console.failed")} error={lines.error} onRetry={lines.reload} compact />;
  }
  return (
    <Section
      title={t("console.title")}
      actions={
        <Button kind="quiet" icon={<RefreshCw size={16} aria-hidden="true" />} onClick={lines.reload}>
          {t("console.refresh")}
        </Button>
      }
    >
      {lines.data ? (
        <Lines lines={lines.data} />
      ) : (
        <Loading label={t("common.loading")}>
          <Skeleton className="h-24 w-full" />
        </Loading>
      )}
    </Section>
  );
}

const TONES: Partial<Record<ConsoleLine["level"], string>> = {
  error: "text-danger-fg",
  warn: "text-warn",
  debug: "text-faint",
};

function Lines({ lines }: { lines: readonly ConsoleLine[] }) {
  const t = useT();
  const time = new Intl.DateTimeFormat(t.language, { timeStyle: "medium" });
  const list = useRef<HTMLOListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines are the reason to look again.
  useLayoutEffect(() => {
    // The newest line is what one came for.
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [lines]);
  if (lines.length === 0) return <p className="text-muted">{t("console.empty")}</p>;
  return (
    <ol
      ref={list}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
      tabIndex={0}
      aria-label={t("console.title")}
      className="flex max-h-80 flex-col overflow-auto rounded-ui border border-line bg-sunken p-2 font-mono text-code"
    >
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several lines may share a millisecond and a text.
        <li key={`${line.at}:${at}`} className={cx("flex gap-3", TONES[line.level])}>
          <time dateTime={new Date(line.at).toISOString()} className="shrink-0 text-faint tabular-nums">
            {time.format(line.at)}
          </time>
          <span className="min-w-0 break-words whitespace-pre-wrap">{line.text}</span>
        </li>
      ))}
    </ol>
  );
}
