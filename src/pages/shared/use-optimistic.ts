import { useEffect, useState } from "react";

/**
 * A value that changes at once when asked to, and goes back when the change fails.
 * @param actual what the worker says; once it says something new, that holds
 * @param change resolves to whether it worked
 */
export function useOptimistic<T>(actual: T, change: (next: T) => Promise<boolean>): [T, (next: T) => void] {
  const [shown, setShown] = useState(actual);
  useEffect(() => setShown(actual), [actual]);
  const set = (next: T): void => {
    setShown(next);
    void change(next).then((worked) => {
      if (!worked) setShown(actual);
    });
  };
  return [shown, set];
}
