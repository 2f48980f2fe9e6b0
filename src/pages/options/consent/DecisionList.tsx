import { ShieldCheck } from "lucide-react";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { Link } from "wouter";
import type { ConsentEntry } from "@/consent/contract";
import { CONSENT_EFFECTS } from "@/consent/types";
import { useT } from "@/locales/react";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { SearchField } from "@/ui/SearchField";
import { Select } from "@/ui/Select";
import { EmptyState } from "@/ui/States";
import { useWindowing } from "@/ui/useWindowing";
import { DecisionRow, ROW_HEIGHT, revokeId } from "./DecisionRow";
import { type Filter, filterDecisions, type Row, rowsOf } from "./rows";
import { useSubjectName } from "./subject-name";

export interface DecisionListProps {
  entries: readonly ConsentEntry[];
  onRevoke(entries: readonly ConsentEntry[]): Promise<boolean>;
}

/** All decisions, by who asked, to be searched and taken back. */
export function DecisionList({ entries, onRevoke }: DecisionListProps) {
  const t = useT();
  const [query, setQuery] = useState("");
  const [effect, setEffect] = useState<Filter["effect"]>("all");
  const rows = useMemo(() => {
    const words = (entry: ConsentEntry): string =>
      `${t.any(`consent.kind.${entry.effect}`)} ${t.any(`consent.decision.${entry.decision}`)}`;
    return rowsOf(filterDecisions(entries, { query, effect, words }));
  }, [entries, query, effect, t]);

  if (entries.length === 0) {
    return (
      <EmptyState
        icon={<ShieldCheck size={32} strokeWidth={1.5} aria-hidden="true" />}
        title={t("consent.empty.title")}
      >
        <p>{t("consent.empty.text")}</p>
      </EmptyState>
    );
  }
  return (
    <>
      <div className="flex gap-2 max-sm:flex-col">
        <SearchField label={t("consent.search")} query={query} onQuery={setQuery} className="grow" />
        <Select<Filter["effect"]>
          label={t("consent.filter")}
          value={effect}
          onChange={setEffect}
          options={[
            { value: "all", label: t("consent.filter.all") },
            ...CONSENT_EFFECTS.map((value) => ({ value, label: t.any(`consent.kind.${value}`) })),
          ]}
          className="sm:w-56"
        />
      </div>
      {rows.length === 0 ? (
        <p role="status" className="py-12 text-center text-muted">
          {t("consent.noneFound")}
        </p>
      ) : (
        <Rows rows={rows} onRevoke={onRevoke} />
      )}
    </>
  );
}

function Rows({ rows, onRevoke }: { rows: readonly Row[]; onRevoke: DecisionListProps["onRevoke"] }) {
  const t = useT();
  const list = useRef<HTMLUListElement>(null);
  const { start, end, before, after } = useWindowing(list, rows.length);
  const next = useRef<ConsentEntry | null>(null);
  const revoke = async (at: number, gone: readonly ConsentEntry[]): Promise<void> => {
    const stays = (row: Row): boolean => row.kind === "decision" && !gone.includes(row.entry);
    const neighbour = rows.slice(at).find(stays) ?? rows.slice(0, at).findLast(stays);
    next.current = neighbour?.kind === "decision" ? neighbour.entry : null;
    if (!(await onRevoke(gone))) next.current = null;
  };
  useLayoutEffect(() => {
    // A row that goes away takes the focus with it, out of the list; the next one gets it instead.
    if (!next.current || document.activeElement !== document.body) return;
    document.getElementById(revokeId(next.current))?.focus();
    next.current = null;
  });
  return (
    <ul
      ref={list}
      aria-label={t("consent.decisions")}
      className="rounded-ui border border-line"
      style={{ paddingTop: before, paddingBottom: after }}
    >
      {rows.slice(start, end).map((row, index) => {
        const at = start + index;
        const place = { place: at + 1, places: rows.length };
        return row.kind === "group" ? (
          <GroupRow key={row.key} row={row} onRevoke={() => void revoke(at, row.entries)} {...place} />
        ) : (
          <DecisionRow
            key={row.key}
            entry={row.entry}
            onRevoke={() => void revoke(at, [row.entry])}
            {...place}
          />
        );
      })}
    </ul>
  );
}

interface GroupRowProps {
  row: Extract<Row, { kind: "group" }>;
  onRevoke(): void;
  place: number;
  places: number;
}

function GroupRow({ row, onRevoke, place, places }: GroupRowProps) {
  const t = useT();
  const name = useSubjectName(row.name);
  const n = row.entries.length;
  const uuid = row.name !== "" && row.subject.startsWith("script:") ? row.subject.slice(7) : null;
  return (
    <li
      data-row
      aria-posinset={place}
      aria-setsize={places}
      className={cx(
        ROW_HEIGHT,
        "flex items-center justify-between gap-3 border-line bg-sunken px-3 not-first:border-t first:rounded-t-ui",
      )}
    >
      <div className="min-w-0">
        <h3 className="truncate font-semibold">
          {uuid === null ? (
            name
          ) : (
            <Link href={`/scripts/${uuid}/settings`} className="rounded-inner hover:underline">
              {name}
            </Link>
          )}
        </h3>
        <p className="text-small text-muted tabular-nums">{t("consent.decisions.count", { n })}</p>
      </div>
      <Button
        kind="quiet"
        aria-label={t("consent.revoke.allOf", { n, name })}
        onClick={onRevoke}
        className="px-2"
      >
        {t("consent.revoke.all", { n })}
      </Button>
    </li>
  );
}
