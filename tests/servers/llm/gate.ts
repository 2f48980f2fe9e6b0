/**
 * A door in the middle of an answer. The server waits at it until the test opens it, so that "the first delta arrives
 * before the last is sent" can be tested without sleeping.
 */
export class Gate {
  readonly name: string;
  /** Settles when the server stands at the gate. */
  readonly reached: Promise<void>;
  /** Settles when the gate was opened. */
  readonly released: Promise<void>;
  #reach: () => void = noResolverYet;
  #release: () => void = noResolverYet;
  #open = false;

  constructor(name: string) {
    this.name = name;
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
    this.released = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Opens the gate for good. */
  release(): void {
    this.#open = true;
    this.#release();
  }

  /** Called by the server: waits at the gate, or until the client leaves. False when the client left. */
  async wait(signal: AbortSignal): Promise<boolean> {
    this.#reach();
    if (this.#open) return !signal.aborted;
    if (signal.aborted) return false;
    return await new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(false), { once: true });
      this.released.then(() => resolve(true));
    });
  }
}

function noResolverYet(): void {
  throw new Error("a promise's executor runs at once, so this is never called");
}

/** The gates of a server by name, so that another process can open them over HTTP. */
export class GateBook {
  readonly #gates = new Map<string, Gate>();

  /** The gate of that name, made when first asked for. */
  get(name: string): Gate {
    const known = this.#gates.get(name);
    if (known) return known;
    const gate = new Gate(name);
    this.#gates.set(name, gate);
    return gate;
  }

  /** Makes a gate object that a test holds known by its name. */
  add(gate: Gate): void {
    this.#gates.set(gate.name, gate);
  }

  names(): string[] {
    return [...this.#gates.keys()];
  }

  /** Opens every gate and forgets them: nothing may wait for ever behind a gate that no test can see any more. */
  reset(): void {
    for (const gate of this.#gates.values()) gate.release();
    this.#gates.clear();
  }
}
