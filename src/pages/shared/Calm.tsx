import { type ReactNode, useEffect, useState } from "react";
import { cx } from "@/ui/cx";
import { useSettings } from "./settings";

export interface CalmProps {
  children: ReactNode;
  /** Something else that the first sight waits for has come. */
  ready?: boolean;
  /** How long to wait at most, in ms. */
  patience?: number;
  className?: string;
}

/**
 * Holds back the first sight of what is in it until the product's state is known, a moment at most: banners about that state
 * stand above, and would push down what a person already reads or aims at. All is laid out and asked for meanwhile.
 */
export function Calm({ children, ready = true, patience = 250, className }: CalmProps) {
  const { settings, error, status } = useSettings();
  const known = (settings || error) && (status.data || status.error) && ready;
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (shown) return;
    if (known) return setShown(true);
    const timer = setTimeout(() => setShown(true), patience);
    return () => clearTimeout(timer);
  }, [shown, known, patience]);
  return <div className={cx(className, !shown && !known && "invisible")}>{children}</div>;
}
