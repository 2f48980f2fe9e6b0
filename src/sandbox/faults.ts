/** ms before a background script starts again, after its first, second, third and each further fault of an hour. */
export const BACK_OFF_MS: readonly number[] = [1_000, 5_000, 30_000, 300_000];
/** Faults within {@link FAULT_WINDOW_MS} after which a script is not started again. */
export const MOST_FAULTS = 5;
export const FAULT_WINDOW_MS = 3_600_000;
/** ms between the starts of scripts one of which took the others along, and nobody knows which: the next time it does so by itself. */
export const TURN_MS = 20_000;

/**
 * A background script had a fault: it hung, or was ended for breaking a limit.
 * @param faults times of earlier ones, ms since the epoch
 * @returns those that count from now on, and the wait before the next start; null when it is not to be started again
 */
export function addFault(
  faults: readonly number[],
  now: number,
): { faults: number[]; waitMs: number | null } {
  const counted = [...faults.filter((at) => now - at < FAULT_WINDOW_MS), now];
  const waitMs = BACK_OFF_MS[Math.min(counted.length, BACK_OFF_MS.length) - 1] ?? 0;
  return { faults: counted, waitMs: counted.length >= MOST_FAULTS ? null : waitMs };
}
