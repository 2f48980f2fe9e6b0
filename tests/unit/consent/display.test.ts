import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { displayText } from "@/consent/display";

describe("text of an asker", () => {
  it.each([
    ["My script", "My script"],
    ["  a \t\n\r b  ", "a b"],
    ["a\u2028b\u2029c\u0085d", "a b cd"],
    ["evil\u202etxt.exe", "eviltxt.exe"],
    ["\u2066a\u2069\u200f\u061c", "a"],
    ["z\u200be\u200dr\ufeffo\u00ad", "zero"],
    ["\u3164\u115f\u2800", ""],
    ["\u0000\u001b[31mred", "[31mred"],
    ["\u{e0041}\u{e0042}tag", "tag"],
    ["half\ud800", "half\ufffd"],
    ["Z̶̡̢̛͔a", "Z̶̡̢a"],
    ["日本語 – ελ – हिन्दी", "日本語 – ελ – हिन्दी"],
    ["👍🏽 ok", "👍🏽 ok"],
  ])("%j is shown as %j", (text, shown) => {
    expect(displayText(text, 80)).toBe(shown);
  });

  it("is cut by whole characters", () => {
    expect(displayText("😀".repeat(100), 10)).toBe(`${"😀".repeat(9)}…`);
    expect(displayText("x".repeat(10), 10)).toBe("x".repeat(10));
  });

  it("is always one bounded line without anything invisible, and stays as it is when shown again", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 200 }),
        fc.integer({ min: 2, max: 60 }),
        (text, most) => {
          const shown = displayText(text, most);
          expect([...shown].length).toBeLessThanOrEqual(most);
          expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\n\r\u2028\u2029]|^\s|\s$| {2}/u);
          expect(displayText(shown, most)).toBe(shown);
        },
      ),
    );
  });
});
