import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

export interface TabsProps<V extends string> {
  value: V;
  onChange(value: V): void;
  /** The name of the whole, for screen readers. */
  label: string;
  tabs: ReadonlyArray<{ value: V; label: string; icon?: ReactNode; badge?: ReactNode; content: ReactNode }>;
}

/** Views of one thing, side by side; arrow keys change between them. */
export function Tabs<V extends string>({ value, onChange, label, tabs }: TabsProps<V>) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as V)} className="flex min-w-0 flex-col">
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px inline-flex h-9 items-center gap-2 border-b-2 border-transparent px-3 font-medium whitespace-nowrap text-muted transition-colors hover:text-fg focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-fg"
          >
            {tab.icon}
            {tab.label}
            {tab.badge}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.value}
          value={tab.value}
          className="min-w-0 pt-4 focus-visible:outline-offset-4"
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
