import { Link } from "wouter";
import { useT } from "@/locales/react";
import { Section } from "@/ui/Section";
import { Skeleton } from "@/ui/Skeleton";
import type { ScriptSummary } from "@/userscripts/types";
import { FailedCall } from "../../shared/FailedCall";
import { DecisionRow } from "../consent/DecisionRow";
import { useDecisions } from "../consent/use-decisions";

/** As many are shown here; the consent page has them all. */
const MOST = 20;

/** What was decided about one script. */
export function ScriptDecisions({ script }: { script: ScriptSummary }) {
  const t = useT();
  const { entries, error, retry, revoke } = useDecisions();
  const mine = entries?.filter(({ subject }) => subject === `script:${script.uuid}`);
  return (
    <Section
      title={t("consent.decisions")}
      actions={
        <Link href="/consent" className="rounded-inner font-medium text-accent-fg hover:underline">
          {t("consent.ofScript.all")}
        </Link>
      }
    >
      {error && <FailedCall title={t("consent.failed.decisions")} error={error} onRetry={retry} compact />}
      {!mine && !error && <Skeleton className="h-5 w-full max-w-md" />}
      {mine?.length === 0 && <p className="text-muted">{t("consent.ofScript.none")}</p>}
      {mine && mine.length > 0 && (
        <ul aria-label={t("consent.decisions")} className="rounded-ui border border-line">
          {mine.slice(0, MOST).map((entry) => (
            <DecisionRow key={entry.id} entry={entry} onRevoke={() => void revoke([entry])} />
          ))}
        </ul>
      )}
    </Section>
  );
}
