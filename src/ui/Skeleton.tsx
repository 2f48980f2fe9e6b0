import { cx } from "./cx";

/** A grey bar where something will be. Give it the size of what comes, so that nothing moves. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={cx("block animate-breathe rounded-inner bg-chosen", className)} />
  );
}

/** Says to screen readers that something loads, while skeletons are shown. */
export function Loading({
  label,
  children,
  className,
}: {
  label: string;
  children: React.ReactNode;
  className?: string;
}) {
  return (
    <div role="status" aria-busy="true" className={className}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}
