import type { ConsentAsker } from "@/consent/types";
import type { MoggyDatabase } from "@/platform/db";
import type { Keepalive } from "@/platform/keepalive";
import type { FetchHop } from "@/platform/redirects";
import type { SessionStorage } from "@/platform/session-storage";
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
  /** Ids of the documents that the tab shows now, in all frames; empty when the tab is gone. */
  documents(tabId: number): Promise<ReadonlySet<string>>;
  /** Values of this script changed: registered snapshots are out of date. */
  valuesChanged(uuid: string): void;
  /** Whether two host names belong to one registrable domain. Equal names do without the list of public suffixes. */
  sameSite(a: string, b: string): Promise<boolean>;
  /** Sends one request without following redirects, and without our origin in it. */
  fetchHop: FetchHop;
  /** Whoever needs a person's word asks here. */
  consent: ConsentAsker;
  keepalive: Pick<Keepalive, "hold">;
  /** chrome.storage.session: survives the worker, not the browser. */
  session: SessionStorage;
  /** For what fails and has no caller who could be told. */
  report(during: string, error: unknown): void;
  now(): number;
}
