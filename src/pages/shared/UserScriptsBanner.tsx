import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useT } from "@/locales/react";
import { Banner } from "@/ui/Banner";
import { Button } from "@/ui/Button";
import { useServices } from "../connect";
import { errorLine } from "./describe-error";
import { useSettings } from "./settings";

/** Shown on every surface while the browser's user-script switch is off: what, why, and how to switch it on. */
export function UserScriptsBanner({ className }: { className?: string }) {
  const t = useT();
  const services = useServices();
  const { status } = useSettings();
  const [error, setError] = useState<Error | null>(null);
  if (status.data?.userScripts !== false) return null;
  const open = (): void => {
    setError(null);
    services.settings.call("openDetails", {}).catch(setError);
  };
  return (
    <Banner
      tone="warn"
      icon={<TriangleAlert size={16} aria-hidden="true" />}
      title={t("switch.title")}
      className={className}
      actions={
        <>
          <Button onClick={open}>{t("switch.open")}</Button>
          <Button kind="quiet" onClick={status.reload}>
            {t("switch.check")}
          </Button>
        </>
      }
    >
      <p>{t("switch.why")}</p>
      <p>{t("switch.how")}</p>
      {error && (
        <p role="alert" className="text-danger-fg">
          {errorLine(t, t("switch.openFailed"), error)}
        </p>
      )}
    </Banner>
  );
}
