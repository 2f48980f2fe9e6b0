import { DropdownMenu as Radix } from "radix-ui";
import { Fragment, type ReactNode } from "react";
import { cx } from "./cx";
import { Kbd } from "./Kbd";

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  shortcut?: string;
  danger?: boolean;
  disabled?: boolean;
  onSelect(): void;
}

/** A menu that opens from `trigger` (a button). Groups are set apart by a line. */
export function Menu({
  trigger,
  groups,
}: {
  trigger: ReactNode;
  groups: ReadonlyArray<readonly MenuItem[]>;
}) {
  const shown = groups.filter((group) => group.length > 0);
  return (
    // Not modal: a modal one takes the pointer from the whole page, and keeps it when its row is removed by what was chosen.
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 animate-appear rounded-ui border border-line bg-raised p-1 shadow-float"
        >
          {shown.map((group, at) => (
            <Fragment key={group[0]?.label}>
              {at > 0 && <Radix.Separator className="mx-2 my-1 h-px bg-line" />}
              {group.map((item) => (
                <Radix.Item
                  key={item.label}
                  disabled={item.disabled}
                  onSelect={item.onSelect}
                  className={cx(
                    "flex h-8 cursor-default items-center gap-2 rounded-inner px-2 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-chosen",
                    item.danger && "text-danger-fg",
                  )}
                >
                  <span className="inline-flex size-4 items-center justify-center">{item.icon}</span>
                  <span className="grow">{item.label}</span>
                  {item.shortcut && <Kbd>{item.shortcut}</Kbd>}
                </Radix.Item>
              ))}
            </Fragment>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
