import { useEffect, useState } from "react";
import { useT } from "@/locales/react";

const UNITS: ReadonlyArray<[Intl.RelativeTimeFormatUnit, number]> = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/**
 * "3 minutes ago", in the language's own words; under a minute it is "now".
 * @param at,now milliseconds since 1970
 */
export function relativeTime(at: number, now: number, language: string): string {
  const seconds = (at - now) / 1000;
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  }
  return format.format(0, "second");
}

/** When something was: relative, the exact time on hover. Keeps itself up to date. */
export function Time({ at, className }: { at: number; className?: string }) {
  const { language } = useT();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  const exact = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" }).format(at);
  return (
    <time dateTime={new Date(at).toISOString()} title={exact} className={className}>
      {relativeTime(at, Math.max(now, at), language)}
    </time>
  );
}
