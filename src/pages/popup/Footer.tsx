import { Bot, FileCode2, FilePlus2 } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "@/locales/react";
import { openPage, showPage } from "@/platform/page-tabs";
import { usePopupAct } from "./use-popup-act";

/** The ways out of the popup. */
export function Footer() {
  const t = useT();
  const act = usePopupAct();
  const go = (open: () => Promise<void>) => () =>
    act.run(t("popup.failed.open"), async () => {
      await open();
      window.close();
    });
  return (
    <footer className="border-t border-line bg-sunken px-2 py-2">
      <nav aria-label={t("nav.label")} className="flex gap-1">
        <FooterButton
          icon={<FilePlus2 size={16} aria-hidden="true" />}
          onClick={go(() => openPage("install.html#paste"))}
        >
          {t("popup.new")}
        </FooterButton>
        <FooterButton
          icon={<FileCode2 size={16} aria-hidden="true" />}
          onClick={go(() => showPage("options.html#/scripts"))}
        >
          {t("nav.scripts")}
        </FooterButton>
        <FooterButton
          icon={<Bot size={16} aria-hidden="true" />}
          onClick={go(() => showPage("options.html#/models"))}
        >
          {t("nav.models")}
        </FooterButton>
      </nav>
      {act.message}
    </footer>
  );
}

function FooterButton({
  icon,
  onClick,
  children,
}: {
  icon: ReactNode;
  onClick(): void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="inline-flex h-8 min-w-0 grow items-center justify-center gap-2 rounded-ui px-2 font-medium text-muted transition-colors hover:bg-hover hover:text-fg"
    >
      {icon}
      <span className="truncate">{children}</span>
    </button>
  );
}
