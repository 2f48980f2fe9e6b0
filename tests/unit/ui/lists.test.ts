// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { findCommands } from "@/ui/CommandPalette";
import { rank } from "@/ui/rank";
import { relativeTime } from "@/ui/Time";
import { rangeFor } from "@/ui/useWindowing";

describe("rangeFor", () => {
  it("renders a short list whole", () => {
    expect(rangeFor(40, 64, -5_000, 800)).toEqual({ start: 0, end: 40, before: 0, after: 0 });
  });

  it("renders what is near the visible part and keeps the height of the whole", () => {
    const { start, end, before, after } = rangeFor(1_000, 64, -32_000, 800);
    expect(start).toBeLessThanOrEqual(500);
    expect(end).toBeGreaterThanOrEqual(513);
    expect(end - start).toBeLessThan(50);
    expect(before + after + (end - start) * 64).toBe(64_000);
  });

  it("stays inside of the list at both ends", () => {
    expect(rangeFor(1_000, 64, 300, 800).start).toBe(0);
    const past = rangeFor(1_000, 64, -1_000_000, 800);
    expect(past.start).toBeLessThan(past.end);
    expect(past.end).toBe(1_000);
  });
});

describe("rank and findCommands", () => {
  it("needs every word, in any order", () => {
    expect(rank("sum page", "Page summary")).toBeGreaterThan(0);
    expect(rank("sum tab", "Page summary")).toBe(0);
  });

  it("puts the start of the name first, then the start of a word", () => {
    const commands = ["My dark page", "Undarkened", "Dark everything"].map((title, at) => ({
      id: String(at),
      title,
      run: () => undefined,
    }));
    expect(findCommands(commands, "dark").map((command) => command.id)).toEqual(["2", "0", "1"]);
  });
});

describe("relativeTime", () => {
  const now = Date.UTC(2026, 0, 2);
  it.each([
    [now - 5_000, "now"],
    [now - 90_000, "1 minute ago"],
    [now - 3 * 3_600_000, "3 hours ago"],
    [now - 24 * 3_600_000, "yesterday"],
    [now - 800 * 86_400_000, "2 years ago"],
  ])("%d is %s", (at, words) => {
    expect(relativeTime(at, now, "en")).toBe(words);
  });
});
