/** Marks a second that are said as they come. */
const MOST_A_SECOND = 100;
/** ms of rest after which one that was busy says that it is over. */
const REST_MS = 100;

/**
 * Tells when a task of the script begins and when it is over, once each: of all frames that fall silent together, the one that is inside
 * a task is in a loop. Tasks begin at the start, in timers and with answers of the API; what begins in another way is not seen. Of code
 * that has very many tasks only a few are told of, since what is told counts as messages of that code: it is then inside until it rests.
 */
export class Tasks {
  readonly #say: (mark: "enter" | "leave") => void;
  readonly #later: () => void;
  /** The code's own would count as a task of the code. */
  readonly #wait = setTimeout.bind(globalThis);
  readonly #now: () => number;
  #inside = false;
  /** What was said last. */
  #said: "enter" | "leave" = "leave";
  #resting = false;
  #since = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(say: (mark: "enter" | "leave") => void, now: () => number = () => performance.now()) {
    this.#say = say;
    this.#now = now;
    const { port1, port2 } = new MessageChannel();
    // A task of its own, so that the microtasks of the script's task are over by then.
    port1.onmessage = () => {
      this.#inside = false;
      if (!this.#busy()) this.#tell("leave");
      else if (!this.#resting) this.#rest();
    };
    const post = port2.postMessage.bind(port2);
    this.#later = () => post(null);
  }

  readonly enter = (): void => {
    if (this.#inside) return;
    this.#inside = true;
    this.#count += 1;
    this.#tell("enter");
    this.#later();
  };

  #tell(mark: "enter" | "leave"): void {
    if (this.#said === mark) return;
    this.#said = mark;
    this.#say(mark);
  }

  /** Whether there were more tasks in this second than are told of one by one. */
  #busy(): boolean {
    const now = this.#now();
    if (now - this.#since >= 1000) {
      this.#since = now;
      this.#count = 1;
    }
    return this.#count > MOST_A_SECOND;
  }

  #rest(): void {
    this.#resting = true;
    this.#wait(() => {
      this.#resting = false;
      if (!this.#inside) this.#tell("leave");
      else this.#rest();
    }, REST_MS);
  }

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
