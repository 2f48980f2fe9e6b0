/** Longest wait that is believed: a host that asks for more is as good as down, and the loop has its own limits. */
const LONGEST_MS = 3_600_000;

/**
 * Milliseconds to wait according to `retry-after-ms` (a vendor's habit) or `Retry-After`, seconds or a date
 * (RFC 9110 §10.2.3). Undefined when there is none or it makes no sense.
 */
export function retryAfterMs(headers: { get(name: string): string | null }, now: number): number | undefined {
  const ms = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (Number.isFinite(ms) && ms >= 0) return Math.min(ms, LONGEST_MS);
  const text = headers.get("retry-after")?.trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, LONGEST_MS);
  // Date.parse takes bare numbers for years.
  const date = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), LONGEST_MS);
}
