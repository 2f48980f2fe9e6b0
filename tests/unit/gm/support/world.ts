import { registerGmHandlers } from "@/gm/handlers";
import type { GmHost } from "@/gm/host";
import type { GmFunction, ScriptInfo, ScriptSession } from "@/gm/types";
import { MoggyDatabase } from "@/platform/db";
import type { FetchHop } from "@/platform/redirects";
import type { SessionStorage } from "@/platform/session-storage";
import type { ScriptCaller } from "@/rpc/caller";
import { RpcClient } from "@/rpc/client";
import { Router } from "@/rpc/server";
import { memoryTransportPair, type Transport } from "@/rpc/transport";
import type { ScriptHead } from "@/userscripts/types";

/** Session storage in memory; values pass through JSON as in the browser. */
export class MemorySession implements SessionStorage {
  readonly data = new Map<string, string>();
  async get<T>(key: string): Promise<T | undefined> {
    const text = this.data.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }
  async set(key: string, value: unknown): Promise<void> {
    this.data.set(key, JSON.stringify(value));
  }
  async remove(key: string): Promise<void> {
    this.data.delete(key);
  }
}

export interface TestScript {
  uuid: string;
  grants: string[];
  connects?: string[];
}

/** A script's session in a document of the world, and handles on what the browser would do to it. */
export interface Opened {
  session: ScriptSession;
  documentId: string;
  errors: unknown[];
  /** The document goes away. */
  leave(): void;
  call(fn: GmFunction): { legacy: (...args: unknown[]) => unknown; modern: (...args: unknown[]) => unknown };
  /** How often it connected. */
  readonly connects: number;
}

let names = 0;

/** As the browser's, but Node shows a redirect's answer as it is. */
export const nodeHop: FetchHop = async (url, init) => {
  const response = await fetch(url, { ...init, redirect: "manual" });
  const location = response.headers.get("location");
  const redirected = [301, 302, 303, 307, 308].includes(response.status) && location !== null;
  return {
    response,
    redirect: redirected ? { status: response.status, url: new URL(location, url).href } : null,
  };
};

/** A person who says no to everything. */
export const refusing: GmHost["consent"] = {
  known: async () => ({ outcome: "denied", signal: new AbortController().signal }),
  ask: async () => ({ outcome: "denied", signal: new AbortController().signal }),
};

/** A browser with our worker, in memory: scripts, documents, worker deaths. */
export class World {
  readonly db = new MoggyDatabase(`gm-test-${++names}`);
  readonly session = new MemorySession();
  readonly changed: string[] = [];
  readonly woken: string[] = [];
  readonly heads = new Map<string, ScriptHead>();
  /** Keepalives that are held now. */
  held = 0;
  host: GmHost;
  services: ReturnType<typeof registerGmHandlers>;
  #router: Router;
  readonly #documents = new Map<string, { tabId: number; wakers: Map<string, Array<() => void>> }>();
  #connections: Array<{ worker: Transport; page: Transport }> = [];
  readonly #byDocument = new Map<string, Array<{ worker: Transport; page: Transport }>>();
  #nextDocument = 0;

  constructor(private readonly overrides: Partial<GmHost> = {}) {
    [this.#router, this.host, this.services] = this.#startWorker();
  }

  #startWorker(): [Router, GmHost, ReturnType<typeof registerGmHandlers>] {
    const router = new Router();
    const host: GmHost = {
      router,
      db: this.db,
      scripts: { get: async (uuid) => this.heads.get(uuid), recordError: async () => undefined },
      wake: async ({ documentId, uuid }) => {
        this.woken.push(documentId);
        const wakers = this.#documents.get(documentId)?.wakers.get(uuid);
        for (const waker of wakers ?? []) waker();
        return wakers !== undefined;
      },
      documents: async (tabId) =>
        new Set([...this.#documents].filter(([, d]) => d.tabId === tabId).map(([id]) => id)),
      valuesChanged: (uuid) => this.changed.push(uuid),
      sameSite: async (a, b) => a.split(".").slice(-2).join(".") === b.split(".").slice(-2).join("."),
      fetchHop: nodeHop,
      consent: refusing,
      keepalive: {
        hold: () => {
          this.held += 1;
          return () => {
            this.held -= 1;
          };
        },
      },
      session: this.session,
      report: (during, error) => console.error(during, error),
      now: () => Date.now(),
      ...this.overrides,
    };
    return [router, host, registerGmHandlers(host)];
  }

  /** The worker dies and a new one stands ready: every connection is cut, memory is gone. */
  async restartWorker(): Promise<void> {
    for (const { page } of this.#connections) page.onClose();
    this.#connections = [];
    [this.#router, this.host, this.services] = this.#startWorker();
    await settle();
  }

  /** The document's ports close while the worker goes on, as when the browser keeps a page for going back to. */
  async cutPorts(opened: Opened): Promise<void> {
    for (const { worker, page } of this.#byDocument.get(opened.documentId) ?? []) {
      page.onClose();
      worker.onClose();
    }
    await settle();
  }

  install(script: TestScript): void {
    const head = {
      uuid: script.uuid,
      name: `Script ${script.uuid}`,
      enabled: true,
      metadata: { name: `Script ${script.uuid}`, grants: script.grants, connects: script.connects ?? [] },
    };
    this.heads.set(script.uuid, head as unknown as ScriptHead);
  }

  /** The script starts in a new document, with a snapshot of the values as a registration would carry it. */
  async open(
    script: TestScript,
    options: {
      tabId?: number;
      frameId?: number;
      origin?: string;
      snapshot?: boolean;
      incognito?: boolean;
    } = {},
  ): Promise<Opened> {
    this.install(script);
    const {
      tabId = 1,
      frameId = 0,
      origin = "https://page.test",
      snapshot = true,
      incognito = false,
    } = options;
    const documentId = `doc-${++this.#nextDocument}`;
    const wakers = new Map<string, Array<() => void>>([[script.uuid, []]]);
    this.#documents.set(documentId, { tabId, wakers });
    const { entries, revision } = await this.services.values.readAll(script.uuid);
    const caller: ScriptCaller = {
      kind: "script",
      uuid: script.uuid,
      name: `Script ${script.uuid}`,
      grants: new Set(script.grants),
      tabId,
      frameId,
      documentId,
      origin,
      url: `${origin}/`,
      incognito,
    };
    const errors: unknown[] = [];
    let connects = 0;
    const mine: Array<{ worker: Transport; page: Transport }> = [];
    this.#byDocument.set(documentId, mine);
    const rpc = new RpcClient(() => {
      const [page, worker] = memoryTransportPair();
      const connection = { worker, page };
      connects += 1;
      mine.push(connection);
      this.#connections.push(connection);
      this.#router.serve(worker, caller);
      return page;
    });
    const session: ScriptSession = {
      uuid: script.uuid,
      info: {
        script: { name: `Script ${script.uuid}`, grant: script.grants, connects: script.connects ?? [] },
      } as unknown as ScriptInfo,
      rpc,
      snapshot: snapshot ? JSON.stringify(entries) : null,
      revision,
      reportError: (error) => errors.push(error),
      onWake: (callback) => wakers.get(script.uuid)?.push(callback),
    };
    return {
      session,
      documentId,
      errors,
      leave: () => {
        this.#documents.delete(documentId);
        for (const { worker } of mine) worker.onClose();
        this.#connections = this.#connections.filter((connection) => !mine.includes(connection));
      },
      call: (fn) => {
        const missing = () => {
          throw new Error(`${fn.name} has no such form`);
        };
        return {
          legacy: (fn.legacy?.(session) ?? missing) as (...args: unknown[]) => unknown,
          modern: (fn.modern?.(session) ?? missing) as (...args: unknown[]) => unknown,
        };
      },
      get connects() {
        return connects;
      },
    };
  }
}

/** Lets messages, database and streams come to rest. */
export async function settle(turns = 12): Promise<void> {
  for (let i = 0; i < turns; i += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}
