import type { OffscreenLink } from "@/offscreen/types";
import type { MoggyDatabase } from "@/platform/db";
import type { Keepalive } from "@/platform/keepalive";
import type { SecretBox } from "@/platform/secrets";
import type { SessionStorage } from "@/platform/session-storage";
import type { KeyValueStorage } from "@/platform/storage";
import type { Router } from "@/rpc/server";
import type { Sandbox } from "@/sandbox/service";

/** What the core bundle hands to the engine bundle. The engine makes none of these itself, so nothing is built twice. */
export interface EngineHost {
  db: MoggyDatabase;
  router: Router;
  secrets: SecretBox;
  storage: KeyValueStorage;
  session: SessionStorage;
  keepalive: Keepalive;
  fetch: typeof fetch;
  offscreen: OffscreenLink;
  sandbox: Sandbox;
  /** For a fault that concerns no caller; goes to the log. */
  report(during: string, error: unknown, source?: string): void;
}

export interface Engine {
  /** Takes up the runs that an earlier worker left unfinished. */
  resumeRuns(): Promise<void>;
  /** Ends the runs of a script that was removed or switched off, keeping what they produced. */
  stopScript(uuid: string): Promise<void>;
  /** Stops what runs and forgets what was read, before everything is erased. */
  reset(): Promise<void>;
  /** Handlers of the eval build's messages that need the engine. */
  evalMessages: Readonly<Record<string, (params: Record<string, unknown>) => Promise<unknown>>>;
}

/** What engine.js leaves for core.js. */
export interface EngineModule {
  create(host: EngineHost): Engine;
}

declare global {
  var moggyEngine: EngineModule | undefined;
}
