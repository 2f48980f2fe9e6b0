import { Bot, ClipboardPaste, FileCode2, FileUp, Globe, ShieldCheck } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { useT } from "@/locales/react";
import { type Command, CommandPalette } from "@/ui/CommandPalette";
import { useHotkey } from "@/ui/useHotkey";

/** The command palette of the install page, on Ctrl/Cmd-K. */
export function InstallPalette({ children }: { children: ReactNode }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  useHotkey("mod+k", () => setOpen((now) => !now));
  const commands = useMemo((): Command[] => {
    const go = (address: string) => () => window.location.assign(address);
    return [
      {
        id: "paste",
        title: t("scripts.empty.paste"),
        icon: <ClipboardPaste size={16} aria-hidden="true" />,
        run: go("#paste"),
      },
      {
        id: "file",
        title: t("scripts.empty.file"),
        icon: <FileUp size={16} aria-hidden="true" />,
        run: go("#file"),
      },
      {
        id: "url",
        title: t("scripts.empty.url"),
        icon: <Globe size={16} aria-hidden="true" />,
        run: go("#url="),
      },
      {
        id: "scripts",
        title: t("nav.scripts"),
        hint: t("palette.go"),
        icon: <FileCode2 size={16} aria-hidden="true" />,
        run: go("options.html#/scripts"),
      },
      {
        id: "models",
        title: t("nav.models"),
        hint: t("palette.go"),
        icon: <Bot size={16} aria-hidden="true" />,
        run: go("options.html#/models"),
      },
      {
        id: "consent",
        title: t("nav.consent"),
        hint: t("palette.go"),
        icon: <ShieldCheck size={16} aria-hidden="true" />,
        run: go("options.html#/consent"),
      },
    ];
  }, [t]);
  return (
    <>
      {children}
      {open && <CommandPalette open onClose={() => setOpen(false)} commands={commands} />}
    </>
  );
}
