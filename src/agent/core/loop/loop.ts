import type { StoredMessage } from "../context/messages";
import type { ActiveRun, Ending } from "../run/active-run";
import { sleep } from "../run/clock";
import type { RunEvent } from "../run/events";
import type { LiveText } from "../run/live";
import { openCalls, type RunState } from "../run/state";
import { callModel } from "./call-model";
import type { LoopEnv } from "./env";
import { type Model, type SentCall, sendCall } from "./send-call";
import { awaitTools } from "./wait-tools";

/** A run whose worker died this often in one round takes the worker down with it, so it is not taken up once more. */
const MAX_INTERRUPTIONS = 50;

/**
 * Drives a run to its end: call the model, have its tool calls answered, tell it the results, again. Where to go on is read from
 * the folded journal alone, so taking up a run after a worker death is calling this again.
 *
 * @param takenUp an earlier worker began the run
 * Resolves when the run has ended in the journal. Rejects when the journal cannot be written (LeaseLostError and storage
 * errors): the run has then not ended, and the next worker goes on with it.
 */
export async function drive(run: ActiveRun, env: LoopEnv, takenUp: boolean): Promise<void> {
  const sources = {
    model: once<Model>(() => env.resolveModel(run.state.modelId || undefined)),
    history: once<StoredMessage[]>(() => env.history(run.state.spec)),
  };
  const calls = new Map<string, Promise<SentCall>>();
  const callOf = (state: RunState, attempt: string): Promise<SentCall> => {
    const sent = calls.get(attempt) ?? sendCall(state, sources, run.signal);
    calls.clear();
    calls.set(attempt, sent);
    return sent;
  };
  run.onModelCall = (state) => void (state.attempt && callOf(state, state.attempt.id));
  if (takenUp) await run.commit(closeInterrupted);
  while (!run.state.end) {
    if (run.broken) throw run.broken;
    const { attempt, retryAt } = run.state;
    if (run.ending) {
      const { ending } = run;
      await run.commit((state) => endEvents(state, run.live, ending));
    } else if (attempt) {
      const sent = callOf(run.state, attempt.id);
      await working(env, () => callModel(run, attempt, sent, env));
    } else if (openCalls(run.state).length > 0) {
      await awaitTools(run, env);
    } else if (retryAt !== null) {
      await working(env, () => backOff(run, retryAt, env));
    } else {
      throw new Error(`Run ${run.id} has nothing to do and no end. This is a fault of the engine.`);
    }
  }
}

async function backOff(run: ActiveRun, until: number, env: LoopEnv): Promise<void> {
  try {
    await sleep(env.clock, Math.max(0, until - env.clock.now()), run.signal);
  } catch (error) {
    if (run.signal.aborted) return; // The loop looks why, and writes the end.
    throw error;
  }
  await run.commit(() => []);
}

/** A model call that a dead worker had begun is closed; the plan then makes a new one. */
function closeInterrupted(state: RunState): RunEvent[] {
  if (!state.attempt) return [];
  const attempt = state.attempt.id;
  if (state.interruptions < MAX_INTERRUPTIONS) return [{ type: "model.interrupted", attempt }];
  const message = `The extension restarted ${state.interruptions} times during one model call, so it was given up.`;
  return endEvents(state, null, { type: "run.failed", code: "api_error", message });
}

/** The events of an early end: what the model had said stays, and every open call is answered. */
export function endEvents(state: RunState, live: LiveText | null, ending: Ending): RunEvent[] {
  const events: RunEvent[] = [];
  const { attempt } = state;
  if (attempt) {
    const { text, thinking } = live?.attempt === attempt.id ? live : attempt;
    events.push({
      type: "model.failed",
      attempt: attempt.id,
      code: ending.type === "run.failed" ? ending.code : "cancelled",
      message: ending.message,
      kept: { text, thinking },
    });
  }
  for (const call of openCalls(state)) {
    const result =
      call.status === "requested"
        ? "The turn was ended while this call ran. Whether it took effect is not known."
        : "The turn was ended before this call was made.";
    events.push({
      type: "tool.completed",
      callId: call.id,
      name: call.name,
      result,
      isError: true,
      by: "engine",
    });
  }
  events.push(ending);
  return events;
}

async function working<T>(env: LoopEnv, work: () => Promise<T>): Promise<T> {
  const release = env.hold("agent run");
  try {
    return await work();
  } finally {
    release();
  }
}

/** Remembers a success; a failure is tried anew the next time. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = null;
      throw error;
    });
    return loaded;
  };
}
