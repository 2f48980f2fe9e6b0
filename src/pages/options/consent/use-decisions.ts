import { useCallback, useEffect, useMemo, useState } from "react";
import type { ConsentEntry } from "@/consent/contract";
import { useT } from "@/locales/react";
import { useToast } from "@/ui/Toast";
import { useServices } from "../../connect";
import { useAct } from "../../shared/use-act";
import { useStream } from "../../use-stream";

export interface Decisions {
  /** Newest first; undefined until the worker has said. */
  entries: readonly ConsentEntry[] | undefined;
  error: Error | null;
  retry(): void;
  /** Forgets decisions at once and offers to undo it. */
  revoke(entries: readonly ConsentEntry[]): Promise<boolean>;
}

/** The remembered decisions, always up to date. */
export function useDecisions(): Decisions {
  const t = useT();
  const { consent } = useServices();
  const act = useAct();
  const toast = useToast();
  const feed = useStream(consent, "decisions", {});
  // Revoked here, and not yet gone from what the worker says.
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const all = feed.item;

  useEffect(() => {
    if (!all) return;
    const there = new Set(all.map(({ id }) => id));
    setHidden((ids) => (ids.size === 0 ? ids : new Set([...ids].filter((id) => there.has(id)))));
  }, [all]);

  const show = useCallback((ids: readonly string[]) => {
    setHidden((old) => new Set([...old].filter((id) => !ids.includes(id))));
  }, []);

  const revoke = useCallback(
    async (entries: readonly ConsentEntry[]) => {
      const ids = entries.map(({ id }) => id);
      setHidden((old) => new Set([...old, ...ids]));
      const revoked = await act(t("consent.failed.revoke"), () => consent.call("revoke", { ids }));
      if (!revoked) {
        show(ids);
        return false;
      }
      const undo = async (): Promise<void> => {
        show(ids);
        const back = entries.map(({ id, decision }) => ({ id, decision }));
        await act(t("consent.failed.restore"), () => consent.call("restore", { entries: back }));
      };
      toast({
        text: t("consent.revoked", { n: ids.length }),
        action: { label: t("common.undo"), run: () => void undo() },
      });
      return true;
    },
    [t, consent, act, toast, show],
  );

  const entries = useMemo(() => all?.filter(({ id }) => !hidden.has(id)), [all, hidden]);
  return { entries, error: feed.error, retry: feed.retry, revoke };
}
