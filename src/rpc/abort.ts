import { abortError } from "./errors";

/**
 * Calls back with the error to end with when the signal is aborted, once.
 * @returns what stops listening
 */
export function whenAborted(signal: AbortSignal | undefined, callback: (error: Error) => void): () => void {
  const listener = () => callback(abortError(signal?.reason));
  signal?.addEventListener("abort", listener, { once: true });
  return () => signal?.removeEventListener("abort", listener);
}
