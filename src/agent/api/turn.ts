import type {
  ConversationContract,
  StreamChunk,
  ToolRequest,
  TurnBatch,
  TurnInput,
} from "@/agent/contract/conversation";
import { bounded, MAX_RESULT_CHARS } from "@/agent/contract/tool-result";
import { whenAborted } from "@/rpc/abort";
import { REPEATABLE } from "@/rpc/client";
import type { Client } from "@/rpc/contract";
import { NamedError } from "@/rpc/errors";
import { stringify } from "./support";
import type { AgentSession, ToolDefinition } from "./types";

/**
 * One turn, from this document's side: it starts at once, runs the tools whose handlers live here, and yields the batches of the
 * stream, which goes on by itself after a worker death. A call that was seen once is never run again, whoever asks.
 *
 * Leaving it before its end, or aborting `signal`, stops the turn; what it produced stays in the conversation.
 */
export function openTurn(
  session: AgentSession,
  conversation: Client<ConversationContract>,
  input: TurnInput,
  tools: readonly ToolDefinition[],
  signal: AbortSignal | undefined,
): AsyncGenerator<TurnBatch, void, void> {
  const { conversationId, turnId } = input;
  const calls: Record<string, AbortController> = Object.create(null);
  const leave = new AbortController();
  /** Nothing is left to be stopped. */
  let over = signal?.aborted ?? false;
  const onAbort = () => {
    leave.abort(new NamedError("AbortError", "The turn was aborted.", { code: "cancelled" }));
    stopTurn();
  };
  if (over) onAbort();
  const stopListening = whenAborted(signal, onAbort);

  const batches = conversation.stream("turn", input, {
    signal: leave.signal,
    resume: (last) => (last ? { ...input, cursor: last.cursor } : input),
  });
  return follow();

  async function* follow(): AsyncGenerator<TurnBatch, void, void> {
    try {
      for await (const batch of batches) {
        for (const callId of batch.cancelled) calls[callId]?.abort();
        for (const request of batch.toolRequests) answer(request);
        const ended = batch.reply || batch.chunks.some((chunk) => chunk.type === "error");
        if (ended) over = true;
        yield batch;
        // The end of the stream itself is not waited for: it may need a new worker, which has nothing to add.
        if (ended) return;
      }
      over = true;
    } catch (error) {
      over = true;
      throw error;
    } finally {
      stopListening();
      for (const callId in calls) calls[callId]?.abort();
      stopTurn();
    }
  }

  function stopTurn(): void {
    if (over) return;
    over = true;
    conversation
      .call("stop", { conversationId, turnId }, REPEATABLE)
      .catch((error: unknown) => session.reportError(error));
  }

  function answer({ runId, callId, name, args }: ToolRequest): void {
    if (calls[callId]) return;
    const call = new AbortController();
    calls[callId] = call;
    outcomeOf(tools, name, args, call.signal)
      .then((outcome) => {
        // Repeated until the worker has it: the outcome survives the worker's death here.
        if (!call.signal.aborted) {
          return conversation.call("toolResult", { runId, callId, outcome }, REPEATABLE);
        }
      })
      .catch((error: unknown) => leave.abort(error));
  }
}

/** Cut here already, since a message between contexts carries only so much; with the note it is within what the model is shown. */
const MOST_SENT = MAX_RESULT_CHARS - 200;

type Outcome = { ok: true; value: unknown } | { ok: false; error: string };

async function outcomeOf(
  tools: readonly ToolDefinition[],
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const tool = tools.find((candidate) => candidate.name === name);
    if (!tool) return { ok: false, error: `The script has no tool "${name}" any more.` };
    const value = await tool.handler(args, signal);
    if (value === undefined) return { ok: true, value };
    const text = typeof value === "string" ? value : (stringify(value) as string | undefined);
    if (text !== undefined) return { ok: true, value: bounded(text, MOST_SENT) };
    return { ok: false, error: `The tool returned a ${typeof value}, which has no JSON form.` };
  } catch (error) {
    return { ok: false, error: bounded(wordsOf(error), MOST_SENT) };
  }
}

/** Anything can be thrown, also what cannot be read. */
function wordsOf(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return "It threw what has no text.";
  }
}

/** The error that a turn ended with. Its code is one of the API's error codes. */
export function turnError({ error, errorCode }: StreamChunk): NamedError {
  const name = errorCode === "cancelled" ? "AbortError" : "AgentError";
  return new NamedError(name, error ?? "The turn failed.", { code: errorCode });
}
