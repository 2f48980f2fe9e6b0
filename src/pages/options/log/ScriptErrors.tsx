import { Link } from "wouter";
import { useT } from "@/locales/react";
import type { ScriptSummary } from "@/userscripts/types";

/** Ways to the logs of scripts that have errors; nothing when none has. */
export function ScriptErrors({ scripts }: { scripts: readonly ScriptSummary[] }) {
  const t = useT();
  const failing = scripts.filter(({ errorCount }) => errorCount > 0);
  if (failing.length === 0) return null;
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-muted">
      <p>{t("logPage.scripts")}</p>
      <ul className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
        {failing.map(({ uuid, name, errorCount }) => (
          <li key={uuid} className="min-w-0">
            <Link
              href={`/scripts/${uuid}/log`}
              className="rounded-inner font-medium text-accent-fg underline-offset-2 hover:underline"
            >
              {t("logPage.scriptErrors", { name, n: errorCount })}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
