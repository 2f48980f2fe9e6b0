import type { ServerResponse } from "node:http";
import { now, pause, sendJson } from "../http/exchange";
import type { Answer, StreamWriter, WireError } from "./answer";
import { Gate, type GateBook } from "./gate";
import { SseSink } from "./sse-sink";
import type { Fault, GateRef, RecordedRequest, Turn } from "./types";

/** What one wire provides to play an answer. */
export interface Wire {
  stream(answer: Answer): StreamWriter;
  body(answer: Answer): Record<string, unknown>;
  errorBody(error: WireError): Record<string, unknown>;
  /** Headers that the vendor sends with every answer. */
  headers: Record<string, string>;
}

interface Playing {
  res: ServerResponse;
  wire: Wire;
  turn: Turn;
  answer: Answer;
  stream: boolean;
  record: RecordedRequest;
  gates: GateBook;
  /** Aborts when the client leaves. */
  gone: AbortSignal;
}

const SSE_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
};

/** Sends a turn: delays, gates and faults included. Sets the record's outcome; a client that leaves ends it early. */
export async function playTurn(play: Playing): Promise<void> {
  const { res, turn, record, gone, wire } = play;
  const { fault } = turn;
  if (fault && "hangBeforeHeaders" in fault) {
    record.outcome = "fault";
    await untilGone(gone);
    return;
  }
  if (!(await pause(turn.delays?.beforeHeadersMs ?? 0, gone))) return;
  record.headersSentAt = now();
  if (fault && "status" in fault) {
    record.outcome = "fault";
    record.status = fault.status;
    const body =
      fault.body ?? wire.errorBody({ status: fault.status, message: scriptedMessage(fault.status) });
    const headers = { ...wire.headers, ...fault.headers };
    if (typeof body === "string") res.writeHead(fault.status, headers).end(body);
    else sendJson(res, fault.status, body, headers);
    return;
  }
  if (fault && "raw" in fault) return playRaw(play, fault);
  if (play.stream) return playStream(play);
  return playWhole(play);
}

async function playRaw(play: Playing, fault: Extract<Fault, { raw: string[] }>): Promise<void> {
  const { res, record, turn, wire } = play;
  record.outcome = "fault";
  record.status = fault.rawStatus ?? 200;
  res.writeHead(record.status, { ...(play.stream ? SSE_HEADERS : {}), ...wire.headers, ...fault.rawHeaders });
  res.flushHeaders();
  const sink = new SseSink(res, turn.chunking?.bytes);
  for (const piece of fault.raw) {
    await sink.write([piece]);
    if (!(await pause(turn.delays?.betweenMs ?? 0, play.gone))) return;
  }
  await sink.flush();
  res.end();
}

async function playStream(play: Playing): Promise<void> {
  const { res, turn, answer, record, gone, wire } = play;
  const { fault } = turn;
  record.status = 200;
  res.writeHead(200, { ...SSE_HEADERS, ...wire.headers });
  res.flushHeaders();
  if (fault && "emptyStream" in fault) {
    record.outcome = "fault";
    res.end();
    return;
  }
  const gate = turn.gate === undefined ? undefined : gateOf(turn.gate, play.gates);
  const { length } = answer.deltas;
  const latest = Math.max(gate?.afterDeltas ?? 0, fault ? dueAfter(fault) : 0);
  if (latest > length)
    throw new Error(`The turn's gate or fault is due after ${latest} deltas, but it has ${length}.`);
  const betweenMs = turn.delays?.betweenMs ?? 0;
  const sink = new SseSink(res, turn.chunking?.bytes);
  const writer = wire.stream(answer);
  await sink.write(writer.open());
  for (const delta of [...answer.deltas, null]) {
    if (gate?.afterDeltas === record.deltasSent) {
      await sink.flush();
      if (!(await gate.gate.wait(gone))) return;
    }
    if (fault && dueAfter(fault) === record.deltasSent) {
      await sink.flush();
      return breakStream(play, fault, sink, writer);
    }
    if (delta === null) break;
    if (record.deltasSent > 0 && betweenMs > 0) {
      await sink.flush();
      if (!(await pause(betweenMs, gone))) return;
    }
    await sink.write(writer.delta(delta));
    if (gone.aborted) return;
    record.lastDeltaAt = now();
    record.firstDeltaAt ??= record.lastDeltaAt;
    record.deltasSent += 1;
    // The first delta leaves now, not with the rest of the burst that this loop can make without a pause.
    if (record.deltasSent === 1) await eventLoop();
  }
  await sink.write(writer.close());
  await sink.flush();
  res.end();
  if (!gone.aborted) record.outcome = "complete";
}

/** A fault at a delta also befalls an answer that is not streamed: the body is sent in halves around it. */
async function playWhole(play: Playing): Promise<void> {
  const { res, turn, answer, record, gone, wire } = play;
  const { fault } = turn;
  if (turn.gate !== undefined && !(await gateOf(turn.gate, play.gates).gate.wait(gone))) return;
  const wait = (turn.delays?.betweenMs ?? 0) * Math.max(0, answer.deltas.length - 1);
  if (!(await pause(wait, gone))) return;
  if (!fault) {
    record.status = 200;
    sendJson(res, 200, wire.body(answer), wire.headers);
    record.deltasSent = answer.deltas.length;
    record.outcome = "complete";
    return;
  }
  record.outcome = "fault";
  record.status = 200;
  if ("errorFrameAfterDeltas" in fault) {
    const error = errorOf(fault);
    record.status = error.status;
    sendJson(res, error.status, wire.errorBody(error), wire.headers);
    return;
  }
  const body = Buffer.from(JSON.stringify(wire.body(answer)));
  res.writeHead(200, {
    "content-type": "application/json",
    "content-length": String(body.length),
    ...wire.headers,
  });
  if ("emptyStream" in fault) return drop(play);
  await new Promise<void>((resolve, reject) => {
    res.write(body.subarray(0, body.length >> 1), (error) => (error ? reject(error) : resolve()));
  });
  if ("hangAfterDeltas" in fault) await untilGone(gone);
  else drop(play);
}

/** After how many deltas a fault in the stream comes. */
function dueAfter(fault: Fault): number {
  if ("dropAfterDeltas" in fault) return fault.dropAfterDeltas;
  if ("errorFrameAfterDeltas" in fault) return fault.errorFrameAfterDeltas;
  if ("hangAfterDeltas" in fault) return fault.hangAfterDeltas;
  throw new Error(`the fault ${JSON.stringify(fault)} has nothing to do with deltas`);
}

async function breakStream(play: Playing, fault: Fault, sink: SseSink, writer: StreamWriter): Promise<void> {
  play.record.outcome = "fault";
  if ("errorFrameAfterDeltas" in fault) {
    await sink.write(writer.error(errorOf(fault)));
    await sink.flush();
    play.res.end();
    return;
  }
  if ("hangAfterDeltas" in fault) return untilGone(play.gone);
  // Written bytes reach the kernel first; a reset would otherwise overtake the deltas that were sent.
  await eventLoop();
  drop(play);
}

/** Lets what was written reach the kernel. */
function eventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function drop(play: Playing): void {
  play.record.dropped = true;
  play.res.destroy();
}

function errorOf(fault: Extract<Fault, { errorFrameAfterDeltas: number }>): WireError {
  const error: WireError = { status: 529, message: fault.error?.message ?? "Overloaded" };
  if (fault.error?.type !== undefined) error.type = fault.error.type;
  return error;
}

function scriptedMessage(status: number): string {
  return `The fake server answers ${status}, as its script says.`;
}

function gateOf(ref: GateRef, gates: GateBook): { gate: Gate; afterDeltas: number } {
  const bare = typeof ref === "string" || ref instanceof Gate;
  const gate = bare ? ref : ref.gate;
  const afterDeltas = bare ? 1 : (ref.afterDeltas ?? 1);
  if (typeof gate === "string") return { gate: gates.get(gate), afterDeltas };
  gates.add(gate);
  return { gate, afterDeltas };
}

function untilGone(gone: AbortSignal): Promise<void> {
  if (gone.aborted) return Promise.resolve();
  return new Promise((resolve) => gone.addEventListener("abort", () => resolve(), { once: true }));
}
