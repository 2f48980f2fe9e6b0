import type { Keepalive } from "@/platform/keepalive";
import { type OffscreenPlatform, offscreenUnavailable } from "@/platform/offscreen";
import { RpcClient } from "@/rpc/client";
import type { Contract, StreamOptions } from "@/rpc/contract";
import { NamedError } from "@/rpc/errors";
import type { Transport } from "@/rpc/transport";
import { lazyTransport } from "@/rpc/transports/lazy";
import { type PortLike, portTransport } from "@/rpc/transports/port";
import { tapped } from "@/rpc/transports/tapped";
import type { OffscreenClient, OffscreenLink } from "./types";

/** Times, in ms. */
export interface LinkTimes {
  /** How long a document may take to connect. */
  connect: number;
  /** Silence during a call after which the document is asked whether it lives. */
  silence: number;
  /** How long it may take to answer that. Reading a large page blocks it for a while, so this is generous. */
  answer: number;
}

const TIMES: LinkTimes = { connect: 10_000, silence: 5_000, answer: 15_000 };
const ASK_AGAIN_MS = 500;
/** Failures to get a connection, in a row, after which what waits fails. */
const MOST_TRIES = 3;

export interface OffscreenLinkDeps {
  platform: OffscreenPlatform;
  keepalive: Pick<Keepalive, "hold">;
  report(during: string, error: unknown): void;
  times?: Partial<LinkTimes>;
}

/**
 * The worker's way to the offscreen document: made when first called, once however many call, connected again after a death of either
 * side, and made anew when it does not answer any more.
 */
export class OffscreenConnection implements OffscreenLink {
  readonly #deps: OffscreenLinkDeps;
  readonly #times: LinkTimes;
  readonly #rpc: RpcClient;
  #waiting: Array<() => void> = [];
  #port: PortLike | null = null;
  #recreating: Promise<void> | null = null;
  #pending = 0;
  #heardAt = 0;
  #watch: ReturnType<typeof setTimeout> | undefined;
  readonly #quiesce = new Set<() => Promise<void>>();
  readonly #recreated = new Set<() => void>();

  constructor(deps: OffscreenLinkDeps) {
    this.#deps = deps;
    this.#times = { ...TIMES, ...deps.times };
    this.#rpc = new RpcClient(() => lazyTransport(() => this.#open()));
  }

  /** To be called with each port that the document opens for our calls. */
  accept(port: PortLike): void {
    this.#port = port;
    port.onDisconnect.addListener(() => {
      if (this.#port === port) this.#port = null;
    });
    for (const connected of this.#waiting.splice(0)) connected();
  }

  of<C extends Contract>(name: C["name"]): OffscreenClient<C> {
    const client: OffscreenClient<Contract> = {
      call: (method, input, options) =>
        this.#during(`${name}.${method}`, () => this.#rpc.call(`${name}.${method}`, input, options)) as never,
      stream: (method, input, options) =>
        this.#stream(`${name}.${method}`, input, options as StreamOptions<unknown, unknown>) as never,
    };
    return client as unknown as OffscreenClient<C>;
  }

  recreate(why: string): Promise<void> {
    this.#recreating ??= this.#recreate(why).finally(() => {
      this.#recreating = null;
    });
    return this.#recreating;
  }

  onQuiesce(work: () => Promise<void>): void {
    this.#quiesce.add(work);
  }

  onRecreated(listener: () => void): void {
    this.#recreated.add(listener);
  }

  async #recreate(why: string): Promise<void> {
    this.#deps.report("Looking after the background document", new NamedError("OffscreenHungError", why));
    // What cannot come to rest is cut off: it may be the very reason.
    await deadline(Promise.allSettled([...this.#quiesce].map((work) => work())), 2_000, () => undefined);
    await deadline(this.#close(), this.#times.answer, () => undefined);
    this.#port = null;
    for (const listener of this.#recreated) listener();
  }

  async #close(): Promise<void> {
    const { platform } = this.#deps;
    if (await platform.exists()) await platform.close();
  }

  /** A connection that takes more than one try; what is called meanwhile waits for it. */
  async #open(): Promise<Transport> {
    for (let tries = 1; ; tries += 1) {
      try {
        return this.#listening(portTransport(await this.#openOnce()));
      } catch (error) {
        if (tries >= MOST_TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
      }
    }
  }

  /** @throws OffscreenUnavailableError also when the browser leaves what it was asked for without an answer */
  async #openOnce(): Promise<PortLike> {
    const over = new AbortController();
    try {
      const port = await deadline(this.#findPort(over.signal), this.#times.connect, () => null);
      if (!port) throw offscreenUnavailable("it did not connect");
      return port;
    } finally {
      over.abort();
    }
  }

  /** Asks for a document, and asks it to connect, until one has or `signal` says that nobody waits for it. */
  async #findPort(signal: AbortSignal): Promise<PortLike | null> {
    await this.#recreating;
    const { platform } = this.#deps;
    while (!this.#port && !signal.aborted) {
      const connected = new Promise<void>((resolve) => this.#waiting.push(resolve));
      if (!(await platform.exists())) await this.#create();
      else await platform.askToConnect();
      // One that nobody answered for is on its way up, and will connect by itself, or on its way out: then it is made again.
      await deadline(connected, ASK_AGAIN_MS, () => undefined);
    }
    return this.#port;
  }

  async #create(): Promise<void> {
    try {
      await this.#deps.platform.create();
    } catch (error) {
      // Somebody else may have been faster, or the one before is only just closing.
      if (await this.#deps.platform.exists()) return;
      throw offscreenUnavailable(error instanceof Error ? error.message : String(error), error);
    }
  }

  /** Notes that something was heard, for the watch over calls under way. */
  #listening(inner: Transport): Transport {
    const heard = () => {
      this.#heardAt = Date.now();
    };
    heard();
    return tapped(inner, heard);
  }

  async #during<T>(what: string, work: () => Promise<T>): Promise<T> {
    const release = this.#begin(what);
    try {
      return await work();
    } finally {
      release();
    }
  }

  async *#stream(
    method: string,
    input: unknown,
    options: StreamOptions<unknown, unknown>,
  ): AsyncGenerator<unknown> {
    const release = this.#begin(method);
    try {
      yield* this.#rpc.stream(method, input, options);
    } finally {
      release();
    }
  }

  #begin(what: string): () => void {
    const release = this.#deps.keepalive.hold(`the background document: ${what}`);
    this.#pending += 1;
    if (this.#pending === 1) {
      this.#heardAt = Date.now();
      this.#watchOver();
    }
    return () => {
      release();
      this.#pending -= 1;
      if (this.#pending === 0) clearTimeout(this.#watch);
    };
  }

  /** While calls are under way: a document that says nothing is asked, and one that does not answer is made anew. */
  #watchOver(): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      this.#check()
        .catch((error: unknown) => this.#deps.report("Looking after the background document", error))
        .finally(() => {
          if (this.#pending > 0) this.#watchOver();
        });
    }, this.#times.silence);
  }

  async #check(): Promise<void> {
    if (Date.now() - this.#heardAt < this.#times.silence) return;
    const asked = Date.now();
    const answered = this.#rpc.call("offscreen.health.ping", {}, { repeatable: true }).then(
      () => true,
      // A connection that broke is known to its own calls; only silence is hanging.
      () => true,
    );
    const alive = await deadline(answered, this.#times.answer, () => this.#heardAt > asked);
    if (!alive) await this.recreate("The background document did not answer any more and was started anew.");
  }
}

/** What `work` comes to, or what `late` says after `ms`. */
async function deadline<T, L>(work: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const alarm = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late()), ms);
  });
  try {
    return await Promise.race([work, alarm]);
  } finally {
    clearTimeout(timer);
  }
}
