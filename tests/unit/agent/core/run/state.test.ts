import { specOf } from "@tests/fixtures/agent/engine-kit";
import { describe, expect, it } from "vitest";
import type { JournalEvent, RunEvent } from "@/agent/core/run/events";
import { fold, foldAll, openCalls, type RunState } from "@/agent/core/run/state";

function journal(...events: RunEvent[]): JournalEvent[] {
  return events.map((event, i) => ({ ...event, runId: "r", seq: i + 1, at: 100 * (i + 1) }));
}

const started: RunEvent = { type: "run.started", spec: specOf() };
const asked = (n: number): RunEvent => ({ type: "model.requested", attempt: `a${n}`, round: 0, try: n });
const answered: RunEvent = {
  type: "model.completed",
  attempt: "a0",
  modelId: "m",
  content: [{ type: "tool-call", id: "c", name: "look", arguments: "{}" }],
  finish: "tool-calls",
  usage: { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 3 },
};

describe("the fold of a journal", () => {
  it("is the same from the start or from any point on", () => {
    const log = journal(
      started,
      asked(0),
      { type: "model.delta", attempt: "a0", text: "x", thinking: "y" },
      answered,
      { type: "tool.requested", callId: "c", name: "look", args: {} },
      { type: "tool.completed", callId: "c", name: "look", result: "1", isError: false, by: "tool" },
      { type: "run.completed" },
    );
    const whole = foldAll(log);
    for (let at = 1; at < log.length; at++) {
      expect(foldAll(log.slice(at), foldAll(log.slice(0, at)))).toEqual(whole);
    }
    expect(whole).toMatchObject({
      end: { status: "done", at: 700 },
      usage: { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 3 },
    });
  });

  it("changes no state that it was given", () => {
    const log = journal(started, asked(0), answered, {
      type: "tool.requested",
      callId: "c",
      name: "look",
      args: {},
    });
    let state: RunState | null = null;
    for (const event of log) {
      const before = structuredClone(state);
      const next = fold(state, event);
      expect(state).toEqual(before);
      state = next;
    }
    expect(state && openCalls(state)).toMatchObject([{ id: "c", status: "requested", requestedAt: 400 }]);
  });

  it("counts failed and interrupted tries of a round, and forgets them with its answer", () => {
    const failed: RunEvent = {
      type: "model.failed",
      attempt: "a0",
      code: "api_error",
      message: "",
      retryAt: 900,
    };
    const log = journal(started, asked(0), failed, asked(1), { type: "model.interrupted", attempt: "a1" });
    expect(foldAll(log)).toMatchObject({ failures: 1, interruptions: 1, attempt: null });
    expect(foldAll(log.slice(0, 3))?.retryAt).toBe(900);
    const done = foldAll([...log, { ...answered, runId: "r", seq: 6, at: 1 }]);
    expect(done).toMatchObject({ failures: 0, interruptions: 0, retryAt: null });
  });

  it.each([
    ["starts twice", journal(started, started)],
    ["does not start", journal(asked(0))],
    ["has a gap", [journal(started)[0], journal(started, asked(0), answered)[2]] as JournalEvent[]],
  ])("refuses a journal that %s", (_what, log) => {
    expect(() => foldAll(log)).toThrow(/journal of run r/);
  });
});
