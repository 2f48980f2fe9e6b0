import { useT } from "@/locales/react";
import type { Settings } from "@/settings/contract";
import { Field } from "@/ui/Field";
import { Select } from "@/ui/Select";
import { useSettings } from "../../shared/settings";
import { useAct } from "../../shared/use-act";

type Seconds = Settings["consentWaitSeconds"];
const CHOICES: readonly Seconds[] = [30, 120, 600];

/** How long a question waits before it rests. */
export function WaitSetting() {
  const t = useT();
  const { settings, update } = useSettings();
  const act = useAct();
  const current = settings?.consentWaitSeconds ?? 120;
  return (
    <Field label={t("consent.wait")} hint={t("consent.wait.hint")} className="max-w-sm">
      {({ invalid: _, ...control }) => (
        <Select
          {...control}
          value={`${current}`}
          onChange={(value) =>
            void act(t("settings.failed"), () =>
              update({ consentWaitSeconds: CHOICES.find((choice) => `${choice}` === value) ?? current }),
            )
          }
          options={CHOICES.map((choice) => ({
            value: `${choice}` as const,
            label: t(`consent.wait.${choice}`),
          }))}
        />
      )}
    </Field>
  );
}
