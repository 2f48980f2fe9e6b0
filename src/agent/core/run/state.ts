import type { ErrorCode, TokenUsage } from "@/agent/contract/conversation";
import { type AssistantPart, addUsage, type JournalEvent, type RunSpec } from "./events";

/** One tool call of the model. `requested`: its intent is in the journal, its outcome is not. */
export interface CallState {
  id: string;
  name: string;
  /** JSON text as the model wrote it. */
  arguments: string;
  status: "pending" | "requested" | "done";
  /** ms since the epoch; 0 before. */
  requestedAt: number;
  result: string;
  isError: boolean;
}

/** A completed model call and the calls that it asked for. */
export interface Round {
  content: AssistantPart[];
  calls: CallState[];
  /** What the model was told after this answer because the answer could not be used. */
  objection?: string;
}

/** A model call whose end is not in the journal. */
export interface OpenAttempt {
  id: string;
  round: number;
  try: number;
  requestedAt: number;
  /** As far as checkpoints go. */
  text: string;
  thinking: string;
}

export interface RunEnd {
  status: "done" | "error" | "stopped";
  at: number;
  code?: ErrorCode;
  message?: string;
  object?: unknown;
}

/** Where a run stands: a pure fold over its journal, so that any worker that reads the journal knows all there is to know. */
export interface RunState {
  runId: string;
  spec: RunSpec;
  startedAt: number;
  /** Number of the newest event. */
  seq: number;
  rounds: Round[];
  attempt: OpenAttempt | null;
  /** Tries of the current round so far: those that failed, and those that died with a worker. */
  failures: number;
  interruptions: number;
  /** Earliest time of the next try, ms since the epoch; null when none is due. */
  retryAt: number | null;
  /** The model that answered first; a run does not change its model. */
  modelId: string;
  usage: TokenUsage;
  warnings: string[];
  end: RunEnd | null;
}

/**
 * The next state. Pure: the state given is not changed.
 * @param state null before the first event
 * @throws Error when the events are no journal of a run: such a journal was damaged, and going on would do harm
 */
export function fold(state: RunState | null, event: JournalEvent): RunState {
  if (event.type === "run.started") {
    if (state) throw new Error(`The journal of run ${event.runId} starts twice.`);
    return begin(event);
  }
  if (!state) throw new Error(`The journal of run ${event.runId} starts with "${event.type}".`);
  if (event.seq !== state.seq + 1) {
    throw new Error(`The journal of run ${state.runId} has event ${event.seq} after event ${state.seq}.`);
  }
  return { ...state, seq: event.seq, ...change(state, event) };
}

/** Folds a whole journal; null for an empty one. */
export function foldAll(events: readonly JournalEvent[], from: RunState | null = null): RunState | null {
  let state = from;
  for (const event of events) state = fold(state, event);
  return state;
}

/** The calls of the newest round that have no outcome yet. */
export function openCalls(state: RunState): CallState[] {
  return state.rounds.at(-1)?.calls.filter((call) => call.status !== "done") ?? [];
}

/** All calls of the run, in order. */
export function allCalls(state: RunState): CallState[] {
  return state.rounds.flatMap((round) => round.calls);
}

function begin(event: JournalEvent & { type: "run.started" }): RunState {
  return {
    runId: event.runId,
    spec: event.spec,
    startedAt: event.at,
    seq: event.seq,
    rounds: [],
    attempt: null,
    failures: 0,
    interruptions: 0,
    retryAt: null,
    modelId: event.spec.modelId,
    usage: { inputTokens: 0, outputTokens: 0 },
    warnings: [],
    end: null,
  };
}

function change(state: RunState, event: Exclude<JournalEvent, { type: "run.started" }>): Partial<RunState> {
  switch (event.type) {
    case "model.requested":
      return {
        attempt: {
          id: event.attempt,
          round: event.round,
          try: event.try,
          requestedAt: event.at,
          text: "",
          thinking: "",
        },
        retryAt: null,
      };
    case "model.delta": {
      const { attempt } = state;
      if (attempt?.id !== event.attempt) return {};
      const text = attempt.text + event.text;
      return { attempt: { ...attempt, text, thinking: attempt.thinking + event.thinking } };
    }
    case "model.completed":
      return {
        attempt: null,
        failures: 0,
        interruptions: 0,
        modelId: event.modelId,
        rounds: [...state.rounds, { content: event.content, calls: callsOf(event.content) }],
        usage: addUsage(state.usage, event.usage),
        warnings: event.warning ? [...state.warnings, event.warning] : state.warnings,
      };
    case "model.failed":
      return { attempt: null, failures: state.failures + 1, retryAt: event.retryAt ?? null };
    case "model.interrupted":
      return { attempt: null, interruptions: state.interruptions + 1 };
    case "tool.requested":
      return withCall(state, event.callId, { status: "requested", requestedAt: event.at });
    case "tool.completed":
      return withCall(state, event.callId, {
        status: "done",
        result: event.result,
        isError: event.isError,
      });
    case "object.rejected":
      return { rounds: withLast(state.rounds, (round) => ({ ...round, objection: event.problems })) };
    case "run.completed":
      return { end: { status: "done", at: event.at, object: event.object } };
    case "run.failed":
      return { end: { status: "error", at: event.at, code: event.code, message: event.message } };
    case "run.stopped":
      return { end: { status: "stopped", at: event.at, code: "cancelled", message: event.message } };
  }
}

function callsOf(content: readonly AssistantPart[]): CallState[] {
  return content.flatMap((part) =>
    part.type === "tool-call"
      ? [
          {
            id: part.id,
            name: part.name,
            arguments: part.arguments,
            status: "pending" as const,
            requestedAt: 0,
            result: "",
            isError: false,
          },
        ]
      : [],
  );
}

function withCall(state: RunState, callId: string, patch: Partial<CallState>): Partial<RunState> {
  return {
    rounds: withLast(state.rounds, (round) => ({
      ...round,
      calls: round.calls.map((call) => (call.id === callId ? { ...call, ...patch } : call)),
    })),
  };
}

function withLast(rounds: Round[], update: (round: Round) => Round): Round[] {
  const last = rounds.at(-1);
  return last ? [...rounds.slice(0, -1), update(last)] : rounds;
}
