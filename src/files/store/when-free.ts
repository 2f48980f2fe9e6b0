import { nameOf } from "./access-error";

/** How long a start waits for what an earlier one left under way, and how often it looks, in ms. */
const LONGEST_MS = 60_000;
const PAUSE_MS = 200;

/**
 * Does a job, again and again while something else holds its files open: a long removal that was begun goes on in the browser after
 * the worker that asked for it has ended, and nothing tells when it is done.
 * @throws what the job throws for another reason, or after a minute
 */
export async function whenFree<T>(job: () => Promise<T>): Promise<T> {
  const until = performance.now() + LONGEST_MS;
  for (;;) {
    try {
      return await job();
    } catch (error) {
      if (nameOf(error) !== "NoModificationAllowedError" || performance.now() > until) throw error;
      await new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
