import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { vi } from "vitest";
import { type XhrResponse, xmlhttpRequest } from "@/gm/xmlhttp/client";
import { type Opened, World } from "./world";

export interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  sha: string;
  /** As latin1, of small bodies. */
  body: string;
}

/** A server that answers in all the ways that a request can meet, and the page that its requests come from. */
export class HttpBench {
  base = "";
  host = "";
  readonly seen: Seen[] = [];
  /** Answers that wait for the test to go on. */
  readonly held: ServerResponse[] = [];
  /** Answers that the client did not wait for. */
  cut = 0;
  #server: Server | undefined;

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const body = Buffer.concat(parts);
        this.seen.push({
          method: request.method ?? "",
          url: request.url ?? "",
          headers: request.headers,
          sha: createHash("sha256").update(body).digest("hex"),
          body: body.length < 5000 ? body.toString("latin1") : "",
        });
        this.#answer(request, response);
      });
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    this.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.base = `http://${this.host}`;
    vi.stubGlobal("document", { baseURI: `${this.base}/page/index.html`, visibilityState: "visible" });
  }

  stop(): void {
    vi.unstubAllGlobals();
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  reset(): void {
    this.seen.length = 0;
    this.held.length = 0;
    this.cut = 0;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", this.base);
    const send = (type: string, data: string | Buffer, status = 200) => {
      response.writeHead(status, { "content-type": type, "x-server": "Test" });
      response.end(data);
    };
    const size = Number(url.searchParams.get("size"));
    switch (url.pathname) {
      case "/text":
        send("text/plain;charset=utf-8", "plain text ✓");
        break;
      case "/gbk":
        send("text/plain", Buffer.from([0xd6, 0xd0, 0xce, 0xc4]));
        break;
      case "/json":
        send("application/json", JSON.stringify({ a: [1, "ü"] }));
        break;
      case "/bytes":
        send("application/x-own", Buffer.from([0, 1, 254, 255]));
        break;
      case "/missing":
        send("text/plain", "nothing here", 404);
        break;
      case "/empty":
        response.writeHead(204).end();
        break;
      case "/echo":
        send("application/json", JSON.stringify(this.seen.at(-1)));
        break;
      case "/to":
        response.writeHead(302, { location: url.searchParams.get("at") ?? "" }).end();
        break;
      case "/big":
        response.writeHead(200, { "content-type": "text/plain", "content-length": size });
        response.end(Buffer.alloc(size, "x"));
        break;
      case "/slow":
        response.writeHead(200, { "content-type": "text/plain", "content-length": 12 });
        response.write("four");
        response.on("close", () => {
          if (!response.writableFinished) this.cut += 1;
        });
        this.held.push(response);
        break;
      case "/cut":
        response.writeHead(200, { "content-length": 100 });
        response.write("some");
        setTimeout(() => request.socket.destroy(), 30);
        break;
      default:
        send("text/plain", "no such test page", 404);
    }
  }

  /** A script with the grants, in a page of this server unless told otherwise. */
  async open(options: { connects?: string[]; origin?: string; incognito?: boolean; world?: World } = {}) {
    const world = options.world ?? new World();
    const opened = await world.open(
      { uuid: "s1", grants: GRANTS, connects: options.connects },
      { origin: options.origin ?? this.base, incognito: options.incognito },
    );
    return { world, opened, ...functions(opened) };
  }
}

const GRANTS = ["GM_xmlhttpRequest", "GM.xmlHttpRequest"];

export type Details = Record<string, unknown>;

function functions(opened: Opened) {
  const { legacy, modern } = opened.call(xmlhttpRequest);
  return {
    legacy: (details: unknown) => legacy(details) as { abort(): void },
    modern: (details: unknown) => modern(details) as Promise<XhrResponse> & { abort(): void },
  };
}

const EVENTS = ["readystatechange", "loadstart", "progress", "load", "loadend", "error", "abort", "timeout"];

/** Runs a request and gives its events, `readystatechange` with its state. */
export function record(legacy: (details: unknown) => { abort(): void }, details: Details) {
  const events: string[] = [];
  const responses: XhrResponse[] = [];
  const handlers: Details = {};
  let request: { abort(): void } | undefined;
  const end = new Promise<void>((resolve) => {
    for (const name of EVENTS) {
      handlers[`on${name}`] = (response: XhrResponse) => {
        events.push(name === "readystatechange" ? `state ${response.readyState}` : name);
        responses.push(response);
        if (name === "loadend") resolve();
      };
    }
    request = legacy({ ...handlers, ...details });
  });
  return { events, responses, end, abort: () => request?.abort() };
}
