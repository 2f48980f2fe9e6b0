import { useCallback, useEffect, useState } from "react";
import { useT } from "@/locales/react";
import { type ActiveTab, activeTab } from "@/platform/page-tabs";

/** The tab that the popup was opened over. */
export function useActiveTab(): { data: ActiveTab | undefined; error: Error | null; reload(): void } {
  const t = useT();
  const [state, setState] = useState<{ data?: ActiveTab; error: Error | null }>({ error: null });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: attempt is a reason to ask again.
  useEffect(() => {
    let current = true;
    activeTab().then(
      (tab) => current && setState(tab ? { data: tab, error: null } : { error: new Error(t("popup.noTab")) }),
      (error: Error) => current && setState({ error }),
    );
    return () => {
      current = false;
    };
  }, [attempt, t]);
  const reload = useCallback(() => setAttempt((n) => n + 1), []);
  return { data: state.data, error: state.error, reload };
}
