import { STREAM_WINDOW } from "./frames";
import { fifo, safePromise } from "./natives";

/** The consumer's end of a stream: buffers what came, gives credit back as items are taken. */
export interface ItemQueue<T> extends AsyncIterableIterator<T> {
  /** The newest item that came. */
  last: T | undefined;
  /** Called at the end, whichever it is. */
  onSettled: () => void;
  /** A reopened stream starts with a full window, so what was taken under the old one is not given back again. */
  resetWindow(): void;
  push(item: T): void;
  /** Nothing more comes; the reader gets the error, if there is one, after the items that came. */
  end(error?: Error): void;
}

interface Waiter<T> {
  resolve: (result: IteratorResult<T>) => void;
  reject: (error: Error) => void;
}

const asyncIterator: typeof Symbol.asyncIterator = Symbol.asyncIterator;

/**
 * @param credit tells the far side that so many more items may come
 * @param cancel the reader left before the end
 */
export function itemQueue<T>(credit: (n: number) => void, cancel: () => void): ItemQueue<T> {
  const items = fifo<{ value: T }>();
  const waiting = fifo<Waiter<T>>();
  let ended = false;
  let failure: Error | undefined;
  let taken = 0;

  const took = () => {
    taken += 1;
    if (taken < STREAM_WINDOW / 2 || ended) return;
    credit(taken);
    taken = 0;
  };
  /** Only the first reader after the end hears of the failure. */
  const answerEnd = ({ resolve, reject }: Waiter<T>) => {
    if (failure) reject(failure);
    else resolve(result(true));
    failure = undefined;
  };

  const queue: ItemQueue<T> = {
    last: undefined,
    onSettled: () => undefined,
    resetWindow() {
      taken = 0;
    },
    push(item) {
      queue.last = item;
      const waiter = waiting.shift();
      if (waiter) {
        took();
        waiter.resolve(result(false, item));
      } else items.push({ value: item });
    },
    end(error) {
      if (ended) return;
      ended = true;
      failure = error;
      queue.onSettled();
      for (let waiter = waiting.shift(); waiter; waiter = waiting.shift()) answerEnd(waiter);
    },
    next: () =>
      safePromise((resolve, reject) => {
        const item = items.shift();
        if (item) {
          took();
          resolve(result(false, item.value));
        } else if (ended) answerEnd({ resolve, reject });
        else waiting.push({ resolve, reject });
      }),
    /** Leaving a `for await` early cancels the stream on the far side. */
    return() {
      if (!ended) {
        cancel();
        queue.end();
      }
      items.clear();
      return safePromise((resolve) => resolve(result(true)));
    },
    [asyncIterator]: () => queue,
  };
  return queue;
}

/** Without a prototype, on which the promise that carries it would look for a `then`. */
function result<T>(done: boolean, value?: T): IteratorResult<T> {
  return { __proto__: null, done, value } as IteratorResult<T>;
}
