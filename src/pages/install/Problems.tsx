import { CircleX, TriangleAlert } from "lucide-react";
import { useT } from "@/locales/react";
import { Banner } from "@/ui/Banner";
import type { InstallPreview } from "@/userscripts/types";

type Problem = InstallPreview["problems"][number];

/** Why the script is refused, then what to know before installing it. */
export function Problems({
  preview,
  onShowLine,
}: {
  preview: InstallPreview;
  onShowLine(line: number): void;
}) {
  const t = useT();
  const errors = preview.problems.filter((p) => p.severity === "error");
  const warnings = preview.problems.filter((p) => p.severity === "warning");
  const older = preview.existing?.relation === "older";
  return (
    <>
      {!preview.ok && (
        <div role="alert">
          <Banner tone="danger" icon={<CircleX size={16} aria-hidden="true" />} title={t("install.refused")}>
            <ProblemList problems={errors} onShowLine={onShowLine} />
          </Banner>
        </div>
      )}
      {(warnings.length > 0 || older) && (
        <Banner
          tone="warn"
          icon={<TriangleAlert size={16} aria-hidden="true" />}
          title={t("install.warnings")}
        >
          {older && <p className="text-fg">{t("install.older")}</p>}
          <ProblemList problems={warnings} onShowLine={onShowLine} />
        </Banner>
      )}
    </>
  );
}

/** Remarks for whoever writes the script, folded away. */
export function Remarks({
  problems,
  onShowLine,
}: {
  problems: readonly Problem[];
  onShowLine(line: number): void;
}) {
  const t = useT();
  const remarks = problems.filter((p) => p.severity === "info");
  if (remarks.length === 0) return null;
  return (
    <details>
      <summary className="rounded-inner font-medium">{t("install.remarks", { n: remarks.length })}</summary>
      <div className="mt-2 text-muted">
        <ProblemList problems={remarks} onShowLine={onShowLine} />
      </div>
    </details>
  );
}

function ProblemList({
  problems,
  onShowLine,
}: {
  problems: readonly Problem[];
  onShowLine(line: number): void;
}) {
  const t = useT();
  return (
    <ul className="flex flex-col gap-1">
      {problems.map((problem) => (
        <li key={`${problem.code}:${problem.line}:${JSON.stringify(problem.params)}`} className="text-fg">
          {t.problem(problem)}{" "}
          {problem.line > 0 && (
            <button
              type="button"
              onClick={() => onShowLine(problem.line)}
              className="rounded-inner text-muted underline underline-offset-2 hover:text-fg"
            >
              {t("problem.line", { line: problem.line })}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
