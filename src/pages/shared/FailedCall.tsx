import { useEffect } from "react";
import { useT } from "@/locales/react";
import { ErrorState } from "@/ui/States";
import { describeError } from "./describe-error";
import { useReportError } from "./report-error";

export interface FailedCallProps {
  /** What did not work. */
  title: string;
  error: Error;
  onRetry?(): void;
  compact?: boolean;
}

/** A call that failed, in words, with a way to try again. */
export function FailedCall({ title, error, onRetry, compact }: FailedCallProps) {
  const t = useT();
  const report = useReportError();
  useEffect(() => report({ during: title, error, shown: true }), [report, title, error]);
  const { why, todo } = describeError(t, error);
  return (
    <ErrorState
      title={title}
      why={why}
      todo={todo ?? (onRetry ? t("error.tryAgain") : undefined)}
      onRetry={onRetry}
      compact={compact}
    />
  );
}
