import { CircleAlert, RotateCw } from "lucide-react";
import { useState } from "react";
import { useT } from "@/locales/react";
import { reloadTab, showPage } from "@/platform/page-tabs";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Switch } from "@/ui/Switch";
import { Time } from "@/ui/Time";
import type { TabScripts } from "@/userscripts/types";
import { useServices } from "../connect";
import { errorLine } from "../shared/describe-error";
import { useOptimistic } from "../shared/use-optimistic";
import { usePopupAct } from "./use-popup-act";

type TabScript = TabScripts["scripts"][number];

/** The scripts for this page, each with its switch and its last error. */
export function PopupScripts({ tabId, scripts }: { tabId: number; scripts: readonly TabScript[] }) {
  const t = useT();
  const [changed, setChanged] = useState(false);
  const act = usePopupAct();
  return (
    <section aria-label={t("popup.scripts")} className="flex flex-col gap-2">
      <ul className="-mx-2 flex flex-col">
        {scripts.map((script) => (
          <Row key={script.uuid} script={script} onChanged={() => setChanged(true)} />
        ))}
      </ul>
      {changed && (
        <div
          role="status"
          className="flex items-center justify-between gap-3 rounded-ui bg-accent-soft py-1.5 pr-1.5 pl-3"
        >
          <span>{t("popup.reload")}</span>
          <Button
            icon={<RotateCw size={16} aria-hidden="true" />}
            onClick={() =>
              act.run(t("popup.failed.reload"), async () => {
                await reloadTab(tabId);
                window.close();
              })
            }
          >
            {t("popup.reload.do")}
          </Button>
        </div>
      )}
      {act.message}
    </section>
  );
}

function Row({ script, onChanged }: { script: TabScript; onChanged(): void }) {
  const t = useT();
  const { scripts } = useServices();
  const [failure, setFailure] = useState<string | null>(null);
  const [enabled, setEnabled] = useOptimistic(script.enabled, async (next) => {
    setFailure(null);
    try {
      await scripts.call("setEnabled", { uuid: script.uuid, enabled: next });
      onChanged();
      return true;
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      const what = t(next ? "scripts.failed.on" : "scripts.failed.off", { name: script.name });
      setFailure(errorLine(t, what, cause));
      return false;
    }
  });
  const notice = script.notices.find(({ severity }) => severity !== "info");
  return (
    <li className="relative flex items-start gap-3 rounded-ui px-2 py-2 transition-colors hover:bg-hover">
      <Switch
        checked={enabled}
        onChange={setEnabled}
        label={t(enabled ? "scripts.switchOff" : "scripts.switchOn", { name: script.name })}
        className="z-10"
      />
      <div className="min-w-0 grow">
        <button
          type="button"
          title={t("scripts.open")}
          onClick={() => void showPage(`options.html#/scripts/${script.uuid}`).then(() => window.close())}
          className={cx(
            "block w-full truncate rounded-inner text-left font-medium after:absolute after:inset-0 after:rounded-ui",
            !enabled && "text-muted",
          )}
        >
          {script.name}
        </button>
        {script.lastError && (
          <p className="flex items-center gap-1 text-small text-danger-fg">
            <CircleAlert size={12} aria-hidden="true" className="shrink-0" />
            <span className="truncate">{script.lastError.message}</span>
            <span className="shrink-0 text-faint">
              <Time at={script.lastError.at} />
            </span>
          </p>
        )}
        {enabled && notice && <p className="text-small text-warn">{t.problem(notice)}</p>}
        {failure && (
          <p role="alert" className="text-small text-danger-fg">
            {failure}
          </p>
        )}
      </div>
    </li>
  );
}
