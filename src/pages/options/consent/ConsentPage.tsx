import { useT } from "@/locales/react";
import { Section } from "@/ui/Section";
import { Loading, Skeleton, SkeletonRows } from "@/ui/Skeleton";
import { useQuestions } from "../../shared/consent/questions";
import { FailedCall } from "../../shared/FailedCall";
import { PageHead } from "../PageHead";
import { DecisionList } from "./DecisionList";
import { ROW_HEIGHT } from "./DecisionRow";
import { RestingQuestions } from "./RestingQuestions";
import { useDecisions } from "./use-decisions";
import { WaitSetting } from "./WaitSetting";

/** What waits for an answer, and all that was decided, to be taken back. */
export function ConsentPage() {
  const t = useT();
  const questions = useQuestions();
  const decisions = useDecisions();
  const { entries, error } = decisions;
  // Questions stand above the decisions: what is below them is shown when it is known how many there are.
  const ready = questions.known || questions.error !== null;
  return (
    <section aria-label={t("nav.consent")} className="flex flex-col gap-8">
      <PageHead
        title={t("nav.consent")}
        aside={
          entries !== undefined &&
          entries.length > 0 && (
            <span className="text-faint tabular-nums max-sm:hidden">
              {t("consent.decisions.count", { n: entries.length })}
            </span>
          )
        }
      />
      {questions.error && (
        <FailedCall
          title={t("consent.failed.prompts")}
          error={questions.error}
          onRetry={questions.retry}
          compact
        />
      )}
      <RestingQuestions />
      <WaitSetting />
      <Section title={t("consent.decisions")}>
        {error && (
          <FailedCall
            title={t("consent.failed.decisions")}
            error={error}
            onRetry={decisions.retry}
            compact={entries !== undefined}
          />
        )}
        {entries && ready && <DecisionList entries={entries} onRevoke={decisions.revoke} />}
        {!(entries && ready) && !error && <RowSkeletons />}
      </Section>
    </section>
  );
}

function RowSkeletons() {
  const t = useT();
  return (
    <Loading label={t("common.loading")} className="rounded-ui border border-line">
      <SkeletonRows row={ROW_HEIGHT} widths={[30, 48, 36, 56]} lead={<Skeleton className="h-5 w-16" />} />
    </Loading>
  );
}
