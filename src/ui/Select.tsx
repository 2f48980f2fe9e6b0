import { cx } from "./cx";

export interface SelectProps<V extends string> {
  value: V;
  onChange(value: V): void;
  options: ReadonlyArray<{ value: V; label: string }>;
  id?: string;
  label?: string;
  "aria-describedby"?: string;
  className?: string;
}

/**
 * One of a few. The browser's own control, its list drawn by our theme (`appearance: base-select`); the one of radix-ui writes
 * a style sheet as HTML, which the pages' trusted-types policy forbids.
 */
export function Select<V extends string>(props: SelectProps<V>) {
  const { value, onChange, options, id, label, className } = props;
  return (
    <select
      id={id}
      aria-label={label}
      aria-describedby={props["aria-describedby"]}
      value={value}
      onChange={(event) => {
        const chosen = options.find((option) => option.value === event.target.value);
        if (chosen) onChange(chosen.value);
      }}
      className={cx(
        "select h-8 w-full rounded-ui border border-line-strong bg-bg px-2.5 text-fg transition-colors hover:bg-hover focus-visible:outline-offset-0",
        className,
      )}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
