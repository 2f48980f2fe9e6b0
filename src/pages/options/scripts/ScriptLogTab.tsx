import { CircleCheck, Eraser } from "lucide-react";
import { Link } from "wouter";
import { useT } from "@/locales/react";
import { Button } from "@/ui/Button";
import { Loading, Skeleton } from "@/ui/Skeleton";
import { EmptyState } from "@/ui/States";
import { Time } from "@/ui/Time";
import type { ScriptError, ScriptSummary } from "@/userscripts/types";
import { useServices } from "../../connect";
import { CopyButton } from "../../shared/CopyButton";
import { FailedCall } from "../../shared/FailedCall";
import { type Resource, useCall } from "../../use-call";
import { BackgroundConsole } from "./BackgroundConsole";
import { errorText, lineOf, readableStack } from "./error-text";
import { useScriptActions } from "./use-script-actions";

/** The script's errors, and the console of a background script, which has no page with one. */
export function ScriptLogTab({ script }: { script: ScriptSummary }) {
  const { scripts } = useServices();
  const last = script.lastError?.at ?? 0;
  const errors = useCall(scripts, "errors", { uuid: script.uuid }, `${script.errorCount}:${last}`);
  const known = errors.data !== undefined || errors.error !== null;
  return (
    <div className="flex flex-col gap-6">
      <ScriptErrors script={script} errors={errors} />
      {
        // Only then, or it would be pushed down.
        known && script.isBackground && <BackgroundConsole script={script} />
      }
    </div>
  );
}

/** The newest first, with stacks that count in the script's own lines. */
function ScriptErrors({ script, errors }: { script: ScriptSummary; errors: Resource<ScriptError[]> }) {
  const t = useT();
  const actions = useScriptActions();
  if (errors.error) {
    return <FailedCall title={t("log.failed")} error={errors.error} onRetry={errors.reload} />;
  }
  if (!errors.data) {
    return (
      <Loading label={t("common.loading")} className="flex flex-col gap-3">
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-24 w-full" />
      </Loading>
    );
  }
  if (errors.data.length === 0) {
    // Below it is the console of a background script, which is to be in sight.
    if (script.isBackground) {
      return (
        <p className="flex items-center gap-2 text-muted">
          <CircleCheck size={16} aria-hidden="true" className="text-ok" />
          {t("log.empty.title")}
        </p>
      );
    }
    return (
      <EmptyState
        icon={<CircleCheck size={32} strokeWidth={1.5} aria-hidden="true" />}
        title={t("log.empty.title")}
      >
        <p>{t("log.empty.text")}</p>
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <p className="text-faint tabular-nums">{t("scripts.errors", { n: errors.data.length })}</p>
        <div className="flex gap-1">
          <CopyButton text={errors.data.map(errorText).join("\n\n")} label={t("log.copyAll")} />
          <Button
            kind="quiet"
            icon={<Eraser size={16} aria-hidden="true" />}
            onClick={() => void actions.clearErrors(script)}
          >
            {t("log.clear")}
          </Button>
        </div>
      </div>
      <ol className="flex flex-col gap-3">
        {errors.data.map((error, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several errors may share a millisecond and a message.
          <LogEntry key={`${error.at}:${at}`} error={error} />
        ))}
      </ol>
    </div>
  );
}

function LogEntry({ error }: { error: ScriptError }) {
  const t = useT();
  const line = lineOf(error);
  return (
    <li className="flex flex-col gap-2 rounded-ui border border-line p-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <p className="min-w-0 font-medium text-danger-fg">{error.message}</p>
        <Time at={error.at} className="text-small text-faint" />
      </div>
      {error.url && <p className="text-small text-faint">{t("log.on", { url: error.url })}</p>}
      {error.stack && (
        // The frames start with "at": the message above them is said already.
        <pre className="max-h-60 overflow-auto rounded-inner bg-sunken p-2 font-mono text-code whitespace-pre-wrap">
          {readableStack(error.stack)}
        </pre>
      )}
      <div className="-mb-1 -ml-3 flex flex-wrap items-center gap-1">
        <CopyButton text={errorText(error)} label={t("common.copy")} />
        {line !== null && (
          <Link
            href={`/scripts/${error.uuid}/code/${line}`}
            className="inline-flex h-8 items-center rounded-ui px-3 font-medium text-muted hover:bg-hover hover:text-fg"
          >
            {t("log.showLine", { line })}
          </Link>
        )}
      </div>
    </li>
  );
}
