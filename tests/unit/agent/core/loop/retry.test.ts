import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_TRIES, retryDelay } from "@/agent/core/loop/retry";

describe("the wait before the next try", () => {
  it("doubles, with jitter of up to a half", () => {
    expect([1, 2, 3, 4].map((n) => retryDelay(n, undefined, 0))).toEqual([250, 500, 1000, 2000]);
    expect([1, 2, 3, 4].map((n) => retryDelay(n, undefined, 0.999))).toEqual([500, 1000, 1999, 3998]);
  });

  it("ends after the last try", () => {
    expect(retryDelay(MAX_TRIES, undefined, 0)).toBeNull();
    expect(retryDelay(MAX_TRIES, 10, 0)).toBeNull();
  });

  it("is never shorter than the host asked, unless that is too long to wait at all", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX_TRIES - 1 }),
        fc.nat({ max: 200_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (failures, asked, random) => {
          const delay = retryDelay(failures, asked, random);
          if (asked > 120_000) expect(delay).toBeNull();
          else expect(delay).toBeGreaterThanOrEqual(asked);
        },
      ),
    );
  });
});
