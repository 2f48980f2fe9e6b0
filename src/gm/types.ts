import type { RpcClient } from "@/rpc/client";

/** What `GM_info` shows; built by the worker, extended in the document. */
export interface ScriptInfo {
  uuid: string;
  scriptHandler: "Moggy";
  version: string;
  scriptMetaStr: string;
  scriptWillUpdate: boolean;
  injectInto: "page" | "content";
  isIncognito: boolean;
  platform: { os?: string; arch?: string; browserName: string; browserVersion: string };
  script: {
    uuid: string;
    name: string;
    namespace: string;
    version: string;
    description: string;
    author: string;
    icon?: string;
    homepage?: string;
    grant: string[];
    matches: string[];
    includes: string[];
    excludes: string[];
    excludeMatches: string[];
    connects: string[];
    resources: Array<{ name: string; url: string }>;
    "run-at": string;
    header: string;
    options: Record<string, unknown>;
  };
}

/** One script in one document: what the client half of an API gets. */
export interface ScriptSession {
  readonly uuid: string;
  readonly info: ScriptInfo;
  /** This script's own channel. It connects on the first call. */
  readonly rpc: RpcClient;
  /** JSON text `{ key: encodedValue }`, as it was when the script was registered; null when the script may not read values. */
  readonly snapshot: string | null;
  /** Revision of the value store that `snapshot` shows. */
  readonly revision: number;
  /** Something for the script's error log that the script itself did not throw, such as a failing callback. */
  reportError(error: unknown): void;
  /** Runs when the worker, newly started, asks this document to come back because it has something for it. */
  onWake(callback: () => void): void;
}

/**
 * A GM function. `legacy` makes `GM_<name>`, `modern` makes `GM.<name>`; each is made only for a script that
 * was granted exactly that name. Registered by one line in `src/gm/clients.ts`.
 */
export interface GmFunction {
  name: string;
  /** The name on `GM`, where Greasemonkey 4 spells it differently. */
  modernName?: string;
  legacy?: (session: ScriptSession) => unknown;
  modern?: (session: ScriptSession) => unknown;
}
