import type { MoggyDatabase } from "@/platform/db";
import type { Router } from "@/rpc/server";
import type { ScriptHead } from "@/userscripts/types";

/** What the worker half of a GM API gets; each takes only what it uses. Registered by one line in `src/gm/handlers.ts`. */
export interface GmHost {
  router: Router;
  db: MoggyDatabase;
  scripts: {
    get(uuid: string): Promise<ScriptHead | undefined>;
    recordError(error: { uuid: string; message: string; stack?: string; url?: string }): Promise<void>;
  };
  /** Asks a document whose port is gone to connect again. Resolves false when the document is gone too. */
  wake(target: { tabId: number; documentId: string; uuid: string }): Promise<boolean>;
  /** Values of this script changed: registered snapshots are out of date. */
  valuesChanged(uuid: string): void;
  /** chrome.storage.session: survives the worker, not the browser. */
  session: SessionStorage;
  now(): number;
}

/** Small state that outlives the worker and ends with the browser. Values are JSON. */
export interface SessionStorage {
  get<T>(key: string): Promise<T | undefined>;
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
}
