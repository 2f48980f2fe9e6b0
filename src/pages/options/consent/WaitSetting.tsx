import { useId } from "react";
import { useT } from "@/locales/react";
import type { Settings } from "@/settings/contract";
import { Card } from "@/ui/Section";
import { Select } from "@/ui/Select";
import { useSettings } from "../../shared/settings";
import { useAct } from "../../shared/use-act";

type Seconds = Settings["consentWaitSeconds"];
const CHOICES: readonly Seconds[] = [30, 120, 600];

/** How long a question waits before it rests. */
export function WaitSetting() {
  const t = useT();
  const id = useId();
  const { settings, update } = useSettings();
  const act = useAct();
  const current = settings?.consentWaitSeconds ?? 120;
  const change = (value: string): void => {
    const consentWaitSeconds = CHOICES.find((choice) => `${choice}` === value) ?? current;
    void act(t("settings.failed"), () => update({ consentWaitSeconds }));
  };
  return (
    <Card className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 p-4">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {t("consent.wait")}
        </label>
        <p id={`${id}-hint`} className="text-muted">
          {t("consent.wait.hint")}
        </p>
      </div>
      <Select
        id={id}
        aria-describedby={`${id}-hint`}
        value={`${current}`}
        onChange={change}
        options={CHOICES.map((choice) => ({ value: `${choice}`, label: t(`consent.wait.${choice}`) }))}
        className="max-w-40"
      />
    </Card>
  );
}
