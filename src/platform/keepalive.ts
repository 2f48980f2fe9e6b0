/**
 * The browser stops a worker that made no extension call for 30 s, even while it reads a stream. While something is held,
 * a cheap call is made every 20 s; it does not outlive the worker, so work that must survive needs a record of its own.
 */
export interface Keepalive {
  /** Keeps the worker alive until the returned function is called. Calling that again does nothing. */
  hold(reason: string): () => void;
  /** Why the worker is being kept alive, one entry per hold. */
  reasons(): string[];
}

const EVERY_MS = 20_000;

/** @param ping a call that the browser counts as activity; what it rejects with is reported and changes nothing */
export function createKeepalive(ping: () => Promise<unknown>): Keepalive {
  const held = new Set<{ reason: string }>();
  let timer: ReturnType<typeof setInterval> | undefined;

  const beat = () => {
    ping().catch((error: unknown) => console.error("Keeping the worker alive failed:", error));
  };

  return {
    hold(reason) {
      const hold = { reason };
      held.add(hold);
      if (timer === undefined) {
        // At once too: the idle time may be nearly over.
        beat();
        timer = setInterval(beat, EVERY_MS);
      }
      return () => {
        held.delete(hold);
        if (held.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    reasons: () => [...held].map(({ reason }) => reason),
  };
}

export const keepalive: Keepalive = createKeepalive(() => chrome.runtime.getPlatformInfo());
