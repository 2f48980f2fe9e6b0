import type { Failure } from "../errors/model-failure";
import { isRecord } from "../errors/vendor-error";
import type { ModelFailure } from "../types";

/**
 * A failure travels through the provider package inside the stream, as an error frame of the package's own wire. If the
 * stream of bytes were errored instead, the deltas that are still queued before the failure would be lost.
 */
const MARK = "moggy-failure:";

/** The `error` object of a frame that both packages pass on as it is. */
export function inBandError(failure: Failure): { type: string; message: string } {
  const { failure: kind, status, said } = failure;
  return { type: `${MARK}${kind}:${status ?? ""}`, message: said ?? "" };
}

/** The failure in what a provider package reports, if it is one of ours. */
export function readInBandError(error: unknown): Failure | null {
  if (!isRecord(error) || typeof error.type !== "string" || !error.type.startsWith(MARK)) return null;
  const [kind, status] = error.type.slice(MARK.length).split(":");
  const failure: Failure = { failure: kind as ModelFailure };
  if (status) failure.status = Number(status);
  if (typeof error.message === "string" && error.message) failure.said = error.message;
  return failure;
}
