import { useCallback } from "react";
import { useT } from "@/locales/react";
import { showPage } from "@/platform/page-tabs";
import { useToast } from "@/ui/Toast";
import { describeError, errorLine } from "./describe-error";
import { isFault, useReportError } from "./report-error";

/**
 * Runs something that changes the worker's state. A failure is shown as a toast that says what did not happen (`failed`) and
 * why, and goes to the log; the promise tells whether it worked.
 */
export function useAct(): (failed: string, action: () => Promise<unknown>) => Promise<boolean> {
  const t = useT();
  const toast = useToast();
  const report = useReportError();
  return useCallback(
    async (failed, action) => {
      try {
        await action();
        return true;
      } catch (error) {
        const cause = error instanceof Error ? error : new Error(String(error));
        report({ during: failed, error: cause, shown: true });
        // Where the sentence says what to do, or is about what was typed, the log has nothing to add.
        const helps =
          isFault(cause) && !describeError(t, cause).todo && !window.location.hash.startsWith("#/log");
        toast({
          tone: "danger",
          text: errorLine(t, failed, cause),
          ...(helps && {
            action: { label: t("logPage.show"), run: () => void showPage("options.html#/log") },
          }),
        });
        return false;
      }
    },
    [t, toast, report],
  );
}
