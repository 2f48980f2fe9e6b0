import type { ErrorCode } from "@/agent/contract/conversation";
import { ModelError } from "../models/types";
import type { ActiveRun } from "../run/active-run";
import { AbortableWait } from "../run/clock";
import { type AssistantPart, type RunEvent, textOf, thinkingOf } from "../run/events";
import { LiveText } from "../run/live";
import { allCalls, type OpenAttempt, type RunState } from "../run/state";
import { Checkpoints } from "./checkpoints";
import type { LoopEnv } from "./env";
import { retryDelay } from "./retry";
import type { SentCall } from "./send-call";

/**
 * Reads the model call whose intent is the newest in the journal to its end, and journals how it ended. Deltas are shown to readers as they
 * come; the journal gets a checkpoint of them every 250 ms or 2 KB.
 * Returns without an outcome when the run was told to end: the loop writes that.
 */
export async function callModel(
  run: ActiveRun,
  attempt: OpenAttempt,
  sent: Promise<SentCall>,
  env: LoopEnv,
): Promise<void> {
  const live = new LiveText(attempt.id);
  run.live = live;
  const checkpoints = new Checkpoints(run, live, env);
  const wait = new AbortableWait(run.signal);
  let outcome: RunEvent;
  try {
    const call = await wait.for(sent);
    outcome = await readAnswer(call, { run, live, attempt, checkpoints, wait, env });
  } catch (error) {
    if (run.signal.aborted) return;
    outcome = failureEvent(run.state, attempt, live, error, env);
  } finally {
    checkpoints.stop();
    wait.end();
  }
  await run.commit((state) => (state.attempt?.id === attempt.id ? withEnd(outcome) : []));
}

/** A failure that is not tried again ends the run. */
function withEnd(outcome: RunEvent): RunEvent[] {
  if (outcome.type !== "model.failed" || outcome.retryAt !== undefined) return [outcome];
  return [outcome, { type: "run.failed", code: outcome.code, message: outcome.message }];
}

interface Answering {
  run: ActiveRun;
  live: LiveText;
  attempt: OpenAttempt;
  checkpoints: Checkpoints;
  wait: AbortableWait;
  env: LoopEnv;
}

async function readAnswer({ modelId, events, first }: SentCall, to: Answering): Promise<RunEvent> {
  const { run, live, attempt, checkpoints, wait, env } = to;
  let firstTokenMs: number | undefined;
  for (let next = first; ; next = events.next()) {
    const { done, value } = await wait.for(next);
    if (done) {
      throw new ModelError("The model's stream ended in the middle of its answer.", {
        code: "api_error",
        retryable: true,
      });
    }
    if (value.type === "finish") {
      return {
        type: "model.completed",
        attempt: attempt.id,
        modelId,
        content: uniqueCallIds(asShown(value.content, live), run.state),
        finish: value.reason,
        ...(value.usage && { usage: value.usage }),
        ...(firstTokenMs !== undefined && { firstTokenMs }),
        ...finishWarning(value.reason),
      };
    }
    if (value.type === "tool-call") continue; // Comes again, whole and in its place, with `finish`.
    firstTokenMs ??= env.clock.now() - attempt.requestedAt;
    live.push(value.type, value.text);
    run.notify();
    checkpoints.grown();
  }
}

/** The stored answer must be the one that was shown: where a client's final content says otherwise, the shown text wins. */
function asShown(content: AssistantPart[], live: LiveText): AssistantPart[] {
  let parts = content;
  if (!textOf(parts).startsWith(live.text)) parts = withJoined(parts, "text", live.text);
  if (!thinkingOf(parts).startsWith(live.thinking)) parts = withJoined(parts, "thinking", live.thinking);
  return parts;
}

function withJoined(content: AssistantPart[], type: "text" | "thinking", text: string): AssistantPart[] {
  const at = Math.max(
    0,
    content.findIndex((part) => part.type === type),
  );
  const rest = content.filter((part) => part.type !== type);
  return [...rest.slice(0, at), { type, text }, ...rest.slice(at)];
}

/** Some hosts number calls anew in every answer, or not at all; within a run an id must mean one call. */
function uniqueCallIds(content: AssistantPart[], state: RunState): AssistantPart[] {
  const used = new Set(allCalls(state).map((call) => call.id));
  return content.map((part) => {
    if (part.type !== "tool-call") return part;
    let id = part.id;
    for (let n = 1; id === "" || used.has(id); n++) id = `${part.id || "call"}_${state.rounds.length}_${n}`;
    used.add(id);
    return id === part.id ? part : { ...part, id };
  });
}

function finishWarning(reason: string): { warning?: string } {
  if (reason === "length") {
    return { warning: "The answer was cut off at the model's limit of output tokens." };
  }
  if (reason === "content-filter")
    return { warning: "The model host withheld a part of the answer (content filter)." };
  return {};
}

function failureEvent(
  state: RunState,
  attempt: OpenAttempt,
  live: LiveText,
  error: unknown,
  env: LoopEnv,
): RunEvent {
  const failed = describe(error);
  const delay = failed.retryable ? retryDelay(state.failures + 1, failed.retryAfterMs, env.random()) : null;
  return {
    type: "model.failed",
    attempt: attempt.id,
    code: failed.code,
    message: failed.message,
    ...(failed.status !== undefined && { status: failed.status }),
    ...(delay === null
      ? { kept: { text: live.text, thinking: live.thinking } }
      : { retryAt: env.clock.now() + delay }),
  };
}

interface Failure {
  code: ErrorCode;
  message: string;
  retryable: boolean;
  status?: number;
  retryAfterMs?: number;
}

/** Model errors say what can be done about them; of others only a code is taken, and they are not tried again. */
function describe(error: unknown): Failure {
  if (error instanceof ModelError) {
    const { code, message, retryable, status, retryAfterMs } = error;
    return { code, message, retryable, status, retryAfterMs };
  }
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return { code: code === "no_model" || code === "auth" ? code : "api_error", message, retryable: false };
}
