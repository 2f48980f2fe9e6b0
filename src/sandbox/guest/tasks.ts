/**
 * Tells when a task of the script begins and when it is over, once each: of all frames that fall silent together, the one that is inside
 * a task is in a loop. Tasks begin at the start, in timers and with answers of the API; what begins in another way is not seen.
 */
export class Tasks {
  readonly #say: (mark: "enter" | "leave") => void;
  readonly #later: () => void;
  #inside = false;

  constructor(say: (mark: "enter" | "leave") => void) {
    this.#say = say;
    const { port1, port2 } = new MessageChannel();
    // A task of its own, so that the microtasks of the script's task are over by then.
    port1.onmessage = () => {
      this.#inside = false;
      say("leave");
    };
    const post = port2.postMessage.bind(port2);
    this.#later = () => post(null);
  }

  readonly enter = (): void => {
    if (this.#inside) return;
    this.#inside = true;
    this.#say("enter");
    this.#later();
  };

  /** Marks what timers run. */
  watchTimers(): void {
    for (const name of ["setTimeout", "setInterval", "requestIdleCallback"] as const) {
      const native = globalThis[name] as (callback: unknown, ...rest: unknown[]) => number;
      const { enter } = this;
      const watched = (callback: unknown, ...rest: unknown[]): number => {
        if (typeof callback !== "function") return native.call(globalThis, callback, ...rest);
        const marked = (...args: unknown[]): unknown => {
          enter();
          return Reflect.apply(callback, globalThis, args);
        };
        return native.call(globalThis, marked, ...rest);
      };
      Object.defineProperty(globalThis, name, { value: watched, writable: true, configurable: true });
    }
  }
}
