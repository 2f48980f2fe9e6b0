import { objectRepairPrompt } from "../prompts/system";
import type { JournalEvent, RunEvent } from "../run/events";
import { textOf } from "../run/events";
import { type CallState, fold, openCalls, type RunState } from "../run/state";
import { checkArguments } from "../tools/arguments";
import { readObject } from "../tools/object";

/** What planning needs of the outside; injected, so that it is the same in every test. */
export interface PlanEnv {
  now(): number;
  newId(): string;
}

/**
 * The events that follow from a state without anything having to happen first: the intents of what is to be done next, and the
 * end when nothing is. They go into the transaction of the events that led there, so a tool round costs two writes. None
 * means that the run waits for something: a model, a tool, or the time of the next try.
 */
export function plan(state: RunState, env: PlanEnv): RunEvent[] {
  const planned: RunEvent[] = [];
  let now = state;
  for (;;) {
    const next = planStep(now, env);
    if (next.length === 0) return planned;
    planned.push(...next);
    for (const event of next) now = fold(now, stamp(event, now, env.now()));
  }
}

/** Gives an event its place after a state. */
export function stamp(event: RunEvent, after: RunState, at: number): JournalEvent {
  return { ...event, runId: after.runId, seq: after.seq + 1, at };
}

function planStep(state: RunState, env: PlanEnv): RunEvent[] {
  if (state.end || state.attempt) return [];
  const open = openCalls(state);
  if (open.length > 0) return planCalls(state, open);
  const last = state.rounds.at(-1);
  if (last && last.calls.length === 0 && last.objection === undefined) return planEnd(state);
  const limit = limitReached(state);
  if (limit) return [limit];
  if (state.retryAt !== null && env.now() < state.retryAt) return [];
  const round = state.rounds.length;
  const tries = state.failures + state.interruptions;
  return [{ type: "model.requested", attempt: env.newId(), round, try: tries }];
}

/** Calls that only read run side by side; one that writes runs alone, in the order in which the model asked. */
function planCalls(state: RunState, open: readonly CallState[]): RunEvent[] {
  if (open.some((call) => call.status === "requested")) return [];
  const events: RunEvent[] = [];
  for (const call of open) {
    const parallel = effectOf(state, call.name) !== "write";
    if (events.length > 0 && !parallel) break;
    events.push(startCall(state, call));
    if (!parallel) break;
  }
  return events;
}

/** What a repeat of a call may do. Script tools write unless they say otherwise. */
export function effectOf(state: RunState, toolName: string): "read" | "idempotent" | "write" {
  return state.spec.tools.find((tool) => tool.name === toolName)?.effect ?? "write";
}

function startCall(state: RunState, call: CallState): RunEvent {
  const tool = state.spec.tools.find((candidate) => candidate.name === call.name);
  const refuse = (result: string): RunEvent => ({
    type: "tool.completed",
    callId: call.id,
    name: call.name,
    result,
    isError: true,
    by: "engine",
  });
  if (!tool) {
    const names = state.spec.tools.map((t) => t.name).join(", ");
    return refuse(`There is no tool "${call.name}". ${names ? `There are: ${names}.` : "There are none."}`);
  }
  const checked = checkArguments(tool, call.arguments);
  if (!checked.ok) return refuse(checked.problem);
  return { type: "tool.requested", callId: call.id, name: call.name, args: checked.args };
}

function planEnd(state: RunState): RunEvent[] {
  const { schema } = state.spec;
  if (!schema) return [{ type: "run.completed" }];
  const found = readObject(textOf(state.rounds.at(-1)?.content ?? []), schema);
  if (found.ok) return [{ type: "run.completed", object: found.object }];
  if (state.rounds.every((round) => round.objection === undefined)) {
    return [{ type: "object.rejected", problems: objectRepairPrompt(found.problems) }];
  }
  const message = `The model's answer does not fit the schema, also after it was told so: ${found.problems}`;
  return [{ type: "run.failed", code: "api_error", message }];
}

function limitReached(state: RunState): RunEvent | null {
  const { maxIterations, budget } = state.spec;
  const used = state.usage.inputTokens + state.usage.outputTokens;
  if (state.rounds.length >= maxIterations) {
    const message = `The model still wanted to go on after ${maxIterations} rounds (maxIterations).`;
    return { type: "run.failed", code: "max_iterations", message };
  }
  if (budget.rounds !== undefined && state.rounds.length >= budget.rounds) {
    return overBudget(`${budget.rounds} rounds`);
  }
  if (budget.tokens !== undefined && used >= budget.tokens) {
    return overBudget(`${budget.tokens} tokens (${used} used)`);
  }
  return null;
}

/** The end of a run whose budget is spent. */
export function overBudget(what: string): RunEvent & { type: "run.failed" } {
  return { type: "run.failed", code: "budget_exceeded", message: `The turn's budget of ${what} is spent.` };
}
