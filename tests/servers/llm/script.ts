import type { ChatRequest, Fault, Responder, Turn } from "./types";

/** Finds the turn for a request; undefined when the script has none left. */
export interface Script {
  next(request: ChatRequest): Promise<Turn | undefined>;
  /** Turns not taken yet; undefined when the script is no list. */
  remaining(): number | undefined;
}

/**
 * Turns in order, or a function that is asked for each request. Of a list, each request takes the first turn not taken
 * yet that fits it.
 */
export function scriptInOrder(source: Turn[] | Responder): Script {
  if (typeof source === "function")
    return { next: async (request) => source(request), remaining: () => undefined };
  const left = [...source];
  return {
    next: async (request) => {
      const at = left.findIndex((turn) => fits(turn, request));
      return at < 0 ? undefined : left.splice(at, 1)[0];
    },
    remaining: () => left.length,
  };
}

/**
 * The turn depends on the conversation's state: a request repeated after an interruption gets the same answer as the
 * first time (with new tool call ids, as a real model would give). Of a list, the conversation with n assistant messages
 * gets the n-th turn that fits it; a function is asked once per state. A fault with `times` is gone after so many requests of that state.
 */
export function scriptByState(source: Turn[] | Responder): Script {
  const known = new Map<string, Promise<Turn | undefined>>();
  const choose = async (request: ChatRequest): Promise<Turn | undefined> => {
    if (typeof source === "function") return source(request);
    return source.filter((turn) => fits(turn, request))[request.assistantTurns];
  };
  return {
    next: async (request) => {
      // The promise is kept, not the turn: two requests of one state at the same time must agree too.
      const chosen = known.get(request.key) ?? choose(request);
      known.set(request.key, chosen);
      const turn = await chosen;
      if (!turn?.fault || !isOver(turn.fault, request.attempt)) return turn;
      const { fault: _over, ...healthy } = turn;
      return healthy;
    },
    remaining: () => undefined,
  };
}

function isOver(fault: Fault, attempt: number): boolean {
  return fault.times !== undefined && attempt >= fault.times;
}

function fits(turn: Turn, request: ChatRequest): boolean {
  const { match } = turn;
  if (match === undefined) return true;
  if (typeof match === "function") return match(request);
  if (match.protocol !== undefined && match.protocol !== request.protocol) return false;
  if (match.model !== undefined && match.model !== request.model) return false;
  return match.contains === undefined || request.lastUserText.includes(match.contains);
}
