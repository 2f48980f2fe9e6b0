import { ArrowLeft, Trash2 } from "lucide-react";
import { Link, useLocation } from "wouter";
import { useT } from "@/locales/react";
import { Badge } from "@/ui/Badge";
import { Button, buttonClass } from "@/ui/Button";
import { Loading, Skeleton } from "@/ui/Skeleton";
import { ErrorState } from "@/ui/States";
import { Switch } from "@/ui/Switch";
import { Tabs } from "@/ui/Tabs";
import type { ScriptSummary } from "@/userscripts/types";
import { useServices } from "../../connect";
import { FailedCall } from "../../shared/FailedCall";
import { useOptimistic } from "../../shared/use-optimistic";
import { useCall } from "../../use-call";
import { useChanges } from "../../use-stream";
import { PageHead } from "../PageHead";
import { BackgroundState } from "./BackgroundState";
import { ScriptCodeTab } from "./ScriptCodeTab";
import { ScriptLogTab } from "./ScriptLogTab";
import { ScriptNotices } from "./ScriptNotices";
import { ScriptSettingsTab } from "./ScriptSettingsTab";
import { useScriptActions } from "./use-script-actions";

const TABS = ["code", "settings", "log"] as const;
type TabName = (typeof TABS)[number];

export interface ScriptPageProps {
  uuid: string;
  /** From the address; anything unknown is the code. */
  tab?: string;
  /** A line of the code to show. */
  line?: string;
}

/** One script: its code, what it may do and where, and its errors. */
export function ScriptPage({ uuid, tab, line }: ScriptPageProps) {
  const t = useT();
  const { scripts } = useServices();
  const changes = useChanges(scripts);
  const script = useCall(scripts, "get", { uuid }, changes);
  const [, navigate] = useLocation();
  const current: TabName = TABS.find((name) => name === tab) ?? "code";
  const back = (
    <Link
      href="/scripts"
      className="inline-flex items-center gap-1 self-start rounded-inner text-muted hover:text-fg"
    >
      <ArrowLeft size={16} aria-hidden="true" />
      {t("nav.scripts")}
    </Link>
  );

  if (!script.data) {
    if (!script.error) return <ScriptSkeleton />;
    return (
      <>
        <PageHead back={back} title={t("scripts.one")} />
        {script.error.name === "NotFoundError" ? (
          <ErrorState title={t("scripts.gone")} why={t("scripts.gone.why")} todo={t("scripts.gone.todo")} />
        ) : (
          <FailedCall title={t("scripts.failed.get")} error={script.error} onRetry={script.reload} />
        )}
      </>
    );
  }
  const { summary, code } = script.data;
  return (
    <article className="flex min-w-0 flex-col gap-4">
      <PageHead
        back={back}
        title={summary.name}
        aside={summary.version && <span className="text-faint tabular-nums">{summary.version}</span>}
        actions={<HeadActions script={summary} />}
      />
      {summary.description && <p className="max-w-2xl text-read text-muted">{summary.description}</p>}
      {script.error && (
        <FailedCall title={t("scripts.failed.get")} error={script.error} onRetry={script.reload} compact />
      )}
      <BackgroundState script={summary} />
      <ScriptNotices notices={summary.notices} />
      <Tabs
        label={summary.name}
        value={current}
        onChange={(name) => navigate(`/scripts/${uuid}/${name}`, { replace: true })}
        tabs={[
          {
            value: "code",
            label: t("scripts.tab.code"),
            content: <ScriptCodeTab script={summary} code={code} line={lineFrom(line)} />,
          },
          {
            value: "settings",
            label: t("scripts.tab.settings"),
            content: <ScriptSettingsTab script={summary} />,
          },
          {
            value: "log",
            label: t("scripts.tab.log"),
            badge: summary.errorCount > 0 && <Badge tone="danger">{summary.errorCount}</Badge>,
            content: <ScriptLogTab script={summary} />,
          },
        ]}
      />
    </article>
  );
}

function HeadActions({ script }: { script: ScriptSummary }) {
  const t = useT();
  const [, navigate] = useLocation();
  const actions = useScriptActions();
  const [enabled, setEnabled] = useOptimistic(script.enabled, (next) => actions.setEnabled(script, next));
  const remove = async (): Promise<void> => {
    if (await actions.remove(script)) navigate("/scripts");
  };
  return (
    <>
      <span className="flex items-center gap-2 px-2">
        <span id="enabled-label">{enabled ? t("state.on") : t("state.off")}</span>
        <Switch checked={enabled} onChange={setEnabled} label={t("scripts.enabled")} />
      </span>
      <a href={`install.html#script=${script.uuid}`} className={buttonClass()}>
        {t("scripts.edit")}
      </a>
      <Button icon={<Trash2 size={16} aria-hidden="true" />} onClick={() => void remove()}>
        {t("common.remove")}
      </Button>
    </>
  );
}

function lineFrom(text: string | undefined): number | null {
  const line = Number(text);
  return Number.isInteger(line) && line > 0 ? line : null;
}

function ScriptSkeleton() {
  const t = useT();
  return (
    <Loading label={t("common.loading")} className="flex flex-col gap-4">
      <h1 className="sr-only">{t("scripts.one")}</h1>
      <Skeleton className="h-5 w-20" />
      <Skeleton className="h-8 w-64" />
      <Skeleton className="h-9 w-full" />
      <Skeleton className="h-96 w-full" />
    </Loading>
  );
}
