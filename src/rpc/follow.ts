/**
 * A stream of the newest state: one item at once, then one after each change, those in between left out when the reader is
 * slower. `subscribe` returns the function that stops it.
 */
export async function* follow<T>(
  read: () => T | Promise<T>,
  subscribe: (onChange: () => void) => () => void,
  signal: AbortSignal,
): AsyncGenerator<T> {
  let changed = true;
  let wake: () => void = () => undefined;
  const notice = () => {
    changed = true;
    wake();
  };
  const stop = subscribe(notice);
  signal.addEventListener("abort", notice, { once: true });
  try {
    while (!signal.aborted) {
      if (changed) {
        changed = false;
        yield await read();
      } else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    stop();
    signal.removeEventListener("abort", notice);
  }
}
