import type { FileUsage } from "@/files/types";
import type { MessageKey } from "@/locales/catalogue";
import { useT } from "@/locales/react";
import { Section } from "@/ui/Section";
import { Loading, Skeleton } from "@/ui/Skeleton";
import { FailedCall } from "../../shared/FailedCall";
import type { Resource } from "../../use-call";
import { sizeInWords } from "./size";

/** What is used, by area, and how much there is. */
export function UsageSection({ usage }: { usage: Resource<FileUsage> }) {
  const t = useT();
  const { data } = usage;
  return (
    <Section title={t("files.usage")} hint={t("files.usedHint")}>
      {usage.error && (
        <FailedCall title={t("files.failed.usage")} error={usage.error} onRetry={usage.reload} compact />
      )}
      {!data && !usage.error && <UsageSkeleton />}
      {data && <UsageReport usage={data} />}
    </Section>
  );
}

function UsageReport({ usage: { areas, usedBytes, quotaBytes } }: { usage: FileUsage }) {
  const t = useT();
  const words = t("files.used", {
    used: sizeInWords(t.language, usedBytes),
    quota: sizeInWords(t.language, quotaBytes),
  });
  // Parts of what is used, so that a few bytes never look like much.
  const whole = Math.max(1, usedBytes, ...areas.map(({ bytes }) => bytes));
  return (
    <div className="flex flex-col gap-3 rounded-ui border border-line p-3">
      <div className="flex flex-col gap-1.5">
        <p className="font-medium tabular-nums">{words}</p>
        <Bar share={usedBytes / Math.max(1, quotaBytes)} label={words} />
      </div>
      <dl className="flex flex-col gap-2">
        {areas.map(({ area, bytes, files }) => (
          <div key={area} className="grid items-center gap-x-4 gap-y-1 sm:grid-cols-[14rem_1fr_11rem]">
            <dt className="text-muted">{t(`files.area.${area}` as AreaKey)}</dt>
            <dd className="text-small text-faint tabular-nums sm:order-last sm:text-right">
              {t("files.areaUse", { n: files, size: sizeInWords(t.language, bytes) })}
            </dd>
            <dd aria-hidden="true">
              <Bar share={bytes / whole} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

type AreaKey = Extract<MessageKey, `files.area.${string}`>;

/** A share of 0 to 1 as a bar. With a label it is a meter; without, only for the eye. */
function Bar({ share, label }: { share: number; label?: string }) {
  const percent = Math.min(100, share * 100);
  const meter = label && {
    role: "meter",
    "aria-label": label,
    "aria-valuemin": 0,
    "aria-valuemax": 100,
    "aria-valuenow": Math.round(percent),
  };
  return (
    <div {...meter} className="h-1.5 overflow-hidden rounded-full bg-chosen">
      <div className="h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
    </div>
  );
}

function UsageSkeleton() {
  const t = useT();
  return (
    <Loading label={t("common.loading")}>
      <div className="flex flex-col gap-3 rounded-ui border border-line p-3">
        <Skeleton className="h-4 w-48" />
        <Skeleton className="h-1.5 w-full" />
        {[1, 2, 3, 4, 5].map((area) => (
          <Skeleton key={area} className="h-4 w-full" />
        ))}
      </div>
    </Loading>
  );
}
