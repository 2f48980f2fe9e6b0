import type { Failure } from "../errors/model-failure";
import type { MakeQuirk } from "./events";
import type { TextFrames } from "./merge";

/** How hosts of one wire protocol answer, and what the provider package for it must be given instead. */
export interface Dialect {
  /** In the order in which they see an event. */
  quirks: readonly MakeQuirk[];
  /** How deltas of text look, once the quirks have seen them. */
  texts: TextFrames;
  /** A frame that makes the provider package report `failure`. */
  failureFrame(failure: Failure): Record<string, unknown>;
  /** The frames of a whole answer that came as one JSON body, or null when it is no answer. */
  framesOfWhole(body: Record<string, unknown>): Record<string, unknown>[] | null;
  /** The text that ends the stream for the provider package. */
  end: string | null;
}
