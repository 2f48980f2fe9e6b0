import { modelMessages } from "../context/history";
import type { StoredMessage } from "../context/messages";
import type { ModelClient, ModelEvent, ModelRequest, ResolvedModel } from "../models/types";
import type { RunState } from "../run/state";

/** The model of a run, found once per worker. */
export interface Model {
  model: ResolvedModel;
  client: ModelClient;
}

/** A model call that is under way. */
export interface SentCall {
  modelId: string;
  events: AsyncIterator<ModelEvent, unknown>;
  /** The first of `events`, asked for already: a stream begins when it is read. */
  first: Promise<IteratorResult<ModelEvent, unknown>>;
}

/** Sends the call that `state` asks for. What goes wrong is learned by who reads it. */
export function sendCall(
  state: RunState,
  sources: { model: () => Promise<Model>; history: () => Promise<StoredMessage[]> },
  signal: AbortSignal,
): Promise<SentCall> {
  const sent = (async () => {
    const [{ model, client }, history] = await Promise.all([sources.model(), sources.history()]);
    const events = client.stream(requestOf(state, history), signal)[Symbol.asyncIterator]();
    const first = events.next();
    heard(first);
    return { modelId: model.id, events, first };
  })();
  heard(sent);
  return sent;
}

/** Its rejection is met later, when it is read; until then it counts as handled. */
function heard(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}

function requestOf(state: RunState, history: readonly StoredMessage[]): ModelRequest {
  return {
    messages: modelMessages(history, state),
    tools: state.spec.tools.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: { type: "object", ...parameters },
    })),
    cache: state.spec.cache,
  };
}
