import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "@/locales/react";
import { Button } from "./Button";
import { cx } from "./cx";

export interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  /** What this place is for. */
  children: ReactNode;
  action?: ReactNode;
}

/** Nothing is here yet: what this is, and one thing to do. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-16 text-center">
      {icon && <div className="mb-1 text-faint">{icon}</div>}
      <h2 className="text-head font-semibold">{title}</h2>
      <div className="max-w-md text-read text-muted">{children}</div>
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

export interface ErrorStateProps {
  /** What happened. */
  title: string;
  /** Why, in the words of who knows. */
  why?: string;
  /** What to do about it. */
  todo?: string;
  onRetry?(): void;
  /** Beside other content instead of alone in a place. */
  compact?: boolean;
}

/** What happened, why, and what to do; announced when it appears. */
export function ErrorState({ title, why, todo, onRetry, compact }: ErrorStateProps) {
  const t = useT();
  return (
    <div
      role="alert"
      className={cx(
        "flex gap-3 rounded-ui border border-line bg-danger-soft p-4 text-fg",
        !compact && "mx-auto my-8 w-full max-w-xl",
      )}
    >
      <TriangleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-danger-fg" />
      <div className="flex min-w-0 grow flex-col gap-1">
        <p className="font-semibold">{title}</p>
        {why && <p>{why}</p>}
        {todo && <p className="text-muted">{todo}</p>}
        {onRetry && (
          <div className="mt-2">
            <Button onClick={onRetry}>{t("common.retry")}</Button>
          </div>
        )}
      </div>
    </div>
  );
}
