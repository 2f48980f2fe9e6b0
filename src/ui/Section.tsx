import { type ReactNode, useId } from "react";
import { cx } from "./cx";

export interface SectionProps {
  title: string;
  /** One line on what it is. */
  hint?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A titled part of a page. */
export function Section({ title, hint, actions, children, className }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={cx("flex min-w-0 flex-col gap-3", className)}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <div>
          <h2 id={id} className="text-read font-semibold">
            {title}
          </h2>
          {hint && <p className="text-faint">{hint}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** A bordered surface around things that belong together. */
export function Card({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cx("rounded-ui border border-line bg-bg", className)}>{children}</div>;
}

/** A name and its value, one under the other when there is no room. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-0.5 sm:grid-cols-[10rem_1fr]">
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
