import { type PlanEnv, plan, stamp } from "../loop/plan";
import { recordOf } from "./active-run";
import type { JournalEvent, RunSpec } from "./events";
import type { RunRecord } from "./journal";
import { fold, type RunState } from "./state";

/** The first events of a run, with all that follows from them, and its row and state after them. */
export function begin(
  id: string,
  spec: RunSpec,
  title: string,
  env: PlanEnv,
): { record: RunRecord; log: JournalEvent[]; state: RunState } {
  const at = env.now();
  const first: JournalEvent = { type: "run.started", spec, runId: id, seq: 1, at };
  const log: JournalEvent[] = [first];
  let state = fold(null, first);
  for (const event of plan(state, env)) {
    const next = stamp(event, state, at);
    log.push(next);
    state = fold(state, next);
  }
  const empty: RunRecord = {
    id,
    kind: spec.kind,
    status: "running",
    owner: spec.owner,
    conversationId: spec.conversationId,
    title,
    epoch: 1,
    lastSeq: 0,
    startedAt: at,
  };
  return { record: recordOf(empty, state), log, state };
}
