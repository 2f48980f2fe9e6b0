import type { ScriptInfo } from "@/gm/types";

/**
 * The one name that the runtime leaves in a user-script world, and what stands behind it. Registered code is static text, so
 * it can only find the runtime by a name; the property is neither writable, configurable nor enumerable, and is set
 * before any script of that world runs, so no script can stand in for it.
 */
export const BOOT_NAME = "moggy:boot";

export interface Boot {
  /** The code that evaluates next belongs to the holder of this token, and so does its syntax error if it has one. */
  expect(token: string): void;
  /** Runs a script, if the document's address passes the test that the browser could not make. */
  run(token: string, payload: BootPayload, factory: Factory, matches: UrlTest | null): void;
  /** Asks the script's session to connect again, since the worker has something for it. */
  wake(uuid: string): void;
}

/** Takes the granted values and returns the function with the script's code. */
export type Factory = (...granted: unknown[]) => () => void;

/** Whether a script runs on an address: for rules that are narrower than what the browser can be told. */
export type UrlTest = (url: string) => boolean;

export interface BootPayload {
  uuid: string;
  /** Parameters of the factory, in order. */
  names: string[];
  info: ScriptInfo;
  /** When to run, where the registration is earlier than that. */
  at: "registered" | "body" | "end" | "idle";
  /** JSON text of encoded values, or null. */
  snapshot: string | null;
  /** Of the values in `snapshot`; -1 without. */
  revision: number;
  /** `//# sourceURL` of the script's code, by which stack frames are told to be its own. */
  source: string;
}
