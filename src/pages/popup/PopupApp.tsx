import { lazy, Suspense, useEffect, useState } from "react";
import { useT } from "@/locales/react";
import { Skeleton } from "@/ui/Skeleton";
import { useHotkey } from "@/ui/useHotkey";
import { useServices } from "../connect";
import { Calm } from "../shared/Calm";
import { QuestionsProvider, useQuestions } from "../shared/consent/questions";
import { ErrorBoundary } from "../shared/ErrorBoundary";
import { FailedCall } from "../shared/FailedCall";
import { PausedBanner } from "../shared/PausedBanner";
import { useSettings } from "../shared/settings";
import { UserScriptsBanner } from "../shared/UserScriptsBanner";
import { useCall } from "../use-call";
import { useChanges } from "../use-stream";
import { Commands } from "./Commands";
import { Footer } from "./Footer";
import { PopupConsent } from "./PopupConsent";
import { PopupScripts } from "./PopupScripts";
import { SiteLine } from "./SiteLine";
import { useActiveTab } from "./use-active-tab";
import { WhyNone } from "./WhyNone";

// The popup opens without what is not shown first.
const PopupPalette = lazy(() => import("./PopupPalette").then((m) => ({ default: m.PopupPalette })));

/** What runs on this page, and the few things one does about it in passing. */
export function PopupApp() {
  const [palette, setPalette] = useState(false);
  useHotkey("mod+k", () => setPalette(true));
  return (
    <div className="w-[380px] max-w-full">
      <ErrorBoundary>
        <QuestionsProvider>
          <Body />
        </QuestionsProvider>
      </ErrorBoundary>
      {palette && (
        <Suspense>
          <PopupPalette onClose={() => setPalette(false)} />
        </Suspense>
      )}
    </div>
  );
}

function Body() {
  const t = useT();
  const tab = useActiveTab();
  const questions = useQuestions();
  const [settled, setSettled] = useState(false);
  const asked = questions.known || questions.error !== null;
  return (
    // The browser gives the popup the size of what is in it: it is seen once, whole, instead of growing piece by piece.
    <Calm
      ready={asked && (settled || tab.error !== null)}
      patience={120}
      className="flex max-h-[600px] flex-col"
    >
      <SiteLine url={tab.data?.url} />
      <main className="flex min-h-24 flex-col gap-3 overflow-y-auto px-4 pb-3">
        <PopupConsent />
        <UserScriptsBanner />
        <PausedBanner />
        {tab.error && (
          <FailedCall title={t("popup.failed.tab")} error={tab.error} onRetry={tab.reload} compact />
        )}
        {tab.data && <OnTab tabId={tab.data.id} onSettled={() => setSettled(true)} />}
        {!tab.data && !tab.error && <ScriptsSkeleton />}
      </main>
      <Footer />
    </Calm>
  );
}

function OnTab({ tabId, onSettled }: { tabId: number; onSettled(): void }) {
  const t = useT();
  const { scripts } = useServices();
  const changes = useChanges(scripts);
  const here = useCall(scripts, "forTab", { tabId }, changes);
  const { settings, status } = useSettings();
  const settled = !here.loading;
  useEffect(() => {
    if (settled) onSettled();
  }, [settled, onSettled]);
  if (here.error) {
    return <FailedCall title={t("popup.failed.scripts")} error={here.error} onRetry={here.reload} compact />;
  }
  if (!here.data) return <ScriptsSkeleton />;
  const { scripts: list, commands } = here.data;
  return (
    <>
      {list.length === 0 ? (
        <WhyNone
          tab={here.data}
          paused={settings?.paused ?? false}
          allowed={status.data?.userScripts ?? true}
        />
      ) : (
        <PopupScripts tabId={tabId} scripts={list} />
      )}
      <Commands tabId={tabId} commands={commands} />
    </>
  );
}

function ScriptsSkeleton() {
  const t = useT();
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-1">
      <span className="sr-only">{t("common.loading")}</span>
      {[44, 60].map((width) => (
        <div key={width} className="flex h-12 items-center gap-3">
          <Skeleton className="h-5 w-9 rounded-full" />
          <span style={{ width: `${width}%` }}>
            <Skeleton className="h-3.5" />
          </span>
        </div>
      ))}
    </div>
  );
}
