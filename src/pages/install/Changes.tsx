import { useMemo } from "react";
import { useT } from "@/locales/react";
import { DiffView } from "@/ui/DiffView";
import { Section } from "@/ui/Section";
import { Skeleton } from "@/ui/Skeleton";
import { useServices } from "../connect";
import { FailedCall } from "../shared/FailedCall";
import { useCall } from "../use-call";
import { compareCode } from "./compare";

/** What is different from the installed version. */
export function Changes({ uuid, code }: { uuid: string; code: string }) {
  const t = useT();
  const { scripts } = useServices();
  const stored = useCall(scripts, "get", { uuid });
  return (
    <Section title={t("install.changes")}>
      {stored.error ? (
        <FailedCall
          title={t("install.failed.changes")}
          error={stored.error}
          onRetry={stored.reload}
          compact
        />
      ) : stored.data ? (
        <Compared before={stored.data.code} after={code} />
      ) : (
        <Skeleton className="h-24 w-full" />
      )}
    </Section>
  );
}

function Compared({ before, after }: { before: string; after: string }) {
  const t = useT();
  const result = useMemo(() => compareCode(before, after), [before, after]);
  if (result.kind === "same") return <p className="text-muted">{t("install.changes.none")}</p>;
  if (result.kind === "rewritten") return <p className="text-muted">{t("install.changes.rewritten")}</p>;
  return (
    <>
      <p className="text-muted tabular-nums">
        {t("install.changes.count", { added: result.added, removed: result.removed })}
      </p>
      <DiffView hunks={result.hunks} label={t("install.changes.view")} />
    </>
  );
}
