import { specOf, Transcript } from "@tests/fixtures/agent/engine-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TurnCursor } from "@/agent/contract/conversation";
import type { AssistantPart, JournalEvent, RunEvent } from "@/agent/core/run/events";
import { LiveText } from "@/agent/core/run/live";
import { isEmpty, readTurn, TURN_START } from "@/agent/core/run/read-turn";

type Delta = { kind: "text" | "thinking"; value: string };
interface Attempt {
  deltas: Delta[];
  /** After which deltas a checkpoint is written. */
  checkpoints: boolean[];
}
interface RoundPlan {
  /** Attempts that do not last, and whether their worker died (or the call failed and is tried again). */
  broken: Array<Attempt & { died: boolean }>;
  good: Attempt;
  calls: number;
}
interface RunPlan {
  rounds: RoundPlan[];
  /** What comes after the last round: nothing, or a last attempt that is cut short and kept. */
  cut: Attempt | null;
}

const delta = fc.record({
  kind: fc.constantFrom("text" as const, "thinking" as const),
  value: fc.string({ minLength: 1, maxLength: 4, unit: "binary" }),
});
const attempt = fc.record({
  deltas: fc.array(delta, { maxLength: 6 }),
  checkpoints: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
});
const runPlan: fc.Arbitrary<RunPlan> = fc.record({
  rounds: fc.array(
    fc.record({
      broken: fc.array(
        attempt.chain((a) => fc.boolean().map((died) => ({ ...a, died }))),
        { maxLength: 3 },
      ),
      good: attempt,
      calls: fc.nat({ max: 2 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  cut: fc.option(attempt),
});

/** A moment of a run: how much of the journal there is, and how many deltas of the open call the worker has (null: it is dead). */
interface Moment {
  length: number;
  attempt: string;
  live: Delta[] | null;
}

/** Plays a plan: the journal it leaves, every moment at which somebody could look, and what a reader must hold in the end. */
function play(plan: RunPlan) {
  const log: JournalEvent[] = [];
  const moments: Moment[] = [];
  const expected: Array<{ text: string; thinking: string }> = [];
  const add = (event: RunEvent) => {
    log.push({ ...event, runId: "r", seq: log.length + 1, at: 1000 + log.length });
    moments.push({ length: log.length, attempt: "", live: null });
  };
  const run = (id: string, { deltas, checkpoints }: Attempt, round: number, tries: number) => {
    add({ type: "model.requested", attempt: id, round, try: tries });
    moments.push({ length: log.length, attempt: id, live: [] });
    let unsaved: Delta[] = [];
    deltas.forEach((d, i) => {
      unsaved.push(d);
      moments.push({ length: log.length, attempt: id, live: deltas.slice(0, i + 1) });
      if (!checkpoints[i]) return;
      add({
        type: "model.delta",
        attempt: id,
        text: joined(unsaved, "text"),
        thinking: joined(unsaved, "thinking"),
      });
      unsaved = [];
      moments.push({ length: log.length, attempt: id, live: deltas.slice(0, i + 1) });
    });
  };

  add({ type: "run.started", spec: specOf() });
  plan.rounds.forEach(({ broken, good, calls }, round) => {
    broken.forEach((a, i) => {
      run(`${round}.${i}`, a, round, i);
      if (a.died) add({ type: "model.interrupted", attempt: `${round}.${i}` });
      else {
        const attempt = `${round}.${i}`;
        add({ type: "model.failed", attempt, code: "api_error", message: "no", retryAt: 1 });
      }
    });
    const id = `${round}.${broken.length}`;
    run(id, good, round, broken.length);
    const isLast = round === plan.rounds.length - 1 && plan.cut === null;
    const ids = isLast ? [] : Array.from({ length: calls + 1 }, (_, n) => `c${round}.${n}`);
    add({
      type: "model.completed",
      attempt: id,
      modelId: "m",
      content: [...parts(good.deltas), ...ids.map(callPart)],
      finish: "stop",
    });
    expected.push({ text: joined(good.deltas, "text"), thinking: joined(good.deltas, "thinking") });
    for (const callId of ids) add({ type: "tool.requested", callId, name: "look", args: {} });
    for (const callId of ids) {
      add({ type: "tool.completed", callId, name: "look", result: "1", isError: false, by: "tool" });
    }
  });
  if (plan.cut) {
    run("cut", plan.cut, plan.rounds.length, 0);
    const kept = { text: joined(plan.cut.deltas, "text"), thinking: joined(plan.cut.deltas, "thinking") };
    add({ type: "model.failed", attempt: "cut", code: "cancelled", message: "stop", kept });
    add({ type: "run.stopped", message: "stop" });
    expected.push(kept);
  } else add({ type: "run.completed" });
  return { log, moments, expected };
}

function joined(deltas: readonly Delta[], kind: Delta["kind"]): string {
  return deltas.map((d) => (d.kind === kind ? d.value : "")).join("");
}

function parts(deltas: readonly Delta[]): AssistantPart[] {
  return deltas.map(({ kind, value }) => ({ type: kind, text: value }));
}

function callPart(id: string): AssistantPart {
  return { type: "tool-call", id, name: "look", arguments: "{}" };
}

function liveOf({ attempt, live }: Moment): LiveText | null {
  if (live === null) return null;
  const text = new LiveText(attempt);
  for (const { kind, value } of live) text.push(kind, value);
  return text;
}

/** Reads a run at some of its moments, as a reader does that loses its connection in between. */
function readAt(log: readonly JournalEvent[], moments: readonly Moment[]) {
  const transcript = new Transcript();
  const requests: string[] = [];
  let cursor: TurnCursor = TURN_START;
  let ends = 0;
  for (const moment of [...moments, { length: log.length, attempt: "", live: null }]) {
    const slice = readTurn(log.slice(0, moment.length), liveOf(moment), structuredClone(cursor));
    for (const chunk of slice.chunks) transcript.take(chunk);
    for (const { callId } of slice.toolRequests) requests.push(callId);
    if (slice.ended) ends += 1;
    cursor = slice.cursor;
  }
  return { transcript, requests, ends, cursor };
}

describe("reading a turn", () => {
  it("ends with exactly the final text, wherever the reader stopped and whatever died in between", () => {
    fc.assert(
      fc.property(runPlan, fc.infiniteStream(fc.boolean()), (plan, looks) => {
        const { log, moments, expected } = play(plan);
        const chosen = moments.filter(() => looks.next().value);
        const { transcript, ends } = readAt(log, chosen);
        expect(transcript.messages).toEqual(expected);
        expect(ends).toBe(1);
      }),
      { numRuns: 500 },
    );
  });

  it("shows each tool request once to a reader that looked while it was open, and none that was answered before", () => {
    fc.assert(
      fc.property(runPlan, fc.infiniteStream(fc.boolean()), (plan, looks) => {
        const { log, moments } = play(plan);
        const chosen = moments.filter(() => looks.next().value);
        const { requests } = readAt(log, chosen);
        const open = log.flatMap((event) => {
          if (event.type !== "tool.requested") return [];
          const done = log.find((e) => e.type === "tool.completed" && e.callId === event.callId);
          const seen = chosen.some((m) => m.length >= event.seq && m.length < (done?.seq ?? 0));
          return seen ? [event.callId] : [];
        });
        expect(requests).toEqual(open);
      }),
      { numRuns: 300 },
    );
  });

  it("gives a reader that was there all along every delta as it came, and nothing twice", () => {
    fc.assert(
      fc.property(runPlan, (plan) => {
        const { log, moments } = play(plan);
        const { transcript } = readAt(log, moments);
        const said = transcript.chunks.flatMap((c) => (c.content === undefined ? [] : [c.content]));
        const all = plan.rounds
          .flatMap(({ broken, good }) => [...broken, good])
          .concat(plan.cut ?? [])
          .flatMap(({ deltas }) => deltas.map((d) => d.value));
        expect(said).toEqual(all);
      }),
    );
  });

  it("takes back nothing that was not said", () => {
    fc.assert(
      fc.property(runPlan, fc.infiniteStream(fc.boolean()), (plan, looks) => {
        const { log, moments } = play(plan);
        const { chunks } = readAt(
          log,
          moments.filter(() => looks.next().value),
        ).transcript;
        let said = 0;
        for (const chunk of chunks) {
          if (chunk.content) said += chunk.content.length;
          if (chunk.replaces) expect(said).toBeGreaterThan(0);
          if (chunk.type === "new_message") said = 0;
        }
      }),
    );
  });

  it("stands any cursor that a hostile script makes up", () => {
    const number = fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.constant(1e300));
    const cursor = fc.record({ seq: number, attempt: fc.string(), text: number, thinking: number });
    fc.assert(
      fc.property(runPlan, cursor, (plan, from) => {
        const { log } = play(plan);
        const slice = readTurn(log, null, from);
        expect(slice.cursor.seq).toBe(log.length);
      }),
    );
  });

  it("has nothing for a reader that has all", () => {
    fc.assert(
      fc.property(runPlan, (plan) => {
        const { log } = play(plan);
        const { cursor } = readTurn(log, null, TURN_START);
        expect(isEmpty(readTurn(log, null, cursor))).toBe(true);
      }),
    );
  });
});
