import { useMemo } from "react";
import { useT } from "@/locales/react";
import { useToast } from "@/ui/Toast";
import type { ScriptSummary } from "@/userscripts/types";
import { useServices } from "../../connect";
import { useAct } from "../../shared/use-act";

export interface ScriptActions {
  setEnabled(script: ScriptSummary, enabled: boolean): Promise<boolean>;
  /** Removes at once and offers to undo it. */
  remove(script: ScriptSummary): Promise<boolean>;
  /** Puts the script one place earlier or later in the order of execution. */
  move(script: ScriptSummary, by: -1 | 1): Promise<boolean>;
  clearErrors(script: ScriptSummary): Promise<boolean>;
  /** Starts a background script, whatever faults it had. */
  startNow(script: ScriptSummary): Promise<boolean>;
}

/** What can be done to a script. Each says what did not happen when it fails. */
export function useScriptActions(): ScriptActions {
  const t = useT();
  const { scripts, background } = useServices();
  const act = useAct();
  const toast = useToast();
  return useMemo(
    () => ({
      setEnabled: ({ uuid, name }, enabled) =>
        act(t(enabled ? "scripts.failed.on" : "scripts.failed.off", { name }), () =>
          scripts.call("setEnabled", { uuid, enabled }),
        ),
      remove: async ({ uuid, name }) => {
        const removed = await act(t("scripts.failed.remove", { name }), () =>
          scripts.call("remove", { uuid }),
        );
        if (removed) {
          const undo = () =>
            void act(t("scripts.failed.restore", { name }), () => scripts.call("restore", { uuid }));
          toast({ text: t("scripts.removed", { name }), action: { label: t("common.undo"), run: undo } });
        }
        return removed;
      },
      move: ({ uuid, name }, by) =>
        act(t("scripts.failed.move", { name }), async () => {
          // Read now, not from the list shown: another window may have changed the order.
          const order = (await scripts.call("list", {})).sort((a, b) => a.position - b.position);
          const uuids = order.map((script) => script.uuid);
          const from = uuids.indexOf(uuid);
          const to = from + by;
          if (from < 0 || to < 0 || to >= uuids.length) return;
          uuids.splice(from, 1);
          uuids.splice(to, 0, uuid);
          await scripts.call("reorder", { uuids });
        }),
      clearErrors: ({ uuid, name }) =>
        act(t("scripts.failed.clear", { name }), () => scripts.call("clearErrors", { uuid })),
      startNow: ({ uuid, name }) =>
        act(t("background.failed.start", { name }), () => background.call("startNow", { uuid })),
    }),
    [t, scripts, background, act, toast],
  );
}
