import type { TurnBatch, TurnCursor } from "@/agent/contract/conversation";
import { effectOf } from "../loop/plan";
import type { ActiveRun } from "./active-run";
import type { Clock } from "./clock";
import type { RunEngine } from "./engine";
import { isEmpty, readTurn, TURN_START, type TurnSlice } from "./read-turn";
import { allCalls } from "./state";

/** Deltas that come faster than this travel together. The first after a pause never waits. */
const BATCH_MS = 4;

export interface Reader {
  /** The document that reads; the handlers of write tools are called in the document that began the run only. */
  documentId: string;
  /** Where the reader is; left out, it has seen nothing. */
  cursor?: TurnCursor;
}

/**
 * Everything about a run from the reader's cursor to its end, live. The last batch of a run that ended well carries the reply.
 * A reader that comes back, in this worker or a new one, goes on exactly where it broke.
 */
export async function* follow(
  engine: RunEngine,
  runId: string,
  reader: Reader,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<TurnBatch, void, void> {
  const { run, attach } = await engine.open(runId);
  const detach = attach();
  let readEnd = false;
  try {
    let cursor = reader.cursor ?? TURN_START;
    let yieldedAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      const { version } = run;
      const slice = readTurn(run.log, run.live, cursor);
      cursor = slice.cursor;
      if (!isEmpty(slice)) {
        yield batchFor(slice, run, reader);
        if (slice.ended) readEnd = true;
        yieldedAt = clock.now();
      }
      if (run.state.end && cursor.seq === run.log.length) {
        readEnd = true;
        return;
      }
      if (run.broken) throw run.broken;
      await run.changed(version, signal);
      await gatherDeltas(run, cursor.seq, yieldedAt + BATCH_MS - clock.now(), clock, signal);
    }
  } finally {
    detach(readEnd);
  }
}

function batchFor(slice: TurnSlice, run: ActiveRun, reader: Reader): TurnBatch {
  const { cursor, chunks, cancelled, reply } = slice;
  const toolRequests = slice.toolRequests.filter(({ callId }) => mayAnswer(run, callId, reader));
  for (const { callId } of toolRequests) run.delivered.add(callId);
  const batch: TurnBatch = { cursor, chunks, toolRequests, cancelled };
  if (reply) batch.reply = reply;
  return batch;
}

/**
 * The document that began the run remembers which calls it has seen, so it may be told again. Another one does not, and may only be
 * given calls that can be repeated without harm.
 */
function mayAnswer(run: ActiveRun, callId: string, reader: Reader): boolean {
  if (reader.documentId === run.state.spec.documentId) return true;
  const call = allCalls(run.state).find((candidate) => candidate.id === callId);
  return call !== undefined && effectOf(run.state, call.name) !== "write";
}

/** Waits out the rest of a batch's time, unless the journal has news: those are never held back. */
function gatherDeltas(
  run: ActiveRun,
  seen: number,
  ms: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  if (ms <= 0 || ms > BATCH_MS || run.log.length > seen || run.broken || signal.aborted) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      stopListening();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    const stopListening = run.onJournal(end);
    signal.addEventListener("abort", end, { once: true });
  });
}
