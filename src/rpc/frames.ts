import type { WireError } from "./errors";

/** What goes over a transport. Ids are chosen by the client and unique per connection. */
export type Frame =
  | { t: "call"; id: number; m: string; a: unknown }
  | { t: "open"; id: number; m: string; a: unknown; w: number }
  | { t: "credit"; id: number; n: number }
  | { t: "cancel"; id: number }
  | { t: "ok"; id: number; v: unknown }
  | { t: "item"; id: number; v: unknown }
  | { t: "end"; id: number }
  | { t: "fail"; id: number; e: WireError };

/** A stream's window: how many items may be under way before the consumer has taken them. */
export const STREAM_WINDOW = 128;

/** Checks the shape of a frame that came from an untrusted context; null when it is none a client may send. */
export function readClientFrame(
  value: unknown,
): Extract<Frame, { t: "call" | "open" | "credit" | "cancel" }> | null {
  if (typeof value !== "object" || value === null) return null;
  const { t, id, m, a, w, n } = value as Record<string, unknown>;
  if (typeof id !== "number" || !Number.isSafeInteger(id)) return null;
  if (t === "call" && typeof m === "string") return { t, id, m, a };
  if (t === "open" && typeof m === "string" && isWindow(w)) return { t, id, m, a, w };
  if (t === "credit" && isWindow(n)) return { t, id, n };
  if (t === "cancel") return { t, id };
  return null;
}

function isWindow(n: unknown): n is number {
  return typeof n === "number" && Number.isInteger(n) && n > 0 && n <= 4096;
}
