import type { CallOptions, Client, Contract, StreamOptions } from "./contract";
import { abortError, DisconnectedError, fromWireError, type WireError } from "./errors";
import { STREAM_WINDOW } from "./frames";
import { create, Fifo, own, SafeMap, safePromise } from "./natives";
import type { Connect, Transport } from "./transport";

/** One call or stream under way: how to (re)send it, and what to do with what comes back. */
interface Pending {
  /** The frame to send again after a reconnect, or null when it cannot be repeated. */
  reopen: () => object | null;
  method: string;
  ok(value: unknown): void;
  item(value: unknown): void;
  end(): void;
  fail(error: Error): void;
}

const RECONNECT_MS = [0, 50, 100, 200, 400, 800];
const LONGEST_WAIT_MS = 1600;

const NO_OPTIONS = create(null) as Record<never, never>;

/**
 * The client side of a connection. In a shared user-script world nothing of it passes through what a neighbour can patch. It connects on the first call, and by itself again when the worker died while something
 * repeatable was under way; idle, it stays disconnected, so that it does not keep waking the worker.
 */
export class RpcClient {
  readonly #connect: Connect;
  #pending = new SafeMap<number, Pending>();
  #transport: Transport | null = null;
  #nextId = 1;
  #failures = 0;
  /** Frames that go again when the connection is back, in the order of their calls. */
  readonly #again = new Fifo<object>();
  /** Called after each loss of the connection that left nothing pending, for those who want to come back later. */
  onIdleClose: () => void = () => undefined;

  constructor(connect: Connect) {
    this.#connect = connect;
  }

  get connected(): boolean {
    return this.#transport !== null;
  }

  /** The typed view of this connection for one contract. */
  of<C extends Contract>(name: C["name"]): Client<C> {
    return {
      call: (method, input, options) => this.call(`${name}.${method}`, input, options) as never,
      stream: (method, input, options) => this.stream(`${name}.${method}`, input, options as never) as never,
    };
  }

  call(method: string, input: unknown, options: CallOptions = NO_OPTIONS): Promise<unknown> {
    const signal = own(options, "signal") as CallOptions["signal"];
    const repeatable = own(options, "repeatable") === true;
    return safePromise((resolve, reject) => {
      if (signal?.aborted) return reject(abortError(signal.reason));
      const id = this.#nextId++;
      const frame = { t: "call", id, m: method, a: input };
      const onAbort = () => {
        reject(abortError(signal?.reason));
        this.#forget(id, true);
      };
      const settle = () => signal?.removeEventListener("abort", onAbort);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#start(id, frame, {
        method,
        reopen: () => (repeatable ? frame : null),
        ok: (value) => {
          settle();
          resolve(value);
        },
        item: () => undefined,
        end: () => undefined,
        fail: (error) => {
          settle();
          reject(error);
        },
      });
    });
  }

  stream<I, T>(
    method: string,
    input: I,
    options: StreamOptions<I, T> = NO_OPTIONS,
  ): AsyncIterableIterator<T> {
    const id = this.#nextId++;
    const queue = new ItemQueue<T>(
      (n) => this.#transport?.send({ t: "credit", id, n }),
      () => this.#forget(id, true),
    );
    const signal = own(options, "signal") as StreamOptions<I, T>["signal"];
    const resume = own(options, "resume") as StreamOptions<I, T>["resume"];
    const onAbort = () => {
      this.#forget(id, true);
      queue.fail(abortError(signal?.reason));
    };
    queue.onSettled = () => signal?.removeEventListener("abort", onAbort);
    if (signal?.aborted) {
      queue.fail(abortError(signal.reason));
      return queue;
    }
    signal?.addEventListener("abort", onAbort, { once: true });
    const frame = (a: I) => ({ t: "open", id, m: method, a, w: STREAM_WINDOW });
    this.#start(id, frame(input), {
      method,
      reopen: () => {
        if (!resume) return null;
        queue.resetWindow();
        return frame(resume(queue.last));
      },
      ok: () => undefined,
      item: (value) => queue.push(value as T),
      end: () => queue.end(),
      fail: (error) => queue.fail(error),
    });
    return queue;
  }

  /** Opens the connection now, without a call. */
  connect(): void {
    if (this.#transport) return;
    this.#open();
  }

  close(): void {
    this.#transport?.close();
    this.#transport = null;
    this.#failAll((p) => new DisconnectedError(p.method));
  }

  #start(id: number, frame: object, pending: Pending): void {
    this.#pending.set(id, pending);
    try {
      // What waits to go again was called before this, and goes before it.
      if (!this.#transport) this.#resend();
      this.#transport?.send(frame);
    } catch (error) {
      this.#pending.delete(id);
      pending.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #open(): void {
    const transport = this.#connect();
    this.#transport = transport;
    transport.onMessage = (message) => {
      this.#failures = 0;
      this.#receive(message as Record<string, unknown>);
    };
    transport.onClose = () => this.#closed(transport);
  }

  #receive(frame: Record<string, unknown>): void {
    const id = frame.id as number;
    const pending = this.#pending.get(id);
    if (!pending) return;
    if (frame.t === "item") {
      pending.item(frame.v);
      return;
    }
    this.#pending.delete(id);
    if (frame.t === "ok") pending.ok(frame.v);
    else if (frame.t === "end") pending.end();
    else if (frame.t === "fail") pending.fail(fromWireError(frame.e as WireError));
  }

  #closed(transport: Transport): void {
    if (this.#transport !== transport) return;
    this.#transport = null;
    this.#again.clear();
    this.#pending.forEach((pending, id) => {
      const frame = pending.reopen();
      if (frame) this.#again.push(frame);
      else {
        this.#pending.delete(id);
        pending.fail(new DisconnectedError(pending.method));
      }
    });
    if (this.#again.isEmpty) {
      this.onIdleClose();
      return;
    }
    const delay = RECONNECT_MS[this.#failures++] ?? LONGEST_WAIT_MS;
    setTimeout(() => {
      try {
        if (!this.#again.isEmpty) this.#resend();
      } catch (error) {
        this.#failAll(() => (error instanceof Error ? error : new Error(String(error))));
      }
    }, delay);
  }

  /** Connects if need be, and sends again what a lost connection left unanswered. */
  #resend(): void {
    if (!this.#transport) this.#open();
    for (let frame = this.#again.shift(); frame; frame = this.#again.shift()) {
      if (this.#pending.has((frame as { id: number }).id)) this.#transport?.send(frame);
    }
  }

  #failAll(errorFor: (pending: Pending) => Error): void {
    const all = this.#pending;
    this.#pending = new SafeMap();
    all.forEach((pending) => void pending.fail(errorFor(pending)));
  }

  #forget(id: number, cancel: boolean): void {
    if (this.#pending.delete(id) && cancel) this.#transport?.send({ t: "cancel", id });
  }
}

/** The consumer's end of a stream: buffers what came, gives credit back as items are taken. */
class ItemQueue<T> implements AsyncIterableIterator<T> {
  readonly #items = new Fifo<{ value: T }>();
  readonly #waiting = new Fifo<{ resolve: (r: IteratorResult<T>) => void; reject: (e: Error) => void }>();
  #ended = false;
  #error: Error | null = null;
  #taken = 0;
  last: T | undefined;
  onSettled: () => void = () => undefined;

  constructor(
    private readonly credit: (n: number) => void,
    private readonly cancel: () => void,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** A reopened stream starts with a full window, so what was taken under the old one is not given back again. */
  resetWindow(): void {
    this.#taken = 0;
  }

  push(item: T): void {
    this.last = item;
    const waiter = this.#waiting.shift();
    if (waiter) {
      this.#took();
      waiter.resolve(result(false, item));
    } else this.#items.push({ value: item });
  }

  end(): void {
    this.#ended = true;
    this.#settle();
  }

  fail(error: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#settle();
  }

  next(): Promise<IteratorResult<T>> {
    return safePromise((resolve, reject) => {
      const item = this.#items.shift();
      if (item) {
        this.#took();
        resolve(result(false, item.value));
      } else if (this.#error) {
        reject(this.#error);
        this.#error = null;
      } else if (this.#ended) resolve(result(true));
      else this.#waiting.push({ resolve, reject });
    });
  }

  /** Leaving a `for await` early cancels the stream on the far side. */
  return(): Promise<IteratorResult<T>> {
    if (!this.#ended) {
      this.#ended = true;
      this.cancel();
      this.#settle();
    }
    this.#items.clear();
    return safePromise((resolve) => resolve(result(true)));
  }

  #took(): void {
    this.#taken += 1;
    if (this.#taken < STREAM_WINDOW / 2 || this.#ended) return;
    this.credit(this.#taken);
    this.#taken = 0;
  }

  #settle(): void {
    this.onSettled();
    for (let waiter = this.#waiting.shift(); waiter; waiter = this.#waiting.shift()) {
      if (this.#error) {
        waiter.reject(this.#error);
        this.#error = null;
      } else waiter.resolve(result(true));
    }
  }
}

/** Without a prototype, on which the promise that carries it would look for a `then`. */
function result<T>(done: boolean, value?: T): IteratorResult<T> {
  return { __proto__: null, done, value } as IteratorResult<T>;
}
