import { CircleCheck, CircleStop, RotateCw } from "lucide-react";
import { useEffect, useState } from "react";
import { useT } from "@/locales/react";
import type { BackgroundStatus } from "@/sandbox/types";
import { Banner } from "@/ui/Banner";
import { Button } from "@/ui/Button";
import type { ScriptSummary } from "@/userscripts/types";
import { useScriptActions } from "./use-script-actions";

/** How a background script is doing, and how to start it after faults. Nothing for scripts of pages and disabled ones. */
export function BackgroundState({ script }: { script: ScriptSummary }) {
  const t = useT();
  const actions = useScriptActions();
  const { background: status } = script;
  const seconds = useSecondsUntil(status?.state === "restarting" ? status.at : null);
  if (!status) return null;
  if (status.state === "running" || status.state === "starting") {
    return (
      <Banner
        tone="ok"
        icon={<CircleCheck size={16} aria-hidden="true" />}
        title={t(status.state === "running" ? "background.running" : "background.starting")}
      />
    );
  }
  const stopped = status.state === "stopped";
  const Icon = stopped ? CircleStop : RotateCw;
  return (
    <Banner
      tone={stopped ? "danger" : "warn"}
      icon={<Icon size={16} aria-hidden="true" />}
      title={titleOf(t, status, seconds)}
      actions={<Button onClick={() => void actions.startNow(script)}>{t("background.startNow")}</Button>}
    >
      <p>{t(stopped ? "background.stopped.text" : "background.restarting.text")}</p>
    </Banner>
  );
}

function titleOf(t: ReturnType<typeof useT>, status: BackgroundStatus, seconds: number): string {
  if (status.state === "stopped") return t("background.stopped", { n: status.faults });
  return seconds > 0 ? t("background.restarting", { n: seconds }) : t("background.starting");
}

/** Whole seconds until `at` (ms since the epoch), counted down; 0 afterwards and for null. */
function useSecondsUntil(at: number | null): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (at === null) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [at]);
  return at === null ? 0 : Math.max(0, Math.ceil((at - now) / 1000));
}
