import type {
  ChatReply,
  StreamChunk,
  ToolCallInfo,
  ToolRequest,
  TurnBatch,
  TurnCursor,
} from "@/agent/contract/conversation";
import { type JournalEvent, textOf, thinkingOf } from "./events";
import type { LiveView } from "./live";
import { callInfo, replyOf } from "./reply";
import { foldAll } from "./state";

/** Where a reader begins that has seen nothing. */
export const TURN_START: TurnCursor = { seq: 0, attempt: "", text: 0, thinking: 0 };

/** A batch and whether it was the last one. */
export interface TurnSlice extends TurnBatch {
  ended: boolean;
}

/**
 * What a reader at `from` has to be told, given a run's whole journal and the model call in progress. Pure: any worker gives the
 * same reader the same continuation, whatever died in between.
 *
 * The reader's rule is that a `new_message` with `replaces` discards what came since the previous `new_message`. A reader
 * that follows it holds exactly the final text in the end.
 *
 * @param log every event of the run, in order (`log[i].seq === i + 1`)
 * @param live the model call in progress; null when none is, or when it is not known here
 * @param from where the reader is, as an earlier slice said
 */
export function readTurn(log: readonly JournalEvent[], live: LiveView | null, from: TurnCursor): TurnSlice {
  const reading = new Reading(log, live, from);
  while (reading.cursor.seq < log.length) {
    const event = log[reading.cursor.seq] as JournalEvent;
    reading.cursor.seq += 1;
    reading.take(event);
  }
  reading.takeOpen();
  return reading.slice();
}

/** True when a slice has nothing that its reader would notice. */
export function isEmpty(slice: TurnSlice): boolean {
  const { chunks, toolRequests, cancelled, ended } = slice;
  return chunks.length === 0 && toolRequests.length === 0 && cancelled.length === 0 && !ended;
}

class Reading {
  readonly cursor: TurnCursor;
  readonly #log: readonly JournalEvent[];
  readonly #live: LiveView | null;
  readonly #chunks: StreamChunk[] = [];
  #toolRequests: ToolRequest[] = [];
  readonly #cancelled: string[] = [];
  #reply: ChatReply | undefined;
  #ended = false;

  constructor(log: readonly JournalEvent[], live: LiveView | null, from: TurnCursor) {
    this.#log = log;
    this.#live = live;
    // A cursor comes from a script: numbers that no slice ever had are brought into range, not trusted.
    const whole = (n: number, max: number) => Math.max(0, Math.min(Math.trunc(n), max));
    this.cursor = {
      seq: whole(from.seq, log.length),
      attempt: from.attempt,
      text: whole(from.text, Number.MAX_SAFE_INTEGER),
      thinking: whole(from.thinking, Number.MAX_SAFE_INTEGER),
    };
  }

  slice(): TurnSlice {
    return {
      cursor: { ...this.cursor },
      chunks: this.#chunks,
      toolRequests: this.#toolRequests,
      cancelled: this.#cancelled,
      ended: this.#ended,
      ...(this.#reply && { reply: this.#reply }),
    };
  }

  take(event: JournalEvent): void {
    switch (event.type) {
      case "model.requested":
        if (event.round > 0 && event.try === 0) this.#chunks.push({ type: "new_message" });
        this.#open(event.attempt);
        return;
      case "model.completed":
        this.#catchUp(event.attempt, textOf(event.content), thinkingOf(event.content));
        this.#open("");
        if (event.warning) this.#chunks.push({ type: "system_warning", warning: event.warning });
        this.#announceCalls(event);
        return;
      case "model.failed":
        if (event.kept) this.#catchUp(event.attempt, event.kept.text, event.kept.thinking);
        else this.#discard();
        this.#open("");
        if (event.retryAt !== undefined) {
          const warning = `The model call failed and is tried again: ${event.message}`;
          this.#chunks.push({ type: "system_warning", warning });
        }
        return;
      case "model.interrupted":
        this.#discard();
        this.#open("");
        return;
      case "tool.requested":
        this.#toolRequests.push({
          runId: event.runId,
          callId: event.callId,
          name: event.name,
          args: event.args,
        });
        return;
      case "tool.completed":
        this.#chunks.push({ type: "tool_call_complete", toolCall: this.#outcome(event) });
        // A reader that comes late must not run what was answered before it came.
        this.#toolRequests = this.#toolRequests.filter((request) => request.callId !== event.callId);
        if (event.by === "engine") this.#cancelled.push(event.callId);
        return;
      case "run.completed":
        this.#finish();
        return;
      case "run.failed":
        this.#fail(event.message, { errorCode: event.code });
        return;
      case "run.stopped":
        this.#fail(event.message, { errorCode: "cancelled" });
        return;
      default:
        return; // run.started, model.delta and object.rejected show nothing by themselves.
    }
  }

  /** Brings the reader up to date with a call whose end is not in the journal. */
  takeOpen(): void {
    const { attempt } = this.cursor;
    if (attempt === "") return;
    if (this.#live?.attempt === attempt) {
      this.#sayLive(this.#live);
      return;
    }
    const [text, thinking] = this.#checkpoints(attempt);
    // Behind the reader: the worker that showed it more is gone. Its call will be closed as interrupted, so nothing is taken back yet.
    if (text.length >= this.cursor.text && thinking.length >= this.cursor.thinking) {
      this.#catchUp(attempt, text, thinking);
    }
  }

  #open(attempt: string): void {
    this.cursor.attempt = attempt;
    this.cursor.text = 0;
    this.cursor.thinking = 0;
  }

  #say(kind: "text" | "thinking", value: string): void {
    if (value === "") return;
    this.#chunks.push({ type: kind === "text" ? "content_delta" : "thinking_delta", content: value });
    this.cursor[kind] += value.length;
  }

  #sayLive(live: LiveView): void {
    for (const { kind, value } of live.since(this.cursor.text, this.cursor.thinking)) this.#say(kind, value);
  }

  /** Sends what the reader lacks of an answer that is known whole; in its own deltas where they are known. */
  #catchUp(attempt: string, text: string, thinking: string): void {
    const { cursor } = this;
    if (cursor.attempt !== attempt || cursor.text > text.length || cursor.thinking > thinking.length) {
      this.#discard();
      this.#open(attempt);
    }
    if (this.#live?.attempt === attempt) this.#sayLive(this.#live);
    this.#say("thinking", thinking.slice(cursor.thinking));
    this.#say("text", text.slice(cursor.text));
  }

  /** Takes back what the reader has of an answer that will not be completed. */
  #discard(): void {
    if (this.cursor.text === 0 && this.cursor.thinking === 0) return;
    this.#chunks.push({ type: "new_message", replaces: true });
    this.cursor.text = 0;
    this.cursor.thinking = 0;
  }

  #announceCalls(event: JournalEvent & { type: "model.completed" }): void {
    for (const part of event.content) {
      if (part.type !== "tool-call") continue;
      const { id, name, arguments: args } = part;
      this.#chunks.push({ type: "tool_call", toolCall: { id, name, arguments: args, status: "pending" } });
    }
  }

  #outcome(event: JournalEvent & { type: "tool.completed" }): ToolCallInfo {
    let written = "";
    for (let i = event.seq - 2; i >= 0; i--) {
      const earlier = this.#log[i];
      if (earlier?.type !== "model.completed") continue;
      const part = earlier.content.find((p) => p.type === "tool-call" && p.id === event.callId);
      if (part?.type === "tool-call") written = part.arguments;
      break;
    }
    return callInfo({
      id: event.callId,
      name: event.name,
      arguments: written,
      status: "done",
      result: event.result,
      isError: event.isError,
    });
  }

  #checkpoints(attempt: string): [text: string, thinking: string] {
    let text = "";
    let thinking = "";
    for (const event of this.#log) {
      if (event.type !== "model.delta" || event.attempt !== attempt) continue;
      text += event.text;
      thinking += event.thinking;
    }
    return [text, thinking];
  }

  #finish(): void {
    const state = foldAll(this.#log);
    if (!state) return;
    this.#reply = replyOf(state);
    const { usage, durationMs } = this.#reply;
    this.#chunks.push({ type: "done", usage, durationMs });
    this.#ended = true;
  }

  #fail(error: string, extra: Pick<StreamChunk, "errorCode">): void {
    const state = foldAll(this.#log);
    const chunk: StreamChunk = { type: "error", error, ...extra };
    if (state) {
      chunk.usage = state.usage;
      chunk.durationMs = (state.end?.at ?? state.startedAt) - state.startedAt;
    }
    this.#chunks.push(chunk);
    this.#ended = true;
  }
}
