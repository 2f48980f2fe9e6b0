import { useT } from "@/locales/react";
import type { TabScripts } from "@/userscripts/types";
import { useServices } from "../connect";
import { useCall } from "../use-call";

export interface WhyNoneProps {
  tab: TabScripts;
  paused: boolean;
  /** Whether the browser's user-script switch is on. */
  allowed: boolean;
}

/** No script is for this page: the reason, in words. */
export function WhyNone({ tab, paused, allowed }: WhyNoneProps) {
  const t = useT();
  const { scripts } = useServices();
  const all = useCall(scripts, "list", {});
  const reason = (): string => {
    if (!tab.runnable) return t("popup.why.browserPage");
    if (!allowed) return t("popup.why.switchOff");
    if (paused) return t("popup.why.paused");
    if (!all.data) return t("popup.why.noMatch");
    if (all.data.length === 0) return t("popup.why.nothingInstalled");
    return t("popup.why.noneOf", { n: all.data.length });
  };
  return (
    <section aria-label={t("popup.none")} className="py-2">
      <p className="font-medium">{t("popup.none")}</p>
      <p className="text-muted">{reason()}</p>
    </section>
  );
}
