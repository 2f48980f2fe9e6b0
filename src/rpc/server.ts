import type { CallContext, Caller } from "./caller";
import type { AnySpec, Contract, Handlers } from "./contract";
import { NamedError, toWireError } from "./errors";
import { type Frame, readClientFrame } from "./frames";
import type { Transport } from "./transport";

interface Route {
  contract: Contract;
  spec: AnySpec;
  handler: (input: unknown, ctx: CallContext) => unknown;
}

/** Loads what serves the contracts under a name prefix, when a first call for one comes. */
type LazyPart = { prefix: string; load: () => Promise<void> };

/** Calls and streams that one connection may have in flight; more are refused, so that a script cannot flood the worker. */
const MAX_IN_FLIGHT = 1024;
/** Things wrong with one input that its error tells of. */
const MOST_ISSUES = 5;

export interface RouterOptions {
  /** What a call has to wait for before anything is done for it; rejecting refuses it. Undefined: nothing. */
  admit?(method: string): Promise<void> | undefined;
  /** The error to send in place of the one that a call ended with, where somebody knows it better. */
  explain?(error: unknown): unknown;
}

/** Finds the handler of a method, checks that the caller may have it and that its input is right, and runs it. */
export class Router {
  readonly #routes = new Map<string, Route>();
  readonly #parts: LazyPart[] = [];

  constructor(private readonly options: RouterOptions = {}) {}

  /** Registers the handlers of a contract. */
  register<C extends Contract>(contract: C, handlers: Handlers<C, CallContext>): void {
    for (const [name, spec] of Object.entries(contract.methods)) {
      const handler = handlers[name as keyof C["methods"]] as Route["handler"];
      this.#routes.set(`${contract.name}.${name}`, { contract, spec, handler });
    }
  }

  /** Contracts whose name starts with `prefix` come from a bundle that is loaded on the first call. */
  registerLazy(prefix: string, load: () => Promise<void>): void {
    this.#parts.push({ prefix, load });
  }

  /** Serves one connection until it closes. The caller is fixed for its life. */
  serve(transport: Transport, caller: Caller): void {
    const open = new Map<number, { abort: AbortController; credit: (n: number) => void }>();
    const send = (frame: Frame) => transport.send(frame);

    transport.onMessage = (message) => {
      const frame = readClientFrame(message);
      if (!frame) return;
      if (frame.t === "credit") return open.get(frame.id)?.credit(frame.n);
      if (frame.t === "cancel") return open.get(frame.id)?.abort.abort();
      if (open.has(frame.id)) return;
      if (open.size >= MAX_IN_FLIGHT) {
        const e = {
          name: "TooManyCallsError",
          message: `More than ${MAX_IN_FLIGHT} calls are under way. Wait for some to end.`,
        };
        return send({ t: "fail", id: frame.id, e });
      }
      const abort = new AbortController();
      const window = new Window(frame.t === "open" ? frame.w : 0, abort.signal);
      open.set(frame.id, { abort, credit: (n) => window.add(n) });
      this.#run(frame, { caller, signal: abort.signal }, window, send)
        .catch((error: unknown) => {
          const { explain } = this.options;
          send({ t: "fail", id: frame.id, e: toWireError(explain ? explain(error) : error) });
        })
        .finally(() => open.delete(frame.id));
    };
    transport.onClose = () => {
      for (const { abort } of open.values()) abort.abort();
      open.clear();
    };
  }

  async #run(
    frame: Extract<Frame, { t: "call" | "open" }>,
    ctx: CallContext,
    window: Window,
    send: (frame: Frame) => void,
  ): Promise<void> {
    const admission = this.options.admit?.(frame.m);
    if (admission) await admission;
    const route = this.#routes.get(frame.m) ?? (await this.#loadRoute(frame.m));
    if (!route || (route.spec.kind === "call") !== (frame.t === "call")) {
      throw new NamedError("NotFoundError", `There is no "${frame.m}".`);
    }
    authorize(route, frame.m, ctx.caller);
    const input = parseInput(route.spec, frame);
    if (frame.t === "call") {
      const value = await route.handler(input, ctx);
      return send({ t: "ok", id: frame.id, v: value });
    }
    for await (const item of route.handler(input, ctx) as AsyncIterable<unknown>) {
      if (ctx.signal.aborted) return;
      await window.take();
      if (ctx.signal.aborted) return;
      send({ t: "item", id: frame.id, v: item });
    }
    send({ t: "end", id: frame.id });
  }

  async #loadRoute(method: string): Promise<Route | undefined> {
    const part = this.#parts.find((p) => method.startsWith(p.prefix));
    if (!part) return undefined;
    await part.load();
    return this.#routes.get(method);
  }
}

function authorize(route: Route, method: string, caller: Caller): void {
  const { audience } = route.contract;
  if (audience !== caller.kind) {
    throw new NamedError("PermissionDeniedError", `"${method}" cannot be called from here.`);
  }
  if (caller.kind === "script" && caller.gone) {
    throw new NamedError("PermissionDeniedError", "This script is not installed or not enabled any more.");
  }
  const { grants } = route.spec;
  if (caller.kind === "script" && grants && !grants.some((grant) => caller.grants.has(grant))) {
    throw new NamedError(
      "PermissionDeniedError",
      `The script has no @grant for this. It needs one of: ${grants.join(", ")}.`,
    );
  }
}

function parseInput(spec: AnySpec, frame: Extract<Frame, { t: "call" | "open" }>): unknown {
  try {
    return spec.input.parse(frame.a);
  } catch (error) {
    const message = whyNot(error);
    throw new NamedError("TypeError", `"${frame.m}" was called with something it does not take: ${message}`, {
      cause: error,
    });
  }
}

/** What a schema found, as `place: what is wrong`, and not as the list that it throws. */
function whyNot(error: unknown): string {
  const { issues, message } = error as { issues?: unknown; message?: unknown };
  if (!Array.isArray(issues)) return String(message ?? error);
  return issues
    .slice(0, MOST_ISSUES)
    .map(
      ({ path, message: why }: { path: unknown[]; message: string }) =>
        `${path.map(String).join(".") || "it"}: ${why}`,
    )
    .join("; ");
}

/** The consumer's credit for one stream: back-pressure, so that a slow reader does not fill memory. */
class Window {
  #credit: number;
  #wake: (() => void) | null = null;

  constructor(credit: number, signal: AbortSignal) {
    this.#credit = credit;
    signal.addEventListener("abort", () => this.#wake?.(), { once: true });
  }

  add(n: number): void {
    this.#credit += n;
    this.#wake?.();
  }

  /** Resolves when one item may be sent, or when the stream was aborted. */
  async take(): Promise<void> {
    if (this.#credit <= 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
    this.#credit -= 1;
  }
}
