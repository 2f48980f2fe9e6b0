import type { ScriptInfo, ScriptSession } from "@/gm/types";
import { RpcClient } from "@/rpc/client";
import type { Transport } from "@/rpc/transport";
import { messagePortTransport } from "@/rpc/transports/message-port";
import { tapped } from "@/rpc/transports/tapped";
import type { FromGuest, ToGuest } from "../protocol";
import type { GuestPayload, SandboxError } from "../types";
import { captureConsole } from "./console";
import { describe } from "./errors";
import { refusedFetch, sandboxFetch } from "./fetch";
import { GuestSession } from "./session";
import { Tasks } from "./tasks";

/** Makes the values of the granted names, in their order. Handed in by the entry, which knows the APIs. */
export type Grant = (names: readonly string[], info: ScriptInfo, session: ScriptSession) => unknown[];

export interface GuestOptions {
  grant: Grant;
  /** Whether to tell when tasks begin and end: for code that stays. */
  watchTasks: boolean;
}

/** Takes the granted values and returns the function with the code. */
type Factory = (...granted: unknown[]) => (args: unknown) => Promise<unknown>;

/**
 * Runs beside somebody's code in one realm, with nothing to hide: what it holds, the port, gives that code no more than its own API has.
 * Waits for the order to start, runs the code once, and hands on what it writes, throws and returns.
 */
export function startGuest(port: MessagePort, options: GuestOptions): void {
  const post = port.postMessage.bind(port);
  const send = (message: FromGuest, transfer: Transferable[] = []) => post(message, transfer);
  const tasks = options.watchTasks ? new Tasks((mark) => send({ t: mark })) : null;
  let session: GuestSession | null = null;
  port.onmessage = ({ data }: MessageEvent<ToGuest>) => {
    if (data.t === "ping") send({ t: "pong", n: data.n });
    else if (data.t === "wake") session?.wake();
    else session ??= start(data.payload, data.args, send, tasks, options.grant);
  };
  tasks?.watchTimers();
  captureConsole((level, text, dropped) => send({ t: "console", level, text, dropped }));
  send({ t: "ready" });
}

function start(
  payload: GuestPayload,
  args: unknown,
  send: (message: FromGuest, transfer?: Transferable[]) => void,
  tasks: Tasks | null,
  grant: Grant,
): GuestSession {
  const { requires, main, info, names } = payload;
  const sources = [...requires, main].map(({ source }) => source);
  const report = (error: unknown) => send({ t: "error", error: describe(error, sources) });
  const connect = (): Transport => {
    const { port1, port2 } = new MessageChannel();
    send({ t: "connect" }, [port2]);
    return tasks ? tapped(messagePortTransport(port1), tasks.enter) : messagePortTransport(port1);
  };
  const session = new GuestSession(payload, new RpcClient(connect), report);
  const reader = new SourceReader((error) => send({ t: "done", ok: false, error }));
  globalThis.addEventListener("error", (event) => {
    // Only the browser's own events tell of errors.
    if (!event.isTrusted) return;
    if (!reader.failed(event)) report(event.error ?? { name: "Error", message: event.message });
    // What was reported is not an error of the worker itself as well, which would be the end of the run.
    if (!tasks) event.preventDefault();
  });
  globalThis.addEventListener("unhandledrejection", (event) => {
    if (event.isTrusted) report(event.reason);
  });
  Object.defineProperty(globalThis, "fetch", {
    value: payload.fetch ? sandboxFetch(session) : refusedFetch,
    writable: true,
    configurable: true,
  });

  const granted = grant(names, info, session);
  const config: unknown = Object.freeze(payload.config);
  tasks?.enter();
  // In a task of its own: what does not parse must reach the listener above, which alone learns the line.
  setTimeout(() => {
    for (const { code, source } of requires) reader.read(source, `${code}\n//# sourceURL=${source}`);
    const parameters = ["CAT_CONFIG", ...names].join(",");
    // On the first line, so that lines count as in the code itself; sloppy, as indirect eval is.
    const factory = reader.read(
      main.source,
      `(function(${parameters}){return async function(){${main.code}\n}})\n//# sourceURL=${main.source}`,
    );
    run(factory, [config, ...granted], args, sources).then(
      // Nobody waits for a result of code that stays.
      (value) => finish(tasks ? undefined : value, send),
      (error: SandboxError) => send({ t: "done", ok: false, error }),
    );
  });
  return session;
}

async function run(factory: unknown, granted: unknown[], args: unknown, sources: readonly string[]) {
  try {
    // Code that closes the function around it can put anything in its place; that is then no code with a result.
    if (typeof factory !== "function") throw new SyntaxError("The code is not the body of a function.");
    return await (factory as Factory)(...granted)(args);
  } catch (error) {
    throw describe(error, sources);
  }
}

function finish(value: unknown, send: (message: FromGuest) => void): void {
  try {
    send({ t: "done", ok: true, value });
  } catch (error) {
    const message = `The result cannot be handed over: ${describe(error, []).message}. Return plain data: numbers, text, arrays, objects, Map, Set, Date, bytes.`;
    send({ t: "done", ok: false, error: { name: "DataCloneError", message } });
  }
}

/** Evaluates sources in the global scope. One that does not parse is an error with its line, which only the browser's event tells. */
class SourceReader {
  #reading: string | null = null;

  constructor(private readonly fail: (error: SandboxError) => void) {}

  read(source: string, text: string): unknown {
    this.#reading = source;
    // Indirect, so that it runs in the global scope and not in this one. A throw ends the task, and comes to failed().
    // biome-ignore lint/security/noGlobalEval: running other people's code is what this realm is for.
    const value: unknown = globalThis.eval(text);
    this.#reading = null;
    return value;
  }

  /** True for the error that ended the reading. */
  failed({ error, message, lineno }: ErrorEvent): boolean {
    const source = this.#reading;
    if (source === null) return false;
    this.#reading = null;
    const described = describe(error ?? { message }, [source]);
    const line = described.line ?? lineno;
    const name = source.slice(source.lastIndexOf("/") + 1);
    this.fail({
      ...described,
      line,
      message: `${described.message} (${decodeURIComponent(name)}, line ${line})`,
    });
    return true;
  }
}
