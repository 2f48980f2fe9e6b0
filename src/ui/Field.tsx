import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
  useId,
} from "react";
import { cx } from "./cx";

const CONTROL =
  "w-full rounded-ui border bg-bg text-fg transition-colors disabled:opacity-50 focus-visible:outline-offset-0";

export interface InputProps extends InputHTMLAttributes<HTMLInputElement> {
  invalid?: boolean;
  ref?: Ref<HTMLInputElement>;
}

export function Input({ invalid, className, ...rest }: InputProps) {
  return (
    <input
      aria-invalid={invalid || undefined}
      className={cx(CONTROL, "h-8 px-2.5", invalid ? "border-danger" : "border-line-strong", className)}
      {...rest}
    />
  );
}

export interface TextareaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  invalid?: boolean;
  ref?: Ref<HTMLTextAreaElement>;
}

export function Textarea({ invalid, className, ...rest }: TextareaProps) {
  return (
    <textarea
      aria-invalid={invalid || undefined}
      className={cx(CONTROL, "px-2.5 py-1.5", invalid ? "border-danger" : "border-line-strong", className)}
      {...rest}
    />
  );
}

export interface FieldProps {
  label: string;
  /** A short help below the control. */
  hint?: ReactNode;
  /** What is wrong with what is in it, and what to do. */
  error?: string | null;
  children(control: { id: string; "aria-describedby": string | undefined; invalid: boolean }): ReactNode;
  className?: string;
}

/** A labelled control with its hint and its error, tied together for screen readers. */
export function Field({ label, hint, error, children, className }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div className={cx("flex flex-col gap-1", className)}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({ id, "aria-describedby": described || undefined, invalid: Boolean(error) })}
      {hint && (
        <p id={`${id}-hint`} className="text-small text-faint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-small text-danger-fg">
          {error}
        </p>
      )}
    </div>
  );
}
