import { TriangleAlert } from "lucide-react";
import { useT } from "@/locales/react";
import { Banner } from "@/ui/Banner";
import type { ScriptSummary } from "@/userscripts/types";

/** Why a script does not run, or not as it asked. */
export function ScriptNotices({ notices }: { notices: ScriptSummary["notices"] }) {
  const t = useT();
  const shown = notices.filter(({ severity }) => severity !== "info");
  if (shown.length === 0) return null;
  const broken = shown.some(({ severity }) => severity === "error");
  return (
    <Banner
      tone={broken ? "danger" : "warn"}
      icon={<TriangleAlert size={16} aria-hidden="true" />}
      title={t(broken ? "scripts.notRunning" : "scripts.attention")}
    >
      <ul className="flex flex-col gap-1">
        {shown.map((notice) => (
          <li key={`${notice.code}:${notice.line}:${JSON.stringify(notice.params)}`}>
            {notice.line > 0
              ? t("problem.atLine", { line: notice.line, text: t.problem(notice) })
              : t.problem(notice)}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
