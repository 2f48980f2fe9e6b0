import type { Turn } from "./types";

/**
 * A turn of many small deltas, sent as fast as the client takes them. Each is its own number and a space, so that a
 * lost, doubled or misplaced one shows in the text.
 */
export function burst(deltas = 2000): Turn {
  return { text: Array.from({ length: deltas }, (_, at) => `${at} `) };
}
