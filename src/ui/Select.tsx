import { Check, ChevronDown } from "lucide-react";
import { Select as Radix } from "radix-ui";
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

/** One of a few. */
export function Select<V extends string>({
  value,
  onChange,
  options,
  id,
  label,
  className,
  ...rest
}: SelectProps<V>) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as V)}>
      <Radix.Trigger
        id={id}
        aria-label={label}
        aria-describedby={rest["aria-describedby"]}
        className={cx(
          "inline-flex h-8 w-full items-center justify-between gap-2 rounded-ui border border-line-strong bg-bg px-2.5 text-left text-fg transition-colors hover:bg-hover focus-visible:outline-offset-0",
          className,
        )}
      >
        <Radix.Value />
        <Radix.Icon>
          <ChevronDown size={16} aria-hidden="true" className="text-faint" />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-appear overflow-hidden rounded-ui border border-line bg-raised p-1 shadow-float"
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                className="flex h-8 cursor-default items-center gap-2 rounded-inner pr-3 pl-2 outline-none select-none data-highlighted:bg-chosen"
              >
                <span className="inline-flex size-4 items-center justify-center">
                  <Radix.ItemIndicator>
                    <Check size={16} aria-hidden="true" />
                  </Radix.ItemIndicator>
                </span>
                <Radix.ItemText>{option.label}</Radix.ItemText>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
