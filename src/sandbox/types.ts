import type { ScriptInfo } from "@/gm/types";

/** A line that sandboxed code wrote to its console. */
export interface ConsoleLine {
  /** ms since the epoch. */
  at: number;
  level: ConsoleLevel;
  /** At most {@link MOST_LINE_TEXT} characters. */
  text: string;
}

export type ConsoleLevel = "debug" | "log" | "info" | "warn" | "error";

export const CONSOLE_LEVELS: readonly ConsoleLevel[] = ["debug", "log", "info", "warn", "error"];

/** Characters of a console line that are kept. */
export const MOST_LINE_TEXT = 2000;

/** What sandboxed code threw. Lines count in its own source. */
export interface SandboxError {
  name: string;
  message: string;
  stack?: string;
  line?: number;
}

/** Text of a script with the address under which stack traces show it. */
export interface SandboxSource {
  code: string;
  /** `//# sourceURL`; one line. */
  source: string;
}

/** All that the guest runtime needs in order to run somebody's code. Nothing in it is secret from that code. */
export interface GuestPayload {
  /** Parameters of the function around the code: the granted names and no others. */
  names: string[];
  grants: string[];
  info: ScriptInfo;
  /** Frozen, as `CAT_CONFIG`. */
  config: Record<string, unknown>;
  /** Whether `fetch` reaches the worker; otherwise it says that it is not granted. */
  fetch: boolean;
  /** As in `BootPayload`: JSON text of encoded values, or null. */
  snapshot: string | null;
  revision: number;
  /** Run in the global scope before the code, in their order. */
  requires: SandboxSource[];
  main: SandboxSource;
}

/** In whose name a one-shot run calls the API. */
export interface SandboxOwner {
  /** Of the script; or `run:<kind>` for runs that no script began. */
  uuid: string;
  /** As a person knows it. */
  name: string;
  /** As granted: exactly these. `fetch` is one for runs without a script. */
  grants: string[];
}

/** One piece of code to be run once. */
export interface SandboxRunRequest {
  /** The same id is the same run: asked for again, it is joined or its outcome given again, and never run twice. */
  runId: string;
  owner: SandboxOwner;
  /** Body of an async function: `return` gives the result, `arguments[0]` is `args`. Sloppy mode. */
  code: string;
  /** Name in stack traces, such as `fetch-prices.js`. */
  name: string;
  args?: unknown;
  config?: Record<string, unknown>;
  requires?: Array<{ url: string; code: string }>;
  /** ms; {@link USUAL_TIMEOUT_MS} when left out, {@link LONGEST_TIMEOUT_MS} at most. */
  timeoutMs?: number;
}

export const USUAL_TIMEOUT_MS = 30_000;
export const LONGEST_TIMEOUT_MS = 600_000;

/** What came of a run. */
export type SandboxOutcome = ({ ok: true; value: unknown } | { ok: false; error: SandboxError }) & {
  console: ConsoleLine[];
  /** Console lines beyond those kept. */
  dropped: number;
  /** ms of running, without waiting for a place or a person. */
  ranMs: number;
};

/** How long an outcome that nobody acknowledged is kept. */
export const KEEP_OUTCOME_MS = 600_000;

/** How a background script is doing, for its page. */
export type BackgroundStatus =
  | { state: "running" }
  | { state: "starting" }
  /** After a fault: starts at `at` (ms since the epoch). */
  | { state: "restarting"; at: number }
  /** After too many faults: not before the next start of the browser, or until somebody starts it. */
  | { state: "stopped"; faults: number };

/** A background frame as its host sees it. */
export interface BackgroundFrameState {
  uuid: string;
  version: string;
  state: "waiting" | "starting" | "running";
}

/** Console lines of a background script that are kept. */
export const BACKGROUND_LINES = 200;

/** Document ids of callers in the sandbox begin so; no browser gives such an id. */
export const SANDBOX_DOCUMENT = "sandbox:";

export function isSandboxDocument(documentId: string): boolean {
  return documentId.startsWith(SANDBOX_DOCUMENT);
}
