import type { ActiveRun } from "../run/active-run";
import { type CallState, openCalls } from "../run/state";
import type { LoopEnv } from "./env";
import { effectOf } from "./plan";

/** A page that went away may be reloading or resting in the back-forward cache. */
export const PAGE_GRACE_MS = 30_000;
/** How long a background run waits for its script to come back for a call that may be made again. */
const SCRIPT_WAIT_MS = 300_000;
/** How long tools are waited for with the worker kept awake. After that the journal remembers, and an outcome wakes the worker. */
const AWAKE_MS = 300_000;

/**
 * Waits until every tool call that was asked for has its outcome, or the run is told to end. Outcomes come from the script by
 * `RunEngine.deliver`. A background run gives up calls whose page is gone.
 */
export async function awaitTools(run: ActiveRun, env: LoopEnv): Promise<void> {
  const release = env.hold("agent tool call");
  const cancelRest = env.clock.after(AWAKE_MS, release);
  try {
    while (!run.signal.aborted) {
      const { version } = run;
      const waiting = openCalls(run.state).filter((call) => call.status === "requested");
      if (waiting.length === 0) return;
      const now = env.clock.now();
      const lost = waiting.filter((call) => patience(run, call, now) <= 0);
      if (lost.length > 0) await giveUp(run, lost);
      else
        await newsOrTimeout(run, version, Math.min(...waiting.map((call) => patience(run, call, now))), env);
    }
  } finally {
    cancelRest();
    release();
  }
}

/** ms for which a call is still waited for. */
function patience(run: ActiveRun, call: CallState, now: number): number {
  if (run.attached > 0 || !run.state.spec.background) return Number.POSITIVE_INFINITY;
  const since = Math.max(run.detachedAt, call.requestedAt);
  const repeatable = effectOf(run.state, call.name) !== "write" || !run.delivered.has(call.id);
  return since + (repeatable ? SCRIPT_WAIT_MS : PAGE_GRACE_MS) - now;
}

function giveUp(run: ActiveRun, lost: readonly CallState[]): Promise<void> {
  return run.commit((state) =>
    openCalls(state)
      .filter((call) => lost.some((one) => one.id === call.id))
      .map((call) => ({
        type: "tool.completed" as const,
        callId: call.id,
        name: call.name,
        result: run.delivered.has(call.id)
          ? "Interrupted, outcome unknown: the page that runs this tool is gone. Look before you repeat."
          : "The page that runs this tool is gone, so the call was not made.",
        isError: true,
        by: "engine" as const,
      })),
  );
}

async function newsOrTimeout(run: ActiveRun, version: number, ms: number, env: LoopEnv): Promise<void> {
  const news = run.changed(version, run.signal);
  if (ms === Number.POSITIVE_INFINITY) return news;
  let cancel: () => void = () => undefined;
  const timeout = new Promise<void>((resolve) => {
    cancel = env.clock.after(ms, resolve);
  });
  await Promise.race([news, timeout]);
  cancel();
}
