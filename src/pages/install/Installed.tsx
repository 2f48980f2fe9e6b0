import { CircleCheck } from "lucide-react";
import { useEffect, useRef } from "react";
import type { MessageKey } from "@/locales/catalogue";
import { useT } from "@/locales/react";
import { Button, buttonClass } from "@/ui/Button";
import type { ScriptSummary } from "@/userscripts/types";
import { useSettings } from "../shared/settings";
import { useTitle } from "../shared/use-title";

export interface InstalledProps {
  script: ScriptSummary;
  updated: boolean;
  onAnother(): void;
}

/** Done: what was installed, and where to go from here. */
export function Installed({ script, updated, onAnother }: InstalledProps) {
  const t = useT();
  const { status } = useSettings();
  const next = nextOf(script, status.data?.userScripts === false);
  const heading = useRef<HTMLHeadingElement>(null);
  const title = t(updated ? "install.updated" : "install.installed", { name: script.name });
  useTitle(title);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="flex flex-col items-center gap-2 py-16 text-center">
      <CircleCheck size={32} strokeWidth={1.5} aria-hidden="true" className="text-ok" />
      <h1 ref={heading} tabIndex={-1} className="text-title font-semibold">
        {title}
      </h1>
      <p className="max-w-md text-read text-muted">{t.any(next)}</p>
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        <a href={`options.html#/scripts/${script.uuid}`} className={buttonClass()}>
          {t("install.open")}
        </a>
        <Button kind="quiet" onClick={onAnother}>
          {t("install.another")}
        </Button>
      </div>
    </div>
  );
}

/** What happens now, or what has to be done for it. A background script needs no page and no permission for pages. */
function nextOf({ enabled, isBackground }: ScriptSummary, isForbidden: boolean): MessageKey {
  if (!enabled) return "install.nextOff";
  if (isBackground) return "install.nextBackground";
  return isForbidden ? "install.nextSwitch" : "install.next";
}
