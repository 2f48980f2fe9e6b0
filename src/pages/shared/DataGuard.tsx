import { DatabaseZap, LoaderCircle, TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useT } from "@/locales/react";
import type { DataState } from "@/migrations/types";
import { Button } from "@/ui/Button";
import { useServices } from "../connect";
import { useStream } from "../use-stream";

/** How long an update of the data may take before a page speaks of it: most are over by then. */
const PATIENCE_MS = 400;

/** Shows the page, or in its place why the stored data cannot be used now. */
export function DataGuard({ children }: { children: ReactNode }) {
  const services = useServices();
  const { item: state, error } = useStream(services.data, "state", {});
  useEffect(() => {
    // The page works without it, and its own calls tell what fails; whoever looks for the cause finds it here.
    if (error) console.warn("How the stored data stands cannot be followed.", error);
  }, [error]);
  if (state?.kind === "updating") return <Updating state={state}>{children}</Updating>;
  if (state?.kind === "failed") return <Failed why={state.why} />;
  if (state?.kind === "newer") return <Newer state={state} />;
  return children;
}

function Updating(props: { state: Extract<DataState, { kind: "updating" }>; children: ReactNode }) {
  const t = useT();
  const [patient, setPatient] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (patient) return props.children;
  const { done, steps } = props.state;
  return (
    <Notice
      icon={<LoaderCircle size={24} aria-hidden="true" className="animate-spin motion-reduce:animate-none" />}
      title={t("data.updating.title")}
    >
      <p>{t("data.updating.text")}</p>
      {steps > 1 && <p role="status">{t("data.updating.progress", { done, steps })}</p>}
    </Notice>
  );
}

function Failed({ why }: { why: string }) {
  const t = useT();
  const services = useServices();
  const [busy, setBusy] = useState(false);
  const [again, setAgain] = useState(false);
  const retry = (): void => {
    setBusy(true);
    setAgain(false);
    services.data
      .call("retry", {})
      // Why is in the state, which is shown; this says that the click was not lost.
      .catch(() => setAgain(true))
      .finally(() => setBusy(false));
  };
  return (
    <Notice
      icon={<TriangleAlert size={24} aria-hidden="true" className="text-danger-fg" />}
      title={t("data.failed.title")}
    >
      <p>{why}</p>
      <p>{t("data.failed.kept")}</p>
      <p>{t("data.failed.todo")}</p>
      <div className="mt-2 flex items-center gap-3">
        <Button kind="primary" busy={busy} onClick={retry}>
          {t("common.retry")}
        </Button>
        <span role="status">{again && t("data.failed.again")}</span>
      </div>
    </Notice>
  );
}

function Newer({ state: { writer, version } }: { state: Extract<DataState, { kind: "newer" }> }) {
  const t = useT();
  return (
    <Notice
      icon={<DatabaseZap size={24} aria-hidden="true" className="text-warn" />}
      title={t("data.newer.title")}
    >
      <p>{writer ? t("data.newer.why", { writer, version }) : t("data.newer.whyUnknown", { version })}</p>
      <p className="font-medium">{writer ? t("data.newer.todo", { writer }) : t("data.newer.todoUnknown")}</p>
      <p>{t("data.newer.kept")}</p>
    </Notice>
  );
}

/** Alone on the page, and read out when it appears. */
function Notice({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh min-w-[min(100vw,380px)] items-center justify-center px-6 py-12">
      <div role="alert" className="flex max-w-md flex-col gap-3 text-read">
        {icon}
        <h1 className="text-head font-semibold">{title}</h1>
        {children}
      </div>
    </main>
  );
}
