import { type ReactNode, useState } from "react";
import { useT } from "@/locales/react";
import { errorLine } from "../shared/describe-error";

/** Runs something and keeps its failure as a line to show: the popup has no toasts. */
export function usePopupAct(): {
  run(failed: string, action: () => Promise<void>): void;
  message: ReactNode;
} {
  const t = useT();
  const [failure, setFailure] = useState<string | null>(null);
  return {
    run: (failed, action) => {
      setFailure(null);
      action().catch((error: unknown) => {
        setFailure(errorLine(t, failed, error instanceof Error ? error : new Error(String(error))));
      });
    },
    message: failure && (
      <p role="alert" className="text-small text-danger-fg">
        {failure}
      </p>
    ),
  };
}
