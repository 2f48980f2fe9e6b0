import type { ChatRequest, Finish, Turn, Usage } from "./types";

/** A turn with everything decided: what a wire writer turns into bytes. */
export interface Answer {
  /** Distinguishes answers; the writers put their vendor's prefix before it. */
  id: string;
  model: string;
  /** Seconds since the epoch. */
  created: number;
  thinking: string;
  text: string;
  toolCalls: { id: string; name: string; args: string; extra: Record<string, unknown> }[];
  finish: Finish;
  usage: Usage | null;
  deltas: Delta[];
}

/** The smallest unit that is sent, delayed, gated and counted. */
export type Delta =
  | { kind: "thinking"; text: string }
  | { kind: "text"; text: string }
  /** `first` opens the call of that index. */
  | { kind: "tool"; index: number; text: string; first: boolean };

/** An error on the wire: HTTP status, vendor-neutral type and text. */
export interface WireError {
  status: number;
  type?: string;
  message: string;
  param?: string | null;
  code?: string | null;
}

/** Frames of one streamed answer, in order: open, deltas, then either close or error. A frame is SSE text. */
export interface StreamWriter {
  open(): string[];
  delta(delta: Delta): string[];
  close(): string[];
  error(error: WireError): string[];
}

const ARGUMENT_CHARS = 12;

/** Decides everything that a turn leaves open. The result depends on the turn and the request only. */
export function answerOf(turn: Turn, request: ChatRequest): Answer {
  const id = `${request.key.slice(0, 16)}${request.attempt.toString(16).padStart(4, "0")}`;
  const thinking = pieces(turn.thinking, turn.chunking?.deltaChars);
  const text = pieces(turn.text, turn.chunking?.deltaChars);
  const toolCalls = (turn.toolCalls ?? []).map((call, index) => ({
    id: call.id ?? `${request.protocol === "openai" ? "call_" : "toolu_"}${id}${index}`,
    name: call.name,
    args: call.rawArgs ?? JSON.stringify(call.args ?? {}),
    extra: call.extra ?? {},
  }));
  const deltas: Delta[] = [
    ...thinking.map((piece): Delta => ({ kind: "thinking", text: piece })),
    ...text.map((piece): Delta => ({ kind: "text", text: piece })),
  ];
  for (const [index, call] of toolCalls.entries()) {
    const parts = cut(call.args, turn.chunking?.deltaChars ?? ARGUMENT_CHARS);
    // Vendors open a call with empty arguments, then send the pieces; a call without arguments is only opened.
    deltas.push({ kind: "tool", index, text: "", first: true });
    for (const part of parts) deltas.push({ kind: "tool", index, text: part, first: false });
  }
  const answer: Answer = {
    id,
    model: request.model,
    created: Math.floor(Date.now() / 1000),
    thinking: thinking.join(""),
    text: text.join(""),
    toolCalls,
    finish: turn.finish ?? (toolCalls.length > 0 ? "tool_calls" : "stop"),
    usage: null,
    deltas,
  };
  answer.usage = turn.usage === null ? null : { ...estimate(answer, request), ...turn.usage };
  return answer;
}

function estimate(answer: Answer, request: ChatRequest): Usage {
  const asked =
    JSON.stringify(request.body.messages ?? []).length + JSON.stringify(request.body.tools ?? []).length;
  const said =
    answer.text.length +
    answer.thinking.length +
    answer.toolCalls.reduce((sum, call) => sum + call.name.length + call.args.length, 0);
  const usage: Usage = { inputTokens: Math.ceil(asked / 4), outputTokens: Math.ceil(said / 4) };
  if (answer.thinking) usage.reasoningTokens = Math.ceil(answer.thinking.length / 4);
  return usage;
}

function pieces(source: string | string[] | undefined, deltaChars: number | undefined): string[] {
  if (source === undefined) return [];
  if (Array.isArray(source)) return source;
  return deltaChars === undefined ? words(source) : cut(source, deltaChars);
}

/** A word with the space after it is one piece, as tokenisers tend to do; text without spaces goes by code points. */
function words(text: string): string[] {
  return text.match(/\s*[^\s\u2e80-\uffff]+\s*|\s*[^\s]\s*|\s+/gu) ?? [];
}

function cut(text: string, size: number): string[] {
  if (size < 1) throw new Error(`deltaChars must be 1 or more, got ${size}`);
  const points = [...text];
  const parts: string[] = [];
  for (let at = 0; at < points.length; at += size) parts.push(points.slice(at, at + size).join(""));
  return parts;
}
