import { whenAborted } from "./abort";
import type { CallOptions, Client, Contract, StreamOptions } from "./contract";
import { abortError, DisconnectedError, fromWireError, type WireError } from "./errors";
import { type Frame, STREAM_WINDOW } from "./frames";
import { itemQueue } from "./item-queue";
import { create, fifo, own, SafeMap, safePromise } from "./natives";
import type { Connect, Transport } from "./transport";

/** One call or stream under way: how to (re)send it, and what to do with what comes back. */
interface Pending {
  method: string;
  /** The frame to send again after a reconnect, or null when it cannot be repeated. */
  reopen: () => object | null;
  /** An answer, an item or the end; for `fail`, `value` is the Error. */
  take(type: Frame["t"], value?: unknown): void;
}

const RECONNECT_MS = [0, 50, 100, 200, 400, 800];
const LONGEST_WAIT_MS = 1600;

/** For calls that change nothing the second time. */
export const REPEATABLE: CallOptions = { repeatable: true };
const NO_OPTIONS = create(null) as Record<never, never>;

/**
 * The client side of a connection. In a shared user-script world nothing of it passes through what a neighbour can patch. It connects on the first call, and by itself again when the worker died while something
 * repeatable was under way; idle, it stays disconnected, so that it does not keep waking the worker.
 */
export class RpcClient {
  readonly call: (method: string, input: unknown, options?: CallOptions) => Promise<unknown>;
  readonly stream: <I, T>(
    method: string,
    input: I,
    options?: StreamOptions<I, T>,
  ) => AsyncIterableIterator<T>;

  /** What it holds is in this closure, which is shorter than private fields where every byte goes into every page. */
  constructor(connect: Connect) {
    let pending = new SafeMap<number, Pending>();
    let transport: Transport | null = null;
    let nextId = 1;
    let failures = 0;
    /** Frames that go again when the connection is back, in the order of their calls. */
    const again = fifo<object>();

    this.call = (method, input, options = NO_OPTIONS) => {
      const signal = own(options, "signal") as CallOptions["signal"];
      const repeatable = own(options, "repeatable") === true;
      return safePromise((resolve, reject) => {
        if (signal?.aborted) return reject(abortError(signal.reason));
        const id = nextId++;
        const frame = { t: "call", id, m: method, a: input };
        const stopListening = whenAborted(signal, (error) => {
          reject(error);
          cancel(id);
        });
        start(id, frame, {
          method,
          reopen: () => (repeatable ? frame : null),
          take(type, value) {
            stopListening();
            if (type === "ok") resolve(value);
            else reject(value);
          },
        });
      });
    };

    this.stream = <I, T>(method: string, input: I, options: StreamOptions<I, T> = NO_OPTIONS) => {
      const id = nextId++;
      const queue = itemQueue<T>(
        (n) => transport?.send({ t: "credit", id, n }),
        () => cancel(id),
      );
      const signal = own(options, "signal") as StreamOptions<I, T>["signal"];
      const resume = own(options, "resume") as StreamOptions<I, T>["resume"];
      if (signal?.aborted) {
        queue.end(abortError(signal.reason));
        return queue;
      }
      queue.onSettled = whenAborted(signal, (error) => {
        cancel(id);
        queue.end(error);
      });
      const frame = (a: I) => ({ t: "open", id, m: method, a, w: STREAM_WINDOW });
      start(id, frame(input), {
        method,
        reopen() {
          const again = resume?.(queue.last);
          if (!again) return null;
          queue.resetWindow();
          return frame(again);
        },
        take(type, value) {
          if (type === "item") queue.push(value as T);
          else queue.end(value as Error | undefined);
        },
      });
      return queue;
    };

    function start(id: number, frame: object, what: Pending): void {
      pending.set(id, what);
      try {
        // What waits to go again was called before this, and goes before it.
        if (!transport) resend();
        transport?.send(frame);
      } catch (error) {
        pending.delete(id);
        what.take("fail", asError(error));
      }
    }

    function receive(frame: Frame): void {
      const { t, id } = frame;
      const what = pending.get(id);
      if (!what) return;
      if (t !== "item") pending.delete(id);
      what.take(t, t === "fail" ? fromWireError(own(frame, "e") as WireError) : own(frame, "v"));
    }

    function closed(): void {
      transport = null;
      again.clear();
      pending.forEach((what, id) => {
        const frame = what.reopen();
        if (frame) again.push(frame);
        else {
          pending.delete(id);
          what.take("fail", new DisconnectedError(what.method));
        }
      });
      if (again.isEmpty()) return;
      setTimeout(() => {
        try {
          if (!again.isEmpty()) resend();
        } catch (error) {
          const all = pending;
          pending = new SafeMap();
          all.forEach((what) => void what.take("fail", asError(error)));
        }
      }, RECONNECT_MS[failures++] ?? LONGEST_WAIT_MS);
    }

    /** Connects if need be, and sends again what a lost connection left unanswered. */
    function resend(): void {
      if (!transport) {
        const opened = connect();
        transport = opened;
        opened.onMessage = (message) => {
          failures = 0;
          receive(message as Frame);
        };
        opened.onClose = () => {
          if (transport === opened) closed();
        };
      }
      for (let frame = again.shift(); frame; frame = again.shift()) {
        if (pending.has((frame as { id: number }).id)) transport?.send(frame);
      }
    }

    function cancel(id: number): void {
      if (pending.delete(id)) transport?.send({ t: "cancel", id });
    }
  }

  /** The typed view of this connection for one contract. */
  of<C extends Contract>(name: C["name"]): Client<C> {
    return {
      call: (method, input, options) => this.call(`${name}.${method}`, input, options) as never,
      stream: (method, input, options) => this.stream(`${name}.${method}`, input, options as never) as never,
    };
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
