import type { ReactNode } from "react";
import { cx } from "./cx";

const TONES = {
  warn: "bg-warn-soft [&>svg]:text-warn",
  danger: "bg-danger-soft [&>svg]:text-danger-fg",
  ok: "bg-ok-soft [&>svg]:text-ok",
  neutral: "bg-sunken [&>svg]:text-faint",
};

export interface BannerProps {
  tone: keyof typeof TONES;
  icon: ReactNode;
  title?: string;
  children?: ReactNode;
  actions?: ReactNode;
  className?: string;
}

/** Something that holds for the whole view, above it. */
export function Banner({ tone, icon, title, children, actions, className }: BannerProps) {
  return (
    <section
      aria-label={title}
      className={cx(
        "flex items-start gap-3 rounded-ui border border-line p-3 [&>svg]:mt-0.5 [&>svg]:shrink-0",
        TONES[tone],
        className,
      )}
    >
      {icon}
      <div className="flex min-w-0 grow flex-col gap-1">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className="text-muted">{children}</div>}
        {actions && <div className="mt-1.5 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </section>
  );
}
