import type { IncomingMessage, ServerResponse } from "node:http";
import { clientGone, flatHeaders, pause, sendJson } from "../http/exchange";
import { countingBytes, GBK_TEXT, largeBlocks, largeChecksum, MIB, sha256, writeBlocks } from "./bodies";
import {
  framed,
  frameHost,
  frameKinds,
  hostile,
  type Page,
  plain,
  strictCsp,
  svg,
  trustedTypes,
  xml,
} from "./documents";

/** One request to a page origin. */
export interface PageRequest {
  req: IncomingMessage;
  res: ServerResponse;
  url: URL;
  body: Buffer;
  /** The other origin's URL, on 127.0.0.1. */
  other: string;
}

type Handler = (request: PageRequest) => void | Promise<void>;

const BASE64_LIMIT = 8 * MIB;

/** What answers a path; undefined when nothing does. */
export function handlerOf(path: string): Handler | undefined {
  if (path.startsWith("/page/")) return ({ res, url }) => sendPage(res, plain(`Page ${url.pathname}`));
  if (path.startsWith("/status/")) return status;
  return HANDLERS[path];
}

const HANDLERS: Record<string, Handler> = {
  "/": ({ res }) => sendPage(res, plain()),
  "/plain": ({ res }) => sendPage(res, plain()),
  "/csp": ({ res }) => sendPage(res, strictCsp()),
  "/trusted-types": ({ res }) => sendPage(res, trustedTypes()),
  "/frame-host": (request) => sendPage(request.res, frameHost(frameSource(request), false)),
  "/csp-frame-host": (request) => sendPage(request.res, frameHost(frameSource(request), true)),
  "/framed": ({ res }) => sendPage(res, framed()),
  "/frame-kinds": ({ res }) => sendPage(res, frameKinds()),
  "/hostile": ({ res, url }) => sendPage(res, hostile({ late: false, ...attack(url) })),
  "/hostile-late": ({ res, url }) => sendPage(res, hostile({ late: true, ...attack(url) })),
  "/svg": ({ res }) => sendPage(res, svg()),
  "/xml": ({ res }) => sendPage(res, xml()),
  "/redirect": redirect,
  "/cookie/set": setCookie,
  "/cookie/echo": ({ req, res }) =>
    sendJson(res, 200, { header: req.headers.cookie ?? null, cookies: cookiesOf(req) }),
  "/echo": echo,
  "/json": ({ res }) => sendJson(res, 200, { ok: true, text: "日本語 🐱", list: [1, 2, 3] }),
  "/bytes": bytes,
  "/large": large,
  "/slow": slow,
  "/drop": drop,
  "/gbk": gbk,
  "/favicon.ico": ({ res }) => void res.writeHead(204).end(),
};

/** `?path=/framed`, of the other origin; `&same=1` of this one; `&site=1` of the other origin by the name localhost. */
function frameSource({ url, other }: PageRequest): string {
  const path = url.searchParams.get("path") ?? "/framed";
  if (url.searchParams.has("same")) return path;
  return `${url.searchParams.has("site") ? other.replace("127.0.0.1", "localhost") : other}${path}`;
}

function attack(url: URL): { descriptors: boolean; child: boolean } {
  return { descriptors: url.searchParams.has("descriptors"), child: url.searchParams.has("child") };
}

/** `?to=URL&status=302`; for a chain, `to` is itself a redirect. */
function redirect({ res, url }: PageRequest): void {
  const to = url.searchParams.get("to");
  if (!to) {
    misused(res, "/redirect needs ?to=URL");
    return;
  }
  res.writeHead(numberOf(url, "status", 302), { location: to, "cache-control": "no-store" }).end();
}

/** `?name=…&value=…&attributes=Path=/; HttpOnly`; `&to=URL` redirects there too. */
function setCookie({ res, url }: PageRequest): void {
  const { searchParams } = url;
  const cookie = `${searchParams.get("name") ?? "name"}=${searchParams.get("value") ?? "value"}`;
  const attributes = searchParams.get("attributes") ?? "Path=/";
  const to = searchParams.get("to");
  res.writeHead(to ? 302 : 200, {
    "set-cookie": `${cookie}; ${attributes}`,
    "content-type": "text/plain",
    ...(to ? { location: to } : {}),
  });
  res.end(cookie);
}

function cookiesOf(req: IncomingMessage): Record<string, string> {
  const pairs = (req.headers.cookie ?? "").split(/;\s*/).filter((pair) => pair !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** The request as JSON: method, URL, headers, body as base64 (up to 8 MiB) with its size and SHA-256. */
function echo({ req, res, url, body }: PageRequest): void {
  sendJson(res, 200, {
    method: req.method,
    url: url.pathname + url.search,
    headers: flatHeaders(req.headers),
    size: body.length,
    sha256: sha256(body),
    base64: body.length <= BASE64_LIMIT ? body.toString("base64") : null,
  });
}

/** `?n=1000&type=…`: bytes that count up; `x-sha256` is their checksum. */
function bytes({ res, url }: PageRequest): void {
  const body = countingBytes(numberOf(url, "n", 256));
  res.writeHead(200, {
    "content-type": url.searchParams.get("type") ?? "application/octet-stream",
    "content-length": String(body.length),
    "x-sha256": sha256(body),
  });
  res.end(body);
}

/** `?mb=10`: streamed as fast as it is read; `&chunked=1` without Content-Length; `&pauseMs=` between blocks of 64 KiB. */
async function large({ res, url }: PageRequest): Promise<void> {
  const size = Math.round(numberOf(url, "mb", 1) * MIB);
  res.writeHead(200, {
    "content-type": "application/octet-stream",
    "cache-control": "no-store",
    "x-sha256": largeChecksum(size),
    ...(url.searchParams.has("chunked") ? {} : { "content-length": String(size) }),
  });
  await writeBlocks(res, largeBlocks(size), numberOf(url, "pauseMs", 0));
}

/** `?ms=1000`: the headers come after that time; `&bodyMs=` the body so much later. */
async function slow({ res, url }: PageRequest): Promise<void> {
  const gone = clientGone(res);
  if (!(await pause(numberOf(url, "ms", 1000), gone))) return;
  res.writeHead(200, { "content-type": "text/plain", "cache-control": "no-store" });
  res.flushHeaders();
  if (await pause(numberOf(url, "bodyMs", 0), gone)) res.end("slow");
}

/** `?after=1000&of=2000`: the connection is destroyed after so many bytes of the promised length; 0 is after the headers. */
async function drop({ res, url }: PageRequest): Promise<void> {
  const of = numberOf(url, "of", 2000);
  const start = countingBytes(Math.min(numberOf(url, "after", 1000), of));
  res.writeHead(200, { "content-type": "application/octet-stream", "content-length": String(of) });
  res.flushHeaders();
  if (start.length > 0) await new Promise<void>((resolve) => res.write(start, () => resolve()));
  res.destroy();
}

/** GBK text; `?declared=0` leaves the charset out of the Content-Type. */
function gbk({ res, url }: PageRequest): void {
  const declared = url.searchParams.get("declared") !== "0";
  res
    .writeHead(200, { "content-type": declared ? "text/plain; charset=gbk" : "text/plain" })
    .end(GBK_TEXT.bytes);
}

function status({ res, url }: PageRequest): void {
  const code = Number(url.pathname.slice("/status/".length));
  if (!Number.isInteger(code) || code < 200 || code > 599) {
    misused(res, "/status/ needs a number from 200 to 599");
    return;
  }
  const bodiless = code === 204 || code === 205 || code === 304;
  res.writeHead(code, { "content-type": "text/plain" }).end(bodiless ? undefined : `status ${code}`);
}

function sendPage(res: ServerResponse, { body, headers }: Page): void {
  res.writeHead(200, headers).end(body);
}

function numberOf(url: URL, name: string, otherwise: number): number {
  const text = url.searchParams.get(name);
  if (text === null) return otherwise;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0)
    throw new Error(`?${name}= must be a number of 0 or more, got "${text}"`);
  return value;
}

function misused(res: ServerResponse, message: string): void {
  res.writeHead(400, { "content-type": "text/plain" }).end(message);
}
