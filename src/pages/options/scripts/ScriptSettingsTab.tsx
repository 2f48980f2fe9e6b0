import { useId } from "react";
import { useT } from "@/locales/react";
import { Card, Fact, Section } from "@/ui/Section";
import { Switch } from "@/ui/Switch";
import { Time } from "@/ui/Time";
import type { ScriptSummary } from "@/userscripts/types";
import { PowerList } from "../../shared/PowerList";
import { useOptimistic } from "../../shared/use-optimistic";
import { WhereItRuns } from "../../shared/WhereItRuns";
import { ScriptDecisions } from "./ScriptDecisions";
import { useScriptActions } from "./use-script-actions";

/** What a script may do, where and when it runs, and where it came from. */
export function ScriptSettingsTab({ script }: { script: ScriptSummary }) {
  const t = useT();
  return (
    <div className="flex flex-col gap-6">
      <EnabledCard script={script} />
      <Section title={t("scripts.may")}>
        <PowerList script={script} />
      </Section>
      <Section title={t("scripts.where")}>
        <WhereItRuns script={script} />
      </Section>
      <Section title={t("scripts.about")}>
        <dl className="flex flex-col gap-2">
          {script.author && <Fact name={t("scripts.author")}>{script.author}</Fact>}
          {script.namespace && <Fact name={t("scripts.namespace")}>{script.namespace}</Fact>}
          <Fact name={t("scripts.source")}>{script.sourceUrl ?? t("scripts.source.none")}</Fact>
          <Fact name={t("scripts.installed")}>
            <Time at={script.installedAt} />
          </Fact>
          <Fact name={t("scripts.updated")}>
            <Time at={script.updatedAt} />
          </Fact>
        </dl>
      </Section>
      <ScriptDecisions script={script} />
    </div>
  );
}

function EnabledCard({ script }: { script: ScriptSummary }) {
  const t = useT();
  const id = useId();
  const actions = useScriptActions();
  const [enabled, setEnabled] = useOptimistic(script.enabled, (next) => actions.setEnabled(script, next));
  return (
    <Card className="flex items-center justify-between gap-4 p-4">
      <div>
        <p id={id} className="font-medium">
          {t("scripts.enabled")}
        </p>
        <p id={`${id}-hint`} className="text-muted">
          {t("scripts.enabled.hint")}
        </p>
      </div>
      <Switch checked={enabled} onChange={setEnabled} labelledBy={id} describedBy={`${id}-hint`} />
    </Card>
  );
}
