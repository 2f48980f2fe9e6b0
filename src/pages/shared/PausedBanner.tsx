import { Pause } from "lucide-react";
import { useState } from "react";
import { useT } from "@/locales/react";
import { Banner } from "@/ui/Banner";
import { Button } from "@/ui/Button";
import { errorLine } from "./describe-error";
import { useSettings } from "./settings";

/** Shown while all scripts are paused, so that nobody looks for a fault elsewhere. */
export function PausedBanner() {
  const t = useT();
  const { settings, update } = useSettings();
  const [failure, setFailure] = useState<Error | null>(null);
  if (!settings?.paused) return null;
  const resume = (): void => {
    setFailure(null);
    update({ paused: false }).catch(setFailure);
  };
  return (
    <Banner
      tone="neutral"
      icon={<Pause size={16} aria-hidden="true" />}
      title={t("paused.title")}
      actions={<Button onClick={resume}>{t("paused.resume")}</Button>}
    >
      <p>{t("paused.text")}</p>
      {failure && (
        <p role="alert" className="text-danger-fg">
          {errorLine(t, t("settings.failed"), failure)}
        </p>
      )}
    </Banner>
  );
}
