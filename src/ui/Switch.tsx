import { cx } from "./cx";

export interface SwitchProps {
  checked: boolean;
  onChange(checked: boolean): void;
  /** Its name for screen readers, when no visible label points at it. */
  label?: string;
  labelledBy?: string;
  describedBy?: string;
  disabled?: boolean;
  className?: string;
}

/** An on/off switch. A native button with the switch role, so that the popup needs no library for it. */
export function Switch({
  checked,
  onChange,
  label,
  labelledBy,
  describedBy,
  disabled,
  className,
}: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      title={label}
      disabled={disabled}
      onClick={() => onChange(!checked)}
      className={cx(
        "relative inline-flex h-5 w-9 shrink-0 items-center rounded-full border transition-colors disabled:opacity-50",
        // The touch target is larger than the drawing (WCAG 2.5.8).
        "after:absolute after:-inset-2 after:content-['']",
        checked ? "border-accent bg-accent" : "border-line-strong bg-sunken",
        className,
      )}
    >
      <span
        aria-hidden="true"
        className={cx(
          "inline-block size-3.5 rounded-full transition-transform",
          checked ? "translate-x-4.5 bg-on-accent" : "translate-x-0.5 bg-line-strong",
        )}
      />
    </button>
  );
}
