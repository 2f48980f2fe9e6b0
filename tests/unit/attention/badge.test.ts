import { readFileSync } from "node:fs";
import { memorySession } from "@tests/fixtures/memory-session";
import { beforeEach, describe, expect, it } from "vitest";
import { BADGE_COLOURS, Badge, type BadgeClaim } from "@/attention/badge";
import type { BadgeLook } from "@/platform/badge";

const claim = (text: string, priority: number): BadgeClaim => ({
  text,
  priority,
  tone: "accent",
  title: `says ${text}`,
});

/** What the browser shows. */
let all: BadgeLook | undefined;
let draws: number;
let session = memorySession();
let badge: Badge;
const api = {
  show: async (look: BadgeLook) => {
    draws += 1;
    all = look;
  },
};

beforeEach(() => {
  all = undefined;
  draws = 0;
  session = memorySession();
  badge = new Badge(api, session);
});

describe("the badge", () => {
  it("shows the highest claim, then the next, then nothing", async () => {
    await badge.set("errors", claim("!", 10));
    await badge.set("questions", claim("?", 20));
    expect(all).toMatchObject({ text: "?", title: "says ?" });
    await badge.set("questions", null);
    expect(all).toMatchObject({ text: "!" });
    await badge.set("errors", null);
    expect(all).toMatchObject({ text: "", title: "" });
  });

  it("is the same for a later worker, which starts without a call", async () => {
    await badge.set("errors", claim("!", 10));
    badge = new Badge(api, session);
    const before = draws;
    await badge.set("errors", claim("!", 10));
    expect(draws).toBe(before);
    await badge.set("questions", claim("?", 20));
    await badge.set("questions", null);
    expect(all).toMatchObject({ text: "!" });
  });

  it("keeps claims that are made at the same time", async () => {
    await Promise.all([badge.set("a", claim("a", 1)), badge.set("b", claim("b", 2)), badge.set("b", null)]);
    expect(all).toMatchObject({ text: "a" });
  });

  it("has the colours of the theme, with text that can be read on them", () => {
    const css = readFileSync(new URL("../../../src/ui/theme.css", import.meta.url), "utf8");
    const light = (token: string) => new RegExp(`--${token}: light-dark\\((#[0-9a-f]{6}),`).exec(css)?.[1];
    expect(BADGE_COLOURS).toEqual({
      accent: { background: light("accent"), color: light("on-accent") },
      danger: { background: light("danger"), color: light("on-danger") },
      neutral: { background: light("fg-muted"), color: light("bg") },
    });
  });
});
