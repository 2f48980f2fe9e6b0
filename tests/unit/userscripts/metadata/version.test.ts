import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareVersions } from "@/userscripts/metadata";

describe("compareVersions", () => {
  it("C023 compares components as numbers: 2.8 is older than 2.63", () => {
    expect(compareVersions("2.63", "2.8")).toBe(1);
    expect(compareVersions("2.8", "2.63")).toBe(-1);
  });

  it("sorts versions as other managers do", () => {
    const sorted = [
      "0.9",
      "1.0-alpha",
      "1.0-alpha.1",
      "1.0-beta.2",
      "1.0-beta.10",
      "1.0-rc1",
      "1.0",
      "1.0.1",
      "1.1a",
      "1.1b2",
      "1.1b10",
      "1.1",
      "1.10",
      "2.0",
      "2024.01.15",
      "20240115123456789012345",
      "20240115123456789012346",
    ];
    for (const [i, left] of sorted.entries()) {
      for (const [j, right] of sorted.entries()) {
        expect([left, right, compareVersions(left, right)]).toEqual([left, right, Math.sign(i - j)]);
      }
    }
  });

  it.each([
    ["1", "1.0"],
    ["1.0", "1.0.0"],
    ["v1.2", "1.2"],
    ["01.002", "1.2"],
    ["1.2+build7", "1.2"],
    [" 1.2 ", "1.2"],
    ["", "0"],
  ])("takes %s and %s for the same", (a, b) => {
    expect(compareVersions(a, b)).toBe(0);
  });

  it("is an order: antisymmetric and transitive", () => {
    const version = fc
      .array(fc.constantFrom("0", "1", "2", "10", ".", ".", "a", "b", "-", "rc", "+", "v"), { maxLength: 7 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(compareVersions(a, b)).toBe(0 - compareVersions(b, a));
        const [x, y, z] = [a, b, c].sort(compareVersions);
        expect(compareVersions(x ?? "", z ?? "")).toBeLessThanOrEqual(0);
        expect(compareVersions(x ?? "", y ?? "")).toBeLessThanOrEqual(0);
      }),
      { numRuns: 5_000 },
    );
  });
});
