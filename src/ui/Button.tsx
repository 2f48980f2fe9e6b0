import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { cx } from "./cx";

export type ButtonKind = "primary" | "plain" | "quiet" | "accent" | "danger";

const BASE =
  "inline-flex shrink-0 items-center justify-center gap-2 rounded-ui font-medium whitespace-nowrap select-none transition-colors disabled:opacity-50 disabled:cursor-not-allowed";

const KINDS: Record<ButtonKind, string> = {
  primary: "bg-accent text-on-accent hover:not-disabled:bg-accent-hover",
  plain: "border border-line-strong bg-bg text-fg hover:not-disabled:bg-hover",
  quiet: "text-muted hover:not-disabled:bg-hover hover:not-disabled:text-fg",
  accent: "text-accent-fg hover:not-disabled:bg-hover",
  danger: "bg-danger text-on-danger hover:not-disabled:bg-danger-hover",
};

/** The classes of a button, for a link that looks like one. */
export function buttonClass(kind: ButtonKind = "plain", extra?: string): string {
  return cx(BASE, "h-8 px-3", KINDS[kind], extra);
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind;
  icon?: ReactNode;
  /** Work is under way: the button keeps its size and place, says so, and takes no second click. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with words. `primary` is for the one main action of a view. */
export function Button({ kind = "plain", icon, busy, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={buttonClass(kind, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** What it does, for screen readers; also shown on hover. */
  label: string;
  ref?: Ref<HTMLButtonElement>;
}

/** A square button with an icon and no words. */
export function IconButton({ label, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={cx(BASE, "size-8", KINDS.quiet, className)}
      {...rest}
    >
      {children}
    </button>
  );
}

/** A turning ring; says nothing, so put words beside it. */
export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-4 animate-spin rounded-full border-2 border-current border-r-transparent motion-reduce:animate-none"
    />
  );
}
