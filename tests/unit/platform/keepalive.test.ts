import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createKeepalive } from "@/platform/keepalive";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("keepalive", () => {
  it("pings at once and every 20 s while something is held, and not otherwise", () => {
    const ping = vi.fn(async () => undefined);
    const keepalive = createKeepalive(ping);
    vi.advanceTimersByTime(60_000);
    expect(ping).toHaveBeenCalledTimes(0);
    const release = keepalive.hold("a turn");
    expect(ping).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(60_000);
    expect(ping).toHaveBeenCalledTimes(4);
    release();
    vi.advanceTimersByTime(60_000);
    expect(ping).toHaveBeenCalledTimes(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("counts holds: the last release ends it, and a second release of the same hold does nothing", () => {
    const ping = vi.fn(async () => undefined);
    const keepalive = createKeepalive(ping);
    const [first, second] = [keepalive.hold("turn"), keepalive.hold("turn")];
    expect(keepalive.reasons()).toEqual(["turn", "turn"]);
    first();
    first();
    expect(keepalive.reasons()).toEqual(["turn"]);
    expect(vi.getTimerCount()).toBe(1);
    second();
    expect(vi.getTimerCount()).toBe(0);
    keepalive.hold("later");
    expect(vi.getTimerCount()).toBe(1);
  });

  it("reports a ping that fails and goes on", async () => {
    const report = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const ping = vi.fn(async () => {
      throw new Error("no");
    });
    createKeepalive(ping).hold("x");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(ping).toHaveBeenCalledTimes(2);
    expect(report).toHaveBeenCalledTimes(2);
  });
});
