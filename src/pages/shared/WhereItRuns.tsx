import { useT } from "@/locales/react";
import type { ScriptSummary } from "@/userscripts/types";
import { PatternList } from "./PatternList";
import { runAtSentence, worldSentence } from "./where";

/** On which pages and when a script runs; or that it runs on none. */
export function WhereItRuns({
  script,
}: {
  script: Pick<ScriptSummary, "isBackground" | "matches" | "runAt" | "world">;
}) {
  const t = useT();
  if (script.isBackground) return <p>{t("scripts.inBackground.long")}</p>;
  return (
    <>
      <PatternList patterns={script.matches} />
      <p>{runAtSentence(t, script.runAt)}</p>
      <p>{worldSentence(t, script.world)}</p>
    </>
  );
}
