import fc from "fast-check";
import { expect, it } from "vitest";
import type { Question } from "@/consent/questions";
import { due, nextDue, type Waiting } from "@/consent/timing";
import { request } from "./bench";

const NOW = 1_000;

function question(changes: Partial<Question>): Question {
  return { ...request(), id: "q", askedAt: 0, state: "asking", waitMs: 2_000, ...changes };
}

const waiting = (has: boolean, lostAt?: number): Waiting => ({ has: () => has, lostAt: () => lostAt });

it.each<[string, Partial<Question>, Waiting, "rests" | "goes" | "stays"]>([
  ["waited for, time left", { until: 1_001 }, waiting(true), "stays"],
  ["waited for, run out", { until: 1_000 }, waiting(true), "rests"],
  ["waited for, held back", {}, waiting(true), "stays"],
  ["left, given up later", { until: 2_000 }, waiting(false, 1_500), "stays"],
  ["left, given up", { until: 2_000 }, waiting(false, 1_000), "goes"],
  ["left, run out, may be taken up again", { until: 900 }, waiting(false, 1_500), "stays"],
  ["left, run out, given up", { until: 900 }, waiting(false, 1_000), "rests"],
  ["left, and nobody noted when", { until: 2_000 }, waiting(false), "goes"],
  ["waited for, and shown before the clock was set back", { until: 3_001 }, waiting(true), "rests"],
  ["left before the clock was set back", { until: 2_000 }, waiting(false, 11_001), "goes"],
  ["resting", { state: "waiting" }, waiting(false), "stays"],
])("a question that is %s", (_name, changes, who, what) => {
  const { rest, gone } = due([question(changes)], who, NOW);
  expect([rest.length, gone.length]).toEqual([what === "rests" ? 1 : 0, what === "goes" ? 1 : 0]);
});

it("whatever is due next is found at that time, so nothing waits for ever and nothing spins", () => {
  const time = fc.option(fc.integer({ min: 0, max: 3_000 }), { nil: undefined });
  fc.assert(
    fc.property(time, time, fc.boolean(), (until, lostAt, has) => {
      const questions = [question({ until, shownAt: until === undefined ? undefined : 0 })];
      const who = waiting(has, lostAt);
      const next = nextDue(questions, who);
      if (next === undefined) return;
      const { rest, gone } = due(questions, who, next);
      expect(rest.length + gone.length).toBe(1);
    }),
  );
});
