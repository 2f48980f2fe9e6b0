import { useMemo } from "react";
import { useT } from "@/locales/react";
import { CodeView } from "@/ui/CodeView";
import { linesOf } from "@/ui/slices";
import type { ScriptSummary } from "@/userscripts/types";
import { CopyButton } from "../../shared/CopyButton";

/** The code as installed; a line from the address is pointed out. */
export function ScriptCodeTab({
  script,
  code,
  line,
}: {
  script: ScriptSummary;
  code: string;
  line: number | null;
}) {
  const t = useT();
  const goTo = useMemo(() => (line === null ? null : { line }), [line]);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex min-h-8 items-center justify-between gap-2">
        <p className="text-small text-faint tabular-nums">
          {t("code.size", {
            lines: linesOf(code).length,
            kilobytes: Math.max(1, Math.round(code.length / 1024)),
          })}
        </p>
        <CopyButton text={code} label={t("common.copy")} />
      </div>
      <CodeView
        code={code}
        label={t("code.of", { name: script.name })}
        marks={line === null ? [] : [line]}
        goTo={goTo}
        className="max-h-[calc(100dvh-16rem)] min-h-64"
      />
    </div>
  );
}
