import { useCallback } from "react";
import { useT } from "@/locales/react";
import { useToast } from "@/ui/Toast";
import { errorLine } from "./describe-error";

/**
 * Runs something that changes the worker's state. A failure is shown as a toast that says what did not happen (`failed`) and
 * why; the promise tells whether it worked.
 */
export function useAct(): (failed: string, action: () => Promise<unknown>) => Promise<boolean> {
  const t = useT();
  const toast = useToast();
  return useCallback(
    async (failed, action) => {
      try {
        await action();
        return true;
      } catch (error) {
        const cause = error instanceof Error ? error : new Error(String(error));
        toast({ tone: "danger", text: errorLine(t, failed, cause) });
        return false;
      }
    },
    [t, toast],
  );
}
