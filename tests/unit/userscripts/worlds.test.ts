import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_WORLD, planWorlds, type WorldCandidate } from "@/userscripts/worlds";

const many = (count: number, sensitive: boolean, prefix = "s"): WorldCandidate[] =>
  Array.from({ length: count }, (_, i) => ({ uuid: `${prefix}${i}`, sensitive }));

describe("worlds", () => {
  it("gives each of nine scripts that can meet a world of its own", () => {
    const { worldOf, crowded } = planWorlds(many(9, false), () => true);
    expect(new Set(worldOf.values()).size).toBe(9);
    expect(crowded.size).toBe(0);
  });

  it("lets scripts that never meet share, so that a hundred of them need one world", () => {
    const { worldOf } = planWorlds(many(100, true), () => false);
    expect(new Set(worldOf.values())).toEqual(new Set(["w1"]));
  });

  it("puts the rest into the default world and says so", () => {
    const { worldOf, crowded } = planWorlds(many(12, false), () => true);
    expect([...crowded]).toEqual(["s9", "s10", "s11"]);
    expect(worldOf.get("s11")).toBe(DEFAULT_WORLD);
  });

  it("gives sensitive scripts their own worlds first", () => {
    const { worldOf, crowded } = planWorlds([...many(9, false), ...many(1, true, "agent")], () => true);
    expect(worldOf.get("agent0")).toBe("w1");
    expect([...crowded]).toEqual(["s8"]);
  });

  it("does not run a sensitive script for which nothing is left, rather than let it share", () => {
    const { homeless, worldOf } = planWorlds(many(12, true), () => true);
    expect(worldOf.get("s9")).toBe(DEFAULT_WORLD);
    expect([...homeless]).toEqual(["s10", "s11"]);
  });

  it("never lets a sensitive script share a world with one it can meet, whatever is installed", () => {
    const scripts = fc.array(
      fc.record({ sensitive: fc.boolean(), hosts: fc.subarray(["a", "b", "c"], { minLength: 1 }) }),
      {
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(scripts, (list) => {
        const hosts = new Map(list.map((s, i) => [`s${i}`, s.hosts]));
        const meet = (a: string, b: string) => (hosts.get(a) ?? []).some((h) => hosts.get(b)?.includes(h));
        const candidates = list.map((s, i) => ({ uuid: `s${i}`, sensitive: s.sensitive }));
        const { worldOf, homeless } = planWorlds(candidates, meet);
        for (const a of candidates) {
          expect(worldOf.has(a.uuid)).toBe(!homeless.has(a.uuid));
          if (!a.sensitive || homeless.has(a.uuid)) continue;
          for (const b of candidates) {
            if (b.uuid === a.uuid || !meet(a.uuid, b.uuid)) continue;
            expect(worldOf.get(b.uuid)).not.toBe(worldOf.get(a.uuid));
          }
        }
      }),
    );
  });
});
