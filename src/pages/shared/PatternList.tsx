import { useState } from "react";
import { useT } from "@/locales/react";
import { Button } from "@/ui/Button";

const FEW = 12;

/** The addresses that a script runs on; long lists are cut until asked for. */
export function PatternList({ patterns }: { patterns: readonly string[] }) {
  const t = useT();
  const [all, setAll] = useState(false);
  if (patterns.length === 0) return <p className="text-muted">{t("scripts.noMatches")}</p>;
  const shown = all ? patterns : patterns.slice(0, FEW);
  return (
    <div className="flex flex-col items-start gap-2">
      <ul className="flex flex-wrap gap-1.5">
        {[...new Set(shown)].map((pattern) => (
          <li
            key={pattern}
            className="rounded-inner border border-line bg-sunken px-1.5 py-0.5 font-mono text-code"
          >
            {pattern}
          </li>
        ))}
      </ul>
      {shown.length < patterns.length && (
        <Button kind="quiet" onClick={() => setAll(true)}>
          {t("scripts.moreMatches", { n: patterns.length - shown.length })}
        </Button>
      )}
    </div>
  );
}
