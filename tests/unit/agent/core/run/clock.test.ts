import { afterEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "@/agent/core/run/clock";

afterEach(() => {
  vi.useRealTimers();
});

describe("the system's clock", () => {
  it("waits longer than one timer can, and not at all too long", () => {
    vi.useFakeTimers();
    const run = vi.fn();
    const ms = 2.5 * 2 ** 31;
    systemClock.after(ms, run);
    vi.advanceTimersByTime(ms - 1);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledOnce();
  });

  it("can be told not to, in each part of a long wait", () => {
    vi.useFakeTimers();
    const run = vi.fn();
    for (const before of [0, 2 ** 31 + 5, 2 ** 32 + 5]) {
      const cancel = systemClock.after(2.5 * 2 ** 31, run);
      vi.advanceTimersByTime(before);
      cancel();
      vi.advanceTimersByTime(2 ** 33);
    }
    expect(run).not.toHaveBeenCalled();
  });
});
