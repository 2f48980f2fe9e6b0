import { Bot, FileCode2, FilePlus2, Info, ShieldCheck } from "lucide-react";
import { useMemo } from "react";
import { useT } from "@/locales/react";
import { openPage, showPage } from "@/platform/page-tabs";
import { type Command, CommandPalette } from "@/ui/CommandPalette";
import { useServices } from "../connect";
import { useCall } from "../use-call";

/** The command palette of the popup; its code is read when it is first asked for. */
export function PopupPalette({ onClose }: { onClose(): void }) {
  const t = useT();
  const services = useServices();
  const scripts = useCall(services.scripts, "list", {});
  const commands = useMemo((): Command[] => {
    const leave = (open: () => Promise<void>) => () => void open().then(() => window.close());
    const show = (path: string) => leave(() => showPage(path));
    return [
      {
        id: "install",
        title: t("scripts.install"),
        icon: <FilePlus2 size={16} aria-hidden="true" />,
        run: leave(() => openPage("install.html#paste")),
      },
      {
        id: "scripts",
        title: t("nav.scripts"),
        icon: <FileCode2 size={16} aria-hidden="true" />,
        run: show("options.html#/scripts"),
      },
      {
        id: "models",
        title: t("nav.models"),
        icon: <Bot size={16} aria-hidden="true" />,
        run: show("options.html#/models"),
      },
      {
        id: "consent",
        title: t("nav.consent"),
        icon: <ShieldCheck size={16} aria-hidden="true" />,
        run: show("options.html#/consent"),
      },
      {
        id: "about",
        title: t("nav.about"),
        icon: <Info size={16} aria-hidden="true" />,
        run: show("options.html#/about"),
      },
      ...(scripts.data ?? []).map((script) => ({
        id: script.uuid,
        title: script.name,
        hint: t("palette.script"),
        icon: <FileCode2 size={16} aria-hidden="true" />,
        run: show(`options.html#/scripts/${script.uuid}`),
      })),
    ];
  }, [t, scripts.data]);
  return <CommandPalette open onClose={onClose} commands={commands} />;
}
