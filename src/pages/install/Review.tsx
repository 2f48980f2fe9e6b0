import { useEffect, useRef, useState } from "react";
import { useT } from "@/locales/react";
import { Button } from "@/ui/Button";
import { CodeView } from "@/ui/CodeView";
import { Section } from "@/ui/Section";
import { Loading, Skeleton } from "@/ui/Skeleton";
import type { InstallPreview } from "@/userscripts/types";
import { useServices } from "../connect";
import type { Draft } from "../shared/draft";
import { FailedCall } from "../shared/FailedCall";
import { PowerList } from "../shared/PowerList";
import { useTitle } from "../shared/use-title";
import { WhereItRuns } from "../shared/WhereItRuns";
import { useCall } from "../use-call";
import { Changes } from "./Changes";
import { InstallBar } from "./InstallBar";
import { Problems, Remarks } from "./Problems";
import { ReviewHead } from "./ReviewHead";
import type { InstallFlow } from "./use-install-flow";

/** What the script is and may do: warnings first, code last. Nothing is stored before the button at the bottom. */
export function Review({ draft, flow }: { draft: Draft; flow: InstallFlow }) {
  const t = useT();
  const { scripts } = useServices();
  const sourceUrl = draft.from?.kind === "url" ? draft.from.name : undefined;
  const preview = useCall(scripts, "preview", { code: draft.code, sourceUrl });
  useTitle(t("install.title"));
  const heading = useRef<HTMLDivElement>(null);
  const ready = preview.data !== undefined;
  useEffect(() => {
    // The main button is never focused by itself: what it would do has to be read first.
    if (ready) heading.current?.querySelector<HTMLElement>("h1")?.focus();
  }, [ready]);

  if (preview.error) {
    return (
      <>
        <FailedCall title={t("install.failed.preview")} error={preview.error} onRetry={preview.reload} />
        <Button className="self-center" onClick={() => flow.edit(draft)}>
          {t("install.edit")}
        </Button>
      </>
    );
  }
  return (
    <div ref={heading} className="flex grow flex-col">
      {preview.data ? <Shown draft={draft} preview={preview.data} flow={flow} /> : <ReviewSkeleton />}
    </div>
  );
}

function Shown({ draft, preview, flow }: { draft: Draft; preview: InstallPreview; flow: InstallFlow }) {
  const t = useT();
  const [goTo, setGoTo] = useState<{ line: number } | null>(null);
  const { script, problems, existing } = preview;
  const showLine = (line: number): void => setGoTo({ line });
  const lines = [...new Set(problems.filter((p) => p.line > 0 && p.severity !== "info").map((p) => p.line))];
  return (
    <>
      <div className="flex min-w-0 grow flex-col gap-6 pb-6">
        <ReviewHead draft={draft} preview={preview} />
        <Problems preview={preview} onShowLine={showLine} />
        {script && (
          <>
            <Section title={t("scripts.may")}>
              <PowerList script={script} />
            </Section>
            <Section title={t("scripts.where")}>
              <WhereItRuns script={script} />
            </Section>
          </>
        )}
        {existing && <Changes uuid={existing.uuid} code={draft.code} />}
        <Remarks problems={problems} onShowLine={showLine} />
        <Section title={t("install.code")}>
          <CodeView
            code={draft.code}
            label={t("code.of", { name: script?.name ?? t("install.code.any") })}
            marks={lines}
            goTo={goTo}
            className="max-h-[36rem]"
          />
        </Section>
      </div>
      <InstallBar draft={draft} preview={preview} flow={flow} />
    </>
  );
}

function ReviewSkeleton() {
  const t = useT();
  return (
    <Loading label={t("common.loading")} className="flex flex-col gap-6">
      <div className="flex items-center gap-4">
        <Skeleton className="size-12" />
        <div className="flex grow flex-col gap-2">
          <Skeleton className="h-6 w-56" />
          <Skeleton className="h-4 w-40" />
        </div>
      </div>
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-72 w-full" />
    </Loading>
  );
}
