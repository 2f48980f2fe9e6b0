import { useState } from "react";
import type { MessageKey } from "@/locales/catalogue";
import { useT } from "@/locales/react";
import { Button } from "@/ui/Button";
import type { InstallPreview } from "@/userscripts/types";
import { useServices } from "../connect";
import type { Draft } from "../shared/draft";
import { FailedCall } from "../shared/FailedCall";
import type { InstallFlow } from "./use-install-flow";

/** The one main action, at the bottom of what was to be read. */
export function InstallBar({
  draft,
  preview,
  flow,
}: {
  draft: Draft;
  preview: InstallPreview;
  flow: InstallFlow;
}) {
  const t = useT();
  const { scripts } = useServices();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const install = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const sourceUrl = draft.from?.kind === "url" ? draft.from.name : undefined;
      const script = await scripts.call("install", { code: draft.code, sourceUrl });
      flow.done(script, preview.existing !== undefined);
    } catch (cause) {
      setError(cause instanceof Error ? cause : new Error(String(cause)));
      setBusy(false);
    }
  };
  return (
    <div className="sticky bottom-0 z-10 -mx-4 flex flex-col gap-3 border-t border-line bg-bg px-4 py-3 sm:-mx-8 sm:px-8">
      {error && <FailedCall title={t("install.failed.install")} error={error} compact />}
      <div className="flex flex-wrap items-center gap-2">
        {preview.ok && (
          <Button kind="primary" busy={busy} onClick={() => void install()}>
            {t.any(label(preview))}
          </Button>
        )}
        <Button onClick={() => flow.edit(draft)}>{t("install.edit")}</Button>
        <a
          href="options.html#/scripts"
          className="inline-flex h-8 items-center rounded-ui px-3 font-medium text-muted hover:bg-hover hover:text-fg"
        >
          {t("common.cancel")}
        </a>
        {preview.ok && !preview.existing && (
          <p className="text-small text-faint">
            {t(preview.script?.isBackground ? "install.bar.hintBackground" : "install.bar.hint")}
          </p>
        )}
      </div>
    </div>
  );
}

function label({ existing }: InstallPreview): MessageKey {
  if (!existing) return "install.do";
  return existing.relation === "newer" ? "install.do.update" : "install.do.replace";
}
