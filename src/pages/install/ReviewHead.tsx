import { FileCode2 } from "lucide-react";
import { useT } from "@/locales/react";
import type { InstallPreview } from "@/userscripts/types";
import type { Draft } from "../shared/draft";

/** Name, version against the installed one, author, and where the code comes from. */
export function ReviewHead({ draft, preview }: { draft: Draft; preview: InstallPreview }) {
  const t = useT();
  const { script, existing } = preview;
  return (
    <div className="flex items-start gap-4">
      <Icon src={script?.icon} />
      <div className="min-w-0">
        <h1 tabIndex={-1} className="text-title font-semibold">
          {script?.name ?? t("install.noName")}
        </h1>
        <p className="text-muted">
          {[source(t, draft), script?.author && t("install.by", { author: script.author })]
            .filter(Boolean)
            .join(" · ")}
        </p>
        {script && <p className="text-muted tabular-nums">{versionLine(t, script.version, existing)}</p>}
        {script?.description && <p className="mt-2 max-w-2xl text-read">{script.description}</p>}
      </div>
    </div>
  );
}

/** Only an icon that is in the script itself: fetching one would tell its server who is about to install. */
function Icon({ src }: { src: string | undefined }) {
  const box = "size-12 shrink-0 rounded-ui border border-line bg-sunken";
  if (src?.startsWith("data:image/"))
    return <img src={src} alt="" width={48} height={48} className={`${box} object-contain`} />;
  return (
    <span className={`${box} flex items-center justify-center text-faint`}>
      <FileCode2 size={24} strokeWidth={1.5} aria-hidden="true" />
    </span>
  );
}

function source(t: ReturnType<typeof useT>, draft: Draft): string {
  if (!draft.from) return t("install.source.paste");
  if (draft.from.kind === "file") return t("install.source.file", { name: draft.from.name });
  const { name } = draft.from;
  return t("install.source.url", { host: URL.canParse(name) ? new URL(name).host : name });
}

function versionLine(
  t: ReturnType<typeof useT>,
  version: string | undefined,
  existing: InstallPreview["existing"],
): string {
  if (!existing)
    return version === undefined ? t("install.noVersion.alone") : t("install.version", { version });
  if (version === undefined && existing.version === undefined) return t("install.noVersion.both");
  const next = version ?? t("install.noVersion");
  const old = existing.version ?? t("install.noVersion");
  if (existing.relation === "same") return t("install.version.same", { version: next });
  return t(`install.version.${existing.relation}`, { old, version: next });
}
