import { Ban, Check, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { ConsentEntry } from "@/consent/contract";
import type { Translate } from "@/locales";
import { useT } from "@/locales/react";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Time } from "@/ui/Time";
import { hostName } from "../../shared/consent/host-name";
import { untrustedText } from "../../shared/consent/untrusted-text";
import { useSubjectName } from "./subject-name";

/** Rows are all equally high, those of groups too, which the windowing relies on. */
export const ROW_HEIGHT = "h-[4.75rem] sm:h-14";

/** The id of the element of a row that takes the focus. */
export function revokeId({ id }: ConsentEntry): string {
  return `revoke-${id}`;
}

export interface DecisionRowProps {
  entry: ConsentEntry;
  onRevoke(): void;
  /** 1-based, and of how many, where the list shows only a part of its rows. */
  place?: number;
  places?: number;
}

/** One decision: what was allowed or refused, where, when, and the way to take it back. */
export function DecisionRow({ entry, onRevoke, place, places }: DecisionRowProps) {
  const t = useT();
  const name = useSubjectName(entry.subjectName);
  const allowed = entry.decision === "always";
  const word = t(allowed ? "consent.decision.always" : "consent.decision.never");
  const kind = t.any(`consent.kind.${entry.effect}`);
  const what = entry.host || kind;
  return (
    <li
      data-row
      aria-posinset={place}
      aria-setsize={places}
      className={cx(
        ROW_HEIGHT,
        "flex items-center gap-3 border-line px-3 transition-colors not-first:border-t hover:bg-hover",
      )}
    >
      <span className="w-24 shrink-0 max-sm:hidden">
        <Badge
          tone={allowed ? "ok" : "danger"}
          icon={allowed ? <Check size={12} aria-hidden="true" /> : <Ban size={12} aria-hidden="true" />}
        >
          {word}
        </Badge>
      </span>
      <div className="flex min-w-0 grow flex-col">
        {entry.host === "" ? <p className="truncate">{kind}</p> : <HostLine host={entry.host} />}
        <p className="text-small text-faint max-sm:line-clamp-2 sm:truncate">
          {/* Where there is no room for a badge, the word and its colour lead the line. */}
          <span className={cx("font-medium sm:hidden", allowed ? "text-ok" : "text-danger-fg")}>
            {word} ·{" "}
          </span>
          {entry.host !== "" && <>{kind} · </>}
          {entry.runId !== undefined && <>{onlyFor(t, entry)} · </>}
          {t("consent.decided")} <Time at={entry.decidedAt} />
          {/* Of those that end by themselves it is not noted when they were used. */}
          {entry.runId === undefined && (
            <>
              {" · "}
              <Used at={entry.usedAt} />
            </>
          )}
        </p>
      </div>
      <Button
        id={revokeId(entry)}
        kind="quiet"
        aria-label={t("consent.revoke.one", { what, name })}
        onClick={onRevoke}
        className="px-2"
      >
        {t("consent.revoke")}
      </Button>
    </li>
  );
}

/** A decision that ends by itself says with what. */
function onlyFor(t: Translate, { pageUrl, subject }: ConsentEntry): string {
  // A script without a page is one in the background.
  if (pageUrl === undefined) {
    return t(subject.startsWith("script:") ? "consent.onlySession" : "consent.onlyRun");
  }
  const host = URL.canParse(pageUrl) ? new URL(pageUrl).host : pageUrl;
  return t("consent.onlyPage", { host: untrustedText(host, 60) });
}

function Used({ at }: { at: number | undefined }): ReactNode {
  const t = useT();
  if (at === undefined) return t("consent.unused");
  return (
    <>
      {t("consent.used")} <Time at={at} />
    </>
  );
}

/** As many characters of a long name's end stay in sight: who owns a host stands there. */
const TAIL = 16;
/** A name of which less than this stands before its end is shown whole. */
const SHORT = 28;

/** A host in one line. What does not fit is left out before its end, never at it. */
function HostLine({ host }: { host: string }) {
  const t = useT();
  const { ascii, readable, warning } = hostName(host);
  const cut = ascii.length > SHORT ? ascii.length - TAIL : 0;
  return (
    <p title={readable ? `${ascii} (${readable})` : ascii} className="flex min-w-0 items-center gap-1.5">
      {cut > 0 && <span className="sr-only">{ascii}</span>}
      <span aria-hidden={cut > 0 || undefined} className="flex min-w-0 font-mono text-code">
        {cut > 0 && <span className="truncate">{ascii.slice(0, cut)}</span>}
        <span className="shrink-0">{ascii.slice(cut)}</span>
      </span>
      {readable && <bdi className="min-w-0 truncate text-small text-muted">{readable}</bdi>}
      {warning && (
        <span title={t.any(`consent.warning.${warning}`)} className="flex shrink-0 text-warn">
          <TriangleAlert size={12} aria-label={t.any(`consent.warning.${warning}`)} role="img" />
        </span>
      )}
    </p>
  );
}
