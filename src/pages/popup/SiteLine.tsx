import { useId, useState } from "react";
import { useT } from "@/locales/react";
import { Skeleton } from "@/ui/Skeleton";
import { Switch } from "@/ui/Switch";
import { errorLine } from "../shared/describe-error";
import { useSettings } from "../shared/settings";

/** The site, and the switch that pauses all scripts. */
export function SiteLine({ url }: { url: string | undefined }) {
  const t = useT();
  const id = useId();
  const { settings, error, update } = useSettings();
  const [failure, setFailure] = useState<Error | null>(null);
  const running = settings ? !settings.paused : true;
  const toggle = (run: boolean): void => {
    setFailure(null);
    update({ paused: !run }).catch(setFailure);
  };
  const wrong = failure ?? error;
  return (
    <header className="px-4 py-3">
      <div className="flex items-center justify-between gap-3">
        <div className="flex min-w-0 items-center gap-2">
          <img src="/icons/32.png" alt="" width={16} height={16} className="size-4 shrink-0" />
          <h1 className="truncate font-semibold" title={url}>
            {url === undefined ? <Skeleton className="my-1 h-3 w-32" /> : siteOf(url) || t("popup.noSite")}
          </h1>
        </div>
        <div className="flex shrink-0 items-center gap-2">
          <span id={id} className="text-small text-muted">
            {t(running ? "popup.running" : "popup.paused")}
          </span>
          <Switch
            checked={running}
            onChange={toggle}
            label={t(running ? "popup.pause" : "popup.resume")}
            disabled={!settings}
          />
        </div>
      </div>
      {wrong && (
        <p role="alert" className="mt-2 text-small text-danger-fg">
          {errorLine(t, t(failure ? "settings.failed" : "settings.failedRead"), wrong)}
        </p>
      )}
    </header>
  );
}

/** The host for websites, the file's name for files, the scheme for the browser's own pages. */
export function siteOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname } = new URL(url);
  if (host !== "") return /^https?:$/.test(protocol) ? host : `${protocol}//${host}`;
  return protocol === "file:" ? (pathname.split("/").at(-1) ?? pathname) : url;
}
