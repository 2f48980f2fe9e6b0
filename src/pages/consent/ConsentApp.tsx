import { useEffect, useRef, useState } from "react";
import type { ConsentPrompt } from "@/consent/types";
import { useT } from "@/locales/react";
import { Kbd } from "@/ui/Kbd";
import { Loading, Skeleton } from "@/ui/Skeleton";
import { Answers, departureKey } from "../shared/consent/Answers";
import { QuestionBody } from "../shared/consent/QuestionBody";
import { QuestionsProvider, questionKey, useQuestions } from "../shared/consent/questions";
import { useArmed } from "../shared/consent/use-armed";
import { errorLine } from "../shared/describe-error";
import { ErrorBoundary } from "../shared/ErrorBoundary";
import { FailedCall } from "../shared/FailedCall";
import { useTitle } from "../shared/use-title";
import { ConsentPalette } from "./ConsentPalette";
import { NothingAsked } from "./NothingAsked";
import { useEscape } from "./use-escape";

/** The prompt window: the open questions, one at a time. It closes itself when the last one is answered. */
export function ConsentApp() {
  return (
    <QuestionsProvider>
      <div className="mx-auto flex min-h-dvh max-w-md flex-col px-4">
        <ErrorBoundary>
          <Window />
        </ErrorBoundary>
      </div>
    </QuestionsProvider>
  );
}

function Window() {
  const t = useT();
  const questions = useQuestions();
  useTitle(t("consent.window"));
  const top = useTop(questions.asking);
  const said = departureKey(questions);
  return (
    <main className="flex grow flex-col">
      <p role="status" className="min-h-7 pt-3 text-small text-muted">
        {said && t.any(said)}
      </p>
      {top && <Asked key={questionKey(top)} prompt={top} more={questions.asking.length - 1} />}
      {!top && questions.error && (
        <>
          <h1 className="sr-only">{t("consent.window")}</h1>
          <FailedCall title={t("consent.failed.prompts")} error={questions.error} onRetry={questions.retry} />
        </>
      )}
      {!top && !questions.error && (questions.known ? <NothingAsked /> : <AskedSkeleton />)}
    </main>
  );
}

/** The question on top stays there as long as it is open, whatever comes before it. */
function useTop(asking: readonly ConsentPrompt[]): ConsentPrompt | undefined {
  const shown = useRef<string | null>(null);
  const top = asking.find((prompt) => questionKey(prompt) === shown.current) ?? asking[0];
  shown.current = top ? questionKey(top) : null;
  return top;
}

function Asked({ prompt, more }: { prompt: ConsentPrompt; more: number }) {
  const t = useT();
  const questions = useQuestions();
  const armed = useArmed(questionKey(prompt));
  const heading = useRef<HTMLHeadingElement>(null);
  // The heading takes the focus, never a button: what is typed at that moment must not answer.
  useEffect(() => heading.current?.focus(), []);
  const [failure, setFailure] = useState<string | null>(null);
  const failed = (what: string) => (error: Error) => setFailure(errorLine(t, what, error));
  // Escape says "Not now": the answer that changes nothing. It waits for the half second as every other does.
  const notNow = (): void => {
    if (!armed) return;
    setFailure(null);
    questions.answer(prompt, "deny").catch(failed(t("consent.failed.answer")));
  };
  useEscape(notNow);
  return (
    <ConsentPalette onNotNow={notNow} onFailure={failed(t("consent.failed.open"))}>
      <div className="flex grow flex-col gap-4 pt-1 pb-4">
        <QuestionBody prompt={prompt} level={1} headingRef={heading} />
        <p className="text-small text-faint">{t("consent.window.hint")}</p>
      </div>
      <div className="sticky bottom-0 -mx-4 flex flex-col gap-2 border-t border-line bg-bg px-4 py-3">
        {failure && (
          <p role="alert" className="text-small text-danger-fg">
            {failure}
          </p>
        )}
        <Answers prompt={prompt} armed={armed} />
        <div className="flex flex-wrap items-center justify-between gap-x-4 text-small text-muted">
          <span>{t("consent.window.more", { n: more })}</span>
          <span className="flex items-center gap-1.5">
            <Kbd>{t("key.escape")}</Kbd>
            {t("consent.answer.deny")}
          </span>
        </div>
      </div>
    </ConsentPalette>
  );
}

function AskedSkeleton() {
  const t = useT();
  return (
    <Loading label={t("common.loading")} className="flex flex-col gap-3 pt-1">
      <h1 className="sr-only">{t("consent.window")}</h1>
      <Skeleton className="h-4 w-24" />
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-6 w-full" />
      <Skeleton className="h-9 w-64" />
      <Skeleton className="h-10 w-full" />
    </Loading>
  );
}
