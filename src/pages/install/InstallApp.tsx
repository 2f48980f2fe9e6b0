import { ArrowLeft } from "lucide-react";
import { useT } from "@/locales/react";
import { ToastProvider } from "@/ui/Toast";
import { Calm } from "../shared/Calm";
import { ConsentCards } from "../shared/ConsentCards";
import { QuestionsProvider } from "../shared/consent/questions";
import { ErrorBoundary } from "../shared/ErrorBoundary";
import { UserScriptsBanner } from "../shared/UserScriptsBanner";
import { ChooseSource } from "./ChooseSource";
import { Installed } from "./Installed";
import { InstallPalette } from "./InstallPalette";
import { Review } from "./Review";
import { useInstallFlow } from "./use-install-flow";

/** The install page: where the script comes from, then what it is and may do, then done. */
export function InstallApp() {
  return (
    <ToastProvider>
      <InstallPalette>
        <QuestionsProvider>
          <ConsentCards />
          <ErrorBoundary>
            <Flow />
          </ErrorBoundary>
        </QuestionsProvider>
      </InstallPalette>
    </ToastProvider>
  );
}

function Flow() {
  const t = useT();
  const flow = useInstallFlow();
  const { step } = flow;
  return (
    <div className="mx-auto flex min-h-dvh max-w-4xl flex-col px-4 sm:px-8">
      <header className="flex items-center justify-between gap-4 py-4">
        <a
          href="options.html#/scripts"
          className="inline-flex items-center gap-1 rounded-inner text-muted hover:text-fg"
        >
          <ArrowLeft size={16} aria-hidden="true" />
          {t("nav.scripts")}
        </a>
        <img src="/icons/48.png" alt="" width={24} height={24} className="size-6" />
      </header>
      <main className="flex grow flex-col">
        <Calm className="flex grow flex-col gap-5">
          <UserScriptsBanner />
          {step.name === "choose" && <ChooseSource flow={flow} tab={step.tab} />}
          {step.name === "review" && <Review key={step.draft.code} draft={step.draft} flow={flow} />}
          {step.name === "done" && (
            <Installed script={step.script} updated={step.updated} onAnother={flow.startOver} />
          )}
        </Calm>
      </main>
    </div>
  );
}
