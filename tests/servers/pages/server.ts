import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { EffectCounter } from "../http/effects";
import { flatHeaders, now, OPEN_CORS, readBody, requestUrl, sendJson } from "../http/exchange";
import { type Listening, listen } from "../http/listen";
import { handlerOf } from "./routes";

/** What a page origin saw of one request. */
export interface PageVisit {
  /** Which of the two origins was asked. */
  at: "a" | "b";
  method: string;
  path: string;
  query: string;
  host: string;
  headers: Record<string, string>;
  origin?: string;
  referer?: string;
  cookie?: string;
  /** Milliseconds since the epoch. */
  time: number;
  bodySize: number;
  status?: number;
  /** The client left before the answer was complete, or the server dropped the connection. */
  cut: boolean;
}

/** An answer that a test put at a path. */
export interface Served {
  body: string | Buffer;
  status?: number;
  headers?: Record<string, string>;
}

export interface PageServerOptions {
  /** Ports of the two origins; any free ones when left out. */
  ports?: [number, number];
}

export interface PageServer {
  /** The first origin, `http://127.0.0.1:<port>`. */
  a: string;
  /** The second origin: another port of the same host. */
  b: string;
  /** The same servers under the name `localhost`: another site. */
  localhostA: string;
  localhostB: string;
  readonly requests: PageVisit[];
  readonly effects: EffectCounter;
  /** Puts an answer at a path of both origins, before the built-in routes. Replaces what was there. */
  serve(path: string, served: Served): void;
  /** Puts a script at `/script/<name>`. @returns its address on the first origin */
  script(name: string, code: string): string;
  /** Forgets requests, effects and what was served. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts two origins on 127.0.0.1 with the pages and bodies that routes.ts lists. */
export async function startPageServer(options: PageServerOptions = {}): Promise<PageServer> {
  const [portA, portB] = options.ports ?? [0, 0];
  const state = new PageState();
  const origins: { a?: Listening; b?: Listening } = {};
  const urlOf = (at: "a" | "b") => {
    const { [at]: origin } = origins;
    if (!origin) throw new Error("the page server was asked before both of its origins listened");
    return origin.url;
  };
  origins.a = await listen((req, res) => state.handle("a", urlOf("b"), req, res), portA);
  origins.b = await listen((req, res) => state.handle("b", urlOf("a"), req, res), portB);
  const [a, b] = [urlOf("a"), urlOf("b")];
  return {
    a,
    b,
    localhostA: a.replace("127.0.0.1", "localhost"),
    localhostB: b.replace("127.0.0.1", "localhost"),
    get requests() {
      return state.requests;
    },
    effects: state.effects,
    serve: (path, served) => state.serve(path, served),
    script: (name, code) => `${a}${state.script(name, code)}`,
    reset: () => state.reset(),
    close: async () => {
      await Promise.all([origins.a?.close(), origins.b?.close()]);
    },
  };
}

class PageState {
  requests: PageVisit[] = [];
  readonly effects = new EffectCounter();
  readonly #served = new Map<string, Served>();

  serve(path: string, served: Served): void {
    if (!path.startsWith("/")) throw new Error(`a served path starts with "/", got "${path}"`);
    this.#served.set(path, served);
  }

  script(name: string, code: string): string {
    const path = `/script/${name}`;
    this.serve(path, { body: code, headers: { "content-type": "text/javascript; charset=utf-8" } });
    return path;
  }

  reset(): void {
    this.requests = [];
    this.effects.reset();
    this.#served.clear();
  }

  async handle(at: "a" | "b", other: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = requestUrl(req);
    if (await this.effects.handle(req, res)) return;
    if (url.pathname.startsWith("/__control/")) return this.#control(url.pathname, req, res);
    const visit = this.#visit(at, url, req);
    res.on("close", () => {
      visit.status = res.statusCode;
      visit.cut = !res.writableFinished;
    });
    const body = await readBody(req);
    visit.bodySize = body.length;
    const served = this.#served.get(url.pathname);
    if (served) return sendServed(req, res, served);
    const handler = handlerOf(url.pathname);
    if (!handler) {
      res
        .writeHead(404, { "content-type": "text/plain" })
        .end(`The page server has nothing at ${url.pathname}`);
      return;
    }
    await handler({ req, res, url, body, other });
  }

  #visit(at: "a" | "b", url: URL, req: IncomingMessage): PageVisit {
    const headers = flatHeaders(req.headers);
    const visit: PageVisit = {
      at,
      method: req.method ?? "GET",
      path: url.pathname,
      query: url.search,
      host: headers.host ?? "",
      headers,
      time: now(),
      bodySize: 0,
      cut: false,
    };
    for (const name of ["origin", "referer", "cookie"] as const) {
      if (headers[name] !== undefined) visit[name] = headers[name];
    }
    // Browsers ask for it by themselves, at times that no test controls.
    if (url.pathname !== "/favicon.ico") this.requests.push(visit);
    return visit;
  }

  /** `GET /__control/requests`, `POST /__control/reset`, `POST /__control/script/<name>` with the code as body. */
  async #control(path: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const asked = `${req.method} ${path.slice("/__control/".length)}`;
    if (req.method === "OPTIONS") {
      res.writeHead(204, OPEN_CORS).end();
    } else if (asked === "GET requests") {
      sendJson(res, 200, { requests: this.requests, effects: this.effects.all() }, OPEN_CORS);
    } else if (asked === "POST reset") {
      this.reset();
      sendJson(res, 200, {}, OPEN_CORS);
    } else if (asked.startsWith("POST script/")) {
      const name = decodeURIComponent(asked.slice("POST script/".length));
      const code = (await readBody(req)).toString("utf8");
      sendJson(res, 200, { path: this.script(name, code) }, OPEN_CORS);
    } else {
      sendJson(
        res,
        404,
        { error: `no control route ${asked}; there are GET requests, POST reset, POST script/<name>` },
        OPEN_CORS,
      );
    }
  }
}

function sendServed(req: IncomingMessage, res: ServerResponse, { body, status, headers }: Served): void {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const all = { "content-type": "text/html; charset=utf-8", "cache-control": "no-cache", etag, ...headers };
  if (status === undefined && req.headers["if-none-match"] === etag) res.writeHead(304, all).end();
  else res.writeHead(status ?? 200, all).end(body);
}
