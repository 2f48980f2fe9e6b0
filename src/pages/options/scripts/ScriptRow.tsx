import {
  ArrowDown,
  ArrowUp,
  CircleAlert,
  EllipsisVertical,
  FileCode2,
  Pencil,
  Trash2,
  TriangleAlert,
} from "lucide-react";
import { Link, useLocation } from "wouter";
import { useT } from "@/locales/react";
import { Badge } from "@/ui/Badge";
import { IconButton } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Menu } from "@/ui/Menu";
import { Switch } from "@/ui/Switch";
import { Time } from "@/ui/Time";
import type { ScriptSummary } from "@/userscripts/types";
import { useOptimistic } from "../../shared/use-optimistic";
import { shortPattern } from "../../shared/where";
import type { ScriptActions } from "./use-script-actions";

/** Rows are all equally high, which the windowing relies on. */
export const ROW_HEIGHT = "h-[4.75rem] sm:h-16";

export interface ScriptRowProps {
  script: ScriptSummary;
  actions: ScriptActions;
  onRemove(): void;
  /** 1-based, in the list shown. */
  place: number;
  places: number;
  movable: boolean;
}

/** The id of the element of a row that takes the focus. */
export function rowId({ uuid }: ScriptSummary): string {
  return `script-${uuid}`;
}

export function ScriptRow({ script, actions, onRemove, place, places, movable }: ScriptRowProps) {
  const t = useT();
  const [, navigate] = useLocation();
  const [enabled, setEnabled] = useOptimistic(script.enabled, (next) => actions.setEnabled(script, next));
  const open = `/scripts/${script.uuid}`;
  return (
    <li
      data-row
      aria-posinset={place}
      aria-setsize={places}
      className={cx(
        ROW_HEIGHT,
        "relative flex items-center gap-3 border-line px-3 transition-colors not-first:border-t hover:bg-hover has-[a:focus-visible]:bg-hover",
      )}
    >
      <Switch
        checked={enabled}
        onChange={setEnabled}
        label={t(enabled ? "scripts.switchOff" : "scripts.switchOn", { name: script.name })}
        className="z-10"
      />
      <div className="flex min-w-0 grow flex-col">
        <div className="flex min-w-0 items-center gap-2">
          <Link
            id={rowId(script)}
            href={open}
            className={cx(
              "truncate font-medium outline-none after:absolute after:inset-0 after:rounded-ui focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus",
              !enabled && "text-muted",
            )}
          >
            {script.name}
          </Link>
          {script.version && (
            <span className="shrink-0 text-small text-faint tabular-nums max-sm:hidden">
              {script.version}
            </span>
          )}
          <Notice script={script} />
        </div>
        <p className="truncate text-small text-faint">
          <Where script={script} enabled={enabled} />
        </p>
        <p className="truncate text-small text-danger-fg sm:hidden">{script.lastError?.message}</p>
      </div>
      <LastError script={script} />
      <span className="z-10">
        <Menu
          trigger={
            <IconButton label={t("scripts.more", { name: script.name })}>
              <EllipsisVertical size={16} aria-hidden="true" />
            </IconButton>
          }
          groups={[
            [
              {
                label: t("scripts.open"),
                icon: <FileCode2 size={16} aria-hidden="true" />,
                onSelect: () => navigate(open),
              },
              {
                label: t("scripts.edit"),
                icon: <Pencil size={16} aria-hidden="true" />,
                onSelect: () => window.location.assign(`install.html#script=${script.uuid}`),
              },
            ],
            movable
              ? [
                  {
                    label: t("scripts.earlier"),
                    icon: <ArrowUp size={16} aria-hidden="true" />,
                    disabled: place === 1,
                    onSelect: () => void actions.move(script, -1),
                  },
                  {
                    label: t("scripts.later"),
                    icon: <ArrowDown size={16} aria-hidden="true" />,
                    disabled: place === places,
                    onSelect: () => void actions.move(script, 1),
                  },
                ]
              : [],
            [
              {
                label: t("common.remove"),
                icon: <Trash2 size={16} aria-hidden="true" />,
                danger: true,
                onSelect: onRemove,
              },
            ],
          ]}
        />
      </span>
    </li>
  );
}

/** State, world and where it runs, in one line. */
function Where({ script, enabled }: { script: ScriptSummary; enabled: boolean }) {
  const t = useT();
  const [first, ...more] = script.matches;
  const matches =
    first === undefined
      ? t("scripts.noMatches")
      : more.length === 0
        ? shortPattern(first)
        : t("scripts.matchesMore", { first: shortPattern(first), n: more.length });
  if (script.isBackground) {
    return [enabled ? t("state.on") : t("state.off"), t("scripts.inBackground")].join(" · ");
  }
  const parts = [
    enabled ? t("state.on") : t("state.off"),
    t(script.world === "page" ? "world.pageShort" : "world.isolatedShort"),
    matches,
  ];
  return <span title={script.matches.join("\n")}>{parts.join(" · ")}</span>;
}

/** Whether the script runs as it asked. */
function Notice({ script }: { script: ScriptSummary }) {
  const t = useT();
  const worst =
    script.notices.find((n) => n.severity === "error") ??
    script.notices.find((n) => n.severity === "warning");
  if (!worst) return null;
  const broken = worst.severity === "error";
  return (
    <span title={t.problem(worst)} className="flex min-w-0 shrink-0">
      <Badge tone={broken ? "danger" : "warn"} icon={<TriangleAlert size={12} aria-hidden="true" />}>
        <span className="max-sm:sr-only">{t(broken ? "scripts.notRunning" : "scripts.attention")}</span>
      </Badge>
    </span>
  );
}

function LastError({ script }: { script: ScriptSummary }) {
  const t = useT();
  if (script.errorCount === 0) return null;
  const { lastError } = script;
  return (
    <Link
      href={`/scripts/${script.uuid}/log`}
      className="z-10 flex max-w-[40%] min-w-0 shrink-0 items-center gap-2 rounded-inner px-1 py-1 text-small text-danger-fg hover:underline"
    >
      <CircleAlert size={16} aria-hidden="true" className="shrink-0" />
      <span className="flex min-w-0 flex-col max-sm:sr-only">
        <span className="truncate">{lastError?.message}</span>
        <span className="truncate text-faint">
          {t("scripts.errors", { n: script.errorCount })}
          {lastError && (
            <>
              {" · "}
              <Time at={lastError.at} />
            </>
          )}
        </span>
      </span>
    </Link>
  );
}
