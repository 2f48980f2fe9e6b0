import { useT } from "@/locales/react";
import { Loading, Skeleton } from "@/ui/Skeleton";

/** The shape of a place whose code is still being read: a heading and some lines. */
export function PageSkeleton() {
  const t = useT();
  return (
    <Loading label={t("common.loading")} className="flex flex-col gap-4">
      <h1 className="sr-only">{t("product.name")}</h1>
      <Skeleton className="h-7 w-40" />
      <Skeleton className="h-5 w-full max-w-md" />
      <Skeleton className="h-5 w-full max-w-sm" />
    </Loading>
  );
}
