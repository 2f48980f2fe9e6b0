/** Model calls of one round at most, counting failed ones only. */
export const MAX_TRIES = 5;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** A host that asks for more patience than this is not waited for: the person is told instead. */
const LONGEST_RETRY_AFTER_MS = 120_000;

/**
 * How long to wait before the next try of a model call: exponential with jitter, so that many clients of a struggling host do not come
 * back together, and never sooner than the host asked.
 * @param failures tries that failed so far, the newest included
 * @param retryAfterMs what the host asked for (Retry-After)
 * @param random 0 ≤ random < 1
 * @returns ms, or null when no further try shall be made
 */
export function retryDelay(
  failures: number,
  retryAfterMs: number | undefined,
  random: number,
): number | null {
  if (failures >= MAX_TRIES) return null;
  if (retryAfterMs !== undefined && retryAfterMs > LONGEST_RETRY_AFTER_MS) return null;
  const full = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS);
  return Math.max(Math.round(full * (0.5 + random / 2)), retryAfterMs ?? 0);
}
