import { createModelClient } from "@/agent/core/models/client";
import type {
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ModelTool,
  ResolvedModel,
} from "@/agent/core/models/types";
import type { Dialect } from "@/agent/core/models/wire/dialect";
import { normaliseStream } from "@/agent/core/models/wire/normalise";

export const KEY = "sk-very-secret-0123456789";

export const TOOL: ModelTool = {
  name: "get_weather",
  description: "The weather of a city.",
  parameters: { type: "object", properties: { city: { type: "string" } } },
};

export function user(text: string): ModelMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

export function request(
  messages: ModelMessage[] = [user("hi")],
  more: Partial<ModelRequest> = {},
): ModelRequest {
  return { messages, tools: [TOOL], cache: false, ...more };
}

export function model(more: Partial<ResolvedModel> = {}): ResolvedModel {
  const base = { id: "1", name: "Mine", provider: "openai-compatible", apiBaseUrl: "http://host.test/v1" };
  return { ...base, apiKey: KEY, model: "m-1", ...more };
}

/** One `data:` event. */
export function frame(json: unknown): string {
  return `data: ${JSON.stringify(json)}\n\n`;
}

/** A chat completion chunk. */
export function chunk(delta: unknown, finish: string | null = null): string {
  return frame({ id: "c", choices: [{ index: 0, delta, finish_reason: finish }] });
}

/** A body of these bytes, in pieces of `sizes` (in turn), ended by a close or by an error. */
export function bytes(text: string, sizes: number[] = [1 << 20], end?: Error): ReadableStream<Uint8Array> {
  const all = new TextEncoder().encode(text);
  let at = 0;
  let turn = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < all.length) {
        const size = Math.max(1, sizes[turn++ % sizes.length] ?? 1);
        controller.enqueue(all.slice(at, at + size));
        at += size;
      } else if (end) controller.error(end);
      else controller.close();
    },
  });
}

/** What a dialect makes of a body: the JSON of each frame, `[DONE]` as text. */
export async function normalised(
  dialect: Dialect,
  text: string,
  sizes?: number[],
  end?: Error,
): Promise<unknown[]> {
  const clean = normaliseStream(bytes(text, sizes, end), dialect);
  const out = await new Response(clean).text();
  return out
    .split("\n\n")
    .filter(Boolean)
    .map((event) => event.replace(/^data: /, ""))
    .map((data) => (data === "[DONE]" ? data : JSON.parse(data)));
}

export interface Sent {
  url: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  init: RequestInit;
}

/** A fetch that answers every request alike and keeps what was sent. */
export function answering(reply: () => Response | Promise<Response>): { fetch: typeof fetch; sent: Sent[] } {
  const sent: Sent[] = [];
  return {
    sent,
    async fetch(input, init = {}) {
      const headers = Object.fromEntries(new Headers(init.headers));
      const body = typeof init.body === "string" ? (JSON.parse(init.body) as Record<string, unknown>) : {};
      sent.push({ url: String(input), headers, body, init });
      return reply();
    },
  };
}

export function sse(text: string, sizes?: number[], end?: Error): Response {
  return new Response(bytes(text, sizes, end), { headers: { "content-type": "text/event-stream" } });
}

export interface Outcome {
  events: ModelEvent[];
  text: string;
  /** The last event, when it is a finish. */
  finish?: Extract<ModelEvent, { type: "finish" }>;
  error?: unknown;
}

/** Runs one call to its end, keeping what came before a failure. */
export async function run(
  to: ResolvedModel,
  fetchFn: typeof fetch,
  asked: ModelRequest = request(),
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome> {
  const outcome: Outcome = { events: [], text: "" };
  try {
    for await (const event of createModelClient(to, { fetch: fetchFn }).stream(asked, signal)) {
      outcome.events.push(event);
      if (event.type === "text") outcome.text += event.text;
      if (event.type === "finish") outcome.finish = event;
    }
  } catch (error) {
    outcome.error = error;
  }
  return outcome;
}

/** Runs one call whose answer is this text of events. */
export function runWith(text: string, more: Partial<ResolvedModel> = {}, sizes?: number[]): Promise<Outcome> {
  return run(model(more), answering(() => sse(text, sizes)).fetch);
}

/** A whole Anthropic answer around these blocks' events. */
export function message(events: unknown[], stop = "end_turn"): string {
  return [
    { type: "message_start", message: { id: "m", usage: { input_tokens: 7, output_tokens: 1 } } },
    ...events,
    { type: "message_delta", delta: { stop_reason: stop }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ]
    .map(frame)
    .join("");
}

/** The events of one Anthropic block. */
export function block(index: number, start: object, ...deltas: object[]): unknown[] {
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}
