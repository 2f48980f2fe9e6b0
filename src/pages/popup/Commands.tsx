import { useEffect } from "react";
import { useT } from "@/locales/react";
import { Kbd } from "@/ui/Kbd";
import type { MenuCommand } from "@/userscripts/types";
import { useServices } from "../connect";
import { usePopupAct } from "./use-popup-act";

/** The menu commands that scripts have registered on this page; an access key runs one without the mouse. */
export function Commands({ tabId, commands }: { tabId: number; commands: readonly MenuCommand[] }) {
  const t = useT();
  const { scripts } = useServices();
  const act = usePopupAct();
  const run = (command: MenuCommand): void =>
    act.run(t("popup.failed.command", { title: command.title }), async () => {
      await scripts.call("runCommand", { tabId, key: command.key });
      window.close();
    });

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const command = commands.find((one) => accessKeyOf(one) === event.key.toLowerCase());
      if (!command) return;
      event.preventDefault();
      run(command);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });

  if (commands.length === 0) return null;
  return (
    <section aria-label={t("popup.commands")} className="border-t border-line pt-2">
      <h2 className="pb-1 text-small text-faint">{t("popup.commands")}</h2>
      <ul className="-mx-2">
        {commands.map((command) => (
          <li key={command.key}>
            <button
              type="button"
              onClick={() => run(command)}
              className="flex min-h-8 w-full items-center gap-3 rounded-ui px-2 py-1 text-left transition-colors hover:bg-hover"
            >
              <span className="min-w-0 grow">
                <span className="block truncate">{command.title || t("popup.untitled")}</span>
                <span className="block truncate text-small text-faint">{command.scriptName}</span>
              </span>
              {accessKeyOf(command) && <Kbd>{accessKeyOf(command)?.toUpperCase()}</Kbd>}
            </button>
          </li>
        ))}
      </ul>
      {act.message}
    </section>
  );
}

/** One printable character, lower case; scripts pass all sorts of things here, and what is no single key is no key. */
export function accessKeyOf({ accessKey }: MenuCommand): string | null {
  if (typeof accessKey !== "string") return null;
  const characters = [...accessKey.trim()];
  return characters.length === 1 ? (characters[0] ?? "").toLowerCase() : null;
}
