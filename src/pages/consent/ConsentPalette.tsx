import { Clock, ShieldCheck } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { useT } from "@/locales/react";
import { showPage } from "@/platform/page-tabs";
import { type Command, CommandPalette } from "@/ui/CommandPalette";
import { useHotkey } from "@/ui/useHotkey";

export interface ConsentPaletteProps {
  children: ReactNode;
  onNotNow(): void;
  /** The consent page did not open. */
  onFailure(error: Error): void;
}

/** The command palette of the prompt window. Nothing in it allows anything: a typed word must not. */
export function ConsentPalette({ children, onNotNow, onFailure }: ConsentPaletteProps) {
  const t = useT();
  const [open, setOpen] = useState(false);
  useHotkey("mod+k", () => setOpen((now) => !now));
  const commands = useMemo(
    (): Command[] => [
      {
        id: "deny",
        title: t("consent.answer.deny"),
        icon: <Clock size={16} aria-hidden="true" />,
        shortcut: t("key.escape"),
        run: onNotNow,
      },
      {
        id: "consent",
        title: t("nav.consent"),
        hint: t("palette.go"),
        icon: <ShieldCheck size={16} aria-hidden="true" />,
        run: () => void showPage("options.html#/consent").catch(onFailure),
      },
    ],
    [t, onNotNow, onFailure],
  );
  return (
    <>
      {children}
      {open && <CommandPalette open onClose={() => setOpen(false)} commands={commands} />}
    </>
  );
}
