import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("../../../src/ui/theme.css", import.meta.url), "utf8");
const HALVES = ["light", "dark"] as const;

/** The value of a token in one theme, as written in theme.css. */
function colour(token: string, half: (typeof HALVES)[number]): string {
  const found = new RegExp(`--${token}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(css);
  const value = found?.[half === "light" ? 1 : 2];
  if (!value) throw new Error(`theme.css has no --${token}: light-dark(#light, #dark).`);
  return value;
}

/** Relative luminance and contrast, WCAG 2.2 "relative luminance" and "contrast ratio". */
function luminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  const [r = 0, g = 0, b = 0] = channels;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const surfaces = ["bg", "bg-sunken", "bg-raised", "bg-hover", "bg-chosen"];
const pairs = (texts: string[], grounds: string[]) =>
  texts.flatMap((t) => grounds.map((g) => [t, g] as const));

/** Every text and ground that meet in a component. */
const TEXT = [
  ...pairs(["fg", "fg-muted", "fg-faint"], surfaces),
  ...pairs(["accent-fg", "ok-fg", "warn-fg", "danger-fg"], surfaces),
  ...pairs(["on-accent"], ["accent", "accent-hover"]),
  ...pairs(["on-danger"], ["danger", "danger-hover"]),
  ...pairs(["fg", "accent-fg"], ["accent-soft"]),
  ...pairs(["fg", "fg-muted", "ok-fg"], ["ok-soft"]),
  ...pairs(["fg", "fg-muted", "warn-fg"], ["warn-soft"]),
  ...pairs(["fg", "fg-muted", "danger-fg"], ["danger-soft"]),
  ...pairs(
    ["code-keyword", "code-string", "code-number", "code-comment"],
    ["bg", "bg-sunken", "code-mark", "ok-soft", "danger-soft"],
  ),
];

/** Edges and signs that must be seen: WCAG 1.4.11. */
const SIGNS = [
  ...pairs(["line-strong"], ["bg", "bg-sunken", "bg-raised"]),
  ...pairs(["focus"], [...surfaces, "accent-soft", "warn-soft", "danger-soft", "ok-soft"]),
  ...pairs(["accent"], ["bg", "bg-sunken", "bg-raised", "bg-hover"]),
];

describe.each(HALVES)("theme: %s", (half) => {
  it.each(TEXT)("text --%s on --%s has 4.5:1", (text, ground) => {
    expect(contrast(colour(text, half), colour(ground, half))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(SIGNS)("sign --%s on --%s has 3:1", (sign, ground) => {
    expect(contrast(colour(sign, half), colour(ground, half))).toBeGreaterThanOrEqual(3);
  });
});

it("knows what the standard says of black on white", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
});

it("every colour token is in the checked pairs, or is no ground for text", () => {
  const declared = [...css.matchAll(/--([\w-]+): light-dark\(#/g)].map((m) => m[1]);
  const used = new Set([...TEXT, ...SIGNS].flat());
  expect(declared.filter((name) => name && !used.has(name))).toEqual(["line"]);
});
