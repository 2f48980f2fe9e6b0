import { useEffect, useState } from "react";

/** How long a question must have been in front of the person before it takes an answer, in ms. */
export const SETTLE_MS = 500;

/**
 * Whether what is shown under `key` may be answered. A question that appears, or changes, or comes to the front, comes under a
 * hand that is busy with something else: what it types or clicks in the first half second is not about the question. So an
 * answer counts only after the page has been in sight and has had the focus for that long with the same `key`.
 */
export function useArmed(key: string): boolean {
  const [armedFor, setArmedFor] = useState<string | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = (): void => {
      clearTimeout(timer);
      setArmedFor(null);
      if (document.visibilityState === "hidden" || !document.hasFocus()) return;
      timer = setTimeout(() => setArmedFor(key), SETTLE_MS);
    };
    begin();
    window.addEventListener("focus", begin);
    window.addEventListener("blur", begin);
    document.addEventListener("visibilitychange", begin);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("focus", begin);
      window.removeEventListener("blur", begin);
      document.removeEventListener("visibilitychange", begin);
    };
  }, [key]);
  return armedFor === key;
}
