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

/**
 * Rows of a list that is being read: `lead` stands where each row begins, then two lines of text.
 * @param row class of the row, which gives it the height that the real ones have
 * @param widths of the first lines, in percent; as many as there are rows
 */
export function SkeletonRows(props: { row: string; widths: readonly number[]; lead: React.ReactNode }) {
  return props.widths.map((width) => (
    <div key={width} className={cx(props.row, "flex items-center gap-3 border-line px-3 not-first:border-t")}>
      {props.lead}
      <div className="flex grow flex-col gap-2">
        <span style={{ width: `${width}%` }}>
          <Skeleton className="h-3.5" />
        </span>
        <Skeleton className="h-3 w-1/4" />
      </div>
    </div>
  ));
}
