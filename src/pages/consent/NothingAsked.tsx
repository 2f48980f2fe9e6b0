import { Inbox } from "lucide-react";
import { useEffect, useState } from "react";
import { useT } from "@/locales/react";
import { showPage } from "@/platform/page-tabs";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/States";
import { useQuestions } from "../shared/consent/questions";
import { errorLine } from "../shared/describe-error";

/** How long it can be read why the last question left before the window goes, in ms. */
const READING_MS = 2_500;

/** Nothing asks any more: the window goes, unless questions rest that a person may want to see. */
export function NothingAsked() {
  const t = useT();
  const { waiting, departure } = useQuestions();
  const [failure, setFailure] = useState<Error | null>(null);
  const n = waiting.length;
  useEffect(() => {
    if (n > 0) return;
    const timer = setTimeout(() => window.close(), departure === null ? 0 : READING_MS);
    return () => clearTimeout(timer);
  }, [n, departure]);
  const show = async (): Promise<void> => {
    setFailure(null);
    await showPage("options.html#/consent");
    window.close();
  };
  return (
    <>
      <h1 className="sr-only">{t("consent.window")}</h1>
      <EmptyState
        icon={<Inbox size={32} strokeWidth={1.5} aria-hidden="true" />}
        title={t("consent.window.empty")}
        action={
          <>
            <Button onClick={() => show().catch(setFailure)}>{t("consent.window.show")}</Button>
            <Button kind="quiet" onClick={() => window.close()}>
              {t("consent.window.close")}
            </Button>
          </>
        }
      >
        <p>{n > 0 ? t("consent.window.resting", { n }) : t("consent.window.empty.text")}</p>
      </EmptyState>
      {failure && (
        <p role="alert" className="text-center text-small text-danger-fg">
          {errorLine(t, t("consent.failed.open"), failure)}
        </p>
      )}
    </>
  );
}
