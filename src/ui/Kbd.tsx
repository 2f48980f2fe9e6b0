import type { ReactNode } from "react";

/** A key, as printed on it. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-inner border border-line bg-sunken px-1 font-sans text-small text-faint">
      {children}
    </kbd>
  );
}

/** "⌘K" on a Mac, "Ctrl K" elsewhere. */
export function commandKey(letter: string): string {
  return isMac() ? `⌘${letter}` : `Ctrl ${letter}`;
}

/** Whether the command key is ⌘ here. */
export function isMac(): boolean {
  return /mac/i.test(navigator.platform);
}
