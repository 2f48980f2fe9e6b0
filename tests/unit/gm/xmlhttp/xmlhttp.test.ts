import "fake-indexeddb/auto";
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type XhrResponse, xmlhttpRequest } from "@/gm/xmlhttp/client";
import { nodeHop, type Opened, settle, World } from "../support/world";

const GRANTS = ["GM_xmlhttpRequest", "GM.xmlHttpRequest"];
let server: Server;
let base: string;
let host: string;
const seen: Array<{
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  sha: string;
  body: string;
}> = [];
/** Answers that the client did not wait for. */
let cut = 0;
/** Answers that wait for the test to go on. */
const held: ServerResponse[] = [];

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", base);
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
      send("application/json", JSON.stringify(seen.at(-1)));
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
        if (!response.writableFinished) cut += 1;
      });
      held.push(response);
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

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts);
      seen.push({
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        sha: createHash("sha256").update(body).digest("hex"),
        body: body.length < 5000 ? body.toString("latin1") : "",
      });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  base = `http://${host}`;
  vi.stubGlobal("document", { baseURI: `${base}/page/index.html`, visibilityState: "visible" });
});

afterAll(() => {
  vi.unstubAllGlobals();
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  seen.length = 0;
  cut = 0;
  held.length = 0;
});

type Details = Record<string, unknown>;

async function open(
  options: { connects?: string[]; origin?: string; incognito?: boolean; world?: World } = {},
) {
  const world = options.world ?? new World();
  const opened = await world.open(
    { uuid: "s1", grants: GRANTS, connects: options.connects },
    { origin: options.origin ?? base, incognito: options.incognito },
  );
  return { world, opened, ...functions(opened) };
}

function functions(opened: Opened) {
  const { legacy, modern } = opened.call(xmlhttpRequest);
  return {
    legacy: (details: unknown) => legacy(details) as { abort(): void },
    modern: (details: unknown) => modern(details) as Promise<XhrResponse> & { abort(): void },
  };
}

const EVENTS = ["readystatechange", "loadstart", "progress", "load", "loadend", "error", "abort", "timeout"];

/** Runs a request and gives its events, `readystatechange` with its state. */
function record(legacy: (details: unknown) => { abort(): void }, details: Details) {
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

describe("GM_xmlhttpRequest", () => {
  it("has the events of XMLHttpRequest in their order, after the call has returned", async () => {
    const { legacy, opened } = await open();
    const { events, responses, end } = record(legacy, { url: "/text", context: { mine: 1 } });
    expect(events).toEqual([]);
    await end;
    expect(events).toEqual([
      "state 1",
      "loadstart",
      "state 2",
      "state 3",
      "progress",
      "progress",
      "state 4",
      "load",
      "loadend",
    ]);
    expect(responses.at(-2)).toMatchObject({
      readyState: 4,
      status: 200,
      statusText: "OK",
      finalUrl: `${base}/text`,
      response: "plain text ✓",
      responseText: "plain text ✓",
      context: { mine: 1 },
    });
    expect(responses.at(-2)?.responseHeaders).toMatch(/^(?:[a-z-]+: [^\r\n]*\r\n)+$/);
    expect(responses.at(-2)?.responseHeaders).toContain("x-server: Test\r\n");
    expect(opened.errors).toEqual([]);
  });

  it("resolves addresses against the page and takes URL objects", async () => {
    const { modern } = await open();
    expect((await modern({ url: "../json?q=1" })).finalUrl).toBe(`${base}/json?q=1`);
    expect((await modern({ url: new URL("/json", base) })).finalUrl).toBe(`${base}/json`);
    await expect(modern({ url: "http://" })).rejects.toThrow(TypeError);
  });

  it("C038 gives text, json, arraybuffer and blob", async () => {
    const { modern } = await open();
    expect((await modern({ url: "/json", responseType: "json" })).response).toEqual({ a: [1, "ü"] });
    expect((await modern({ url: "/json", responseType: "json" })).responseText).toBe('{"a":[1,"ü"]}');
    expect((await modern({ url: "/text", responseType: "json" })).response).toBeNull();
    const buffer = await modern({ url: "/bytes", responseType: "arraybuffer" });
    expect(new Uint8Array(buffer.response as ArrayBuffer)).toEqual(Uint8Array.of(0, 1, 254, 255));
    expect(buffer.responseText).toBeUndefined();
    const blob = (await modern({ url: "/bytes", responseType: "blob" })).response as Blob;
    expect([blob.size, blob.type]).toEqual([4, "application/x-own"]);
    expect((await modern({ url: "/empty", responseType: "text" })).response).toBe("");
    expect((await modern({ url: "/missing" })).status).toBe(404);
    const nothing = { responseType: null, headers: null, method: null, data: null, user: null };
    expect((await modern({ url: "/text", ...nothing })).response).toBe("plain text ✓");
    expect(seen.at(-1)).toMatchObject({ method: "GET", body: "" });
  });

  it("C047 decodes by the charset of overrideMimeType, anonymous or not", async () => {
    const { modern } = await open();
    for (const anonymous of [false, true]) {
      const overrideMimeType = "text/html; charset=gbk";
      expect((await modern({ url: "/gbk", overrideMimeType, anonymous })).responseText).toBe("中文");
    }
    const unknown = await modern({ url: "/text", overrideMimeType: "text/plain;charset=nope" });
    expect(unknown.responseText).toBe("plain text ✓");
  });

  it("C037 sends strings, bytes, blobs and forms as they are", async () => {
    const { modern } = await open();
    const send = async (data: unknown, headers?: Record<string, string>) => {
      await modern({ method: "post", url: "/echo", data, headers });
      return seen.at(-1);
    };
    const bytes = crypto.getRandomValues(new Uint8Array(50_000));
    const sha = createHash("sha256").update(bytes).digest("hex");
    expect(await send("täxt")).toMatchObject({
      method: "POST",
      body: Buffer.from("täxt").toString("latin1"),
      headers: { "content-type": "text/plain;charset=UTF-8" },
    });
    expect(await send("{}", { "Content-Type": "application/json", "X-Own": "1" })).toMatchObject({
      headers: { "content-type": "application/json", "x-own": "1" },
    });
    expect((await send(bytes))?.sha).toBe(sha);
    expect((await send(bytes.buffer))?.sha).toBe(sha);
    expect((await send(new DataView(bytes.buffer)))?.sha).toBe(sha);
    expect(await send(new Blob([bytes], { type: "image/x" }))).toMatchObject({
      sha,
      headers: { "content-type": "image/x" },
    });
    expect(await send(new URLSearchParams({ a: "1 ü" }))).toMatchObject({
      body: "a=1+%C3%BC",
      headers: { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" },
    });
    const form = new FormData();
    form.set("field", "value");
    form.set("file", new File(["content"], "name.txt"));
    const multipart = await send(form);
    expect(multipart?.headers["content-type"]).toMatch(/^multipart\/form-data; ?boundary=/);
    expect(multipart?.body).toContain('filename="name.txt"');
    await modern({ method: "GET", url: "/echo", data: "ignored, as XMLHttpRequest does" });
    expect(seen.at(-1)).toMatchObject({ method: "GET", body: "" });
    await expect(modern({ method: "POST", url: "/echo", data: { a: 1 } })).rejects.toThrow(/JSON\.stringify/);
  });

  it("sends user and password, also out of the address, and takes them off the address", async () => {
    const { modern } = await open();
    await modern({ url: "/echo", user: "ü", password: "p:w" });
    expect(seen.at(-1)?.headers.authorization).toBe(`Basic ${Buffer.from("ü:p:w").toString("base64")}`);
    const { finalUrl } = await modern({ url: `http://me:pw%20@${host}/echo` });
    expect(seen.at(-1)?.headers.authorization).toBe(`Basic ${Buffer.from("me:pw ").toString("base64")}`);
    expect(finalUrl).toBe(`${base}/echo`);
  });

  it("C034 an unreachable host is error, then loadend, with status 0", async () => {
    const { legacy, modern } = await open();
    const url = "http://127.0.0.1:9/";
    const { events, responses, end } = record(legacy, { url, responseType: "blob" });
    await end;
    expect(events).toEqual(["state 1", "loadstart", "state 4", "error", "loadend"]);
    expect(responses.at(-2)).toMatchObject({ status: 0, readyState: 4, response: null, finalUrl: url });
    expect(responses.at(-2)?.error).toMatch(/127\.0\.0\.1:9 failed/);
    await expect(modern({ url })).rejects.toMatchObject({
      name: "NetworkError",
      status: 0,
      response: { status: 0, readyState: 4 },
    });
  });

  it("a connection cut in the middle is an error, never half an answer", async () => {
    const { legacy } = await open();
    const { events, responses, end } = record(legacy, { url: "/cut" });
    await end;
    expect(events.slice(-3)).toEqual(["state 4", "error", "loadend"]);
    expect(events).not.toContain("load");
    expect(responses.at(-1)).toMatchObject({ status: 0, response: "" });
  });

  it("shows text as it comes when a callback wants it", async () => {
    const { legacy } = await open();
    const texts: unknown[] = [];
    const { end, responses } = record(legacy, {
      url: "/slow",
      onprogress: ({ responseText, loaded, total, lengthComputable }: XhrResponse) =>
        texts.push([responseText, loaded, total, lengthComputable]),
    });
    await vi.waitFor(() => expect(texts).toHaveLength(1));
    // Progress events have a least distance in time.
    await new Promise((resolve) => setTimeout(resolve, 60));
    held[0]?.write("five");
    await vi.waitFor(() => expect(texts).toHaveLength(2));
    held[0]?.end("more");
    await end;
    expect(texts.slice(0, 2)).toEqual([
      ["four", 4, 12, true],
      ["fourfive", 8, 12, true],
    ]);
    expect(texts.at(-1)).toEqual(["fourfivemore", 12, 12, true]);
    expect(responses.at(-1)?.response).toBe("fourfivemore");
  });

  it("abort ends it: events in order, none after, and the server sees it", async () => {
    const { legacy, modern, world } = await open();
    const one = record(legacy, { url: "/slow" });
    await vi.waitFor(() => expect(one.events).toContain("progress"));
    one.abort();
    expect(one.events.slice(-3)).toEqual(["state 4", "abort", "loadend"]);
    const count = one.events.length;
    one.abort();
    await vi.waitFor(() => expect(cut).toBe(1));
    await settle();
    expect(one.events).toHaveLength(count);
    expect(one.responses.at(-1)).toMatchObject({ status: 0, response: "" });
    const two = modern({ url: "/slow" });
    two.abort();
    await expect(two).rejects.toMatchObject({ name: "AbortError", response: { readyState: 4 } });
    await vi.waitFor(() => expect(world.held).toBe(0));
  });

  it("timeout ends it, and not when the answer was in time", async () => {
    const { legacy, modern } = await open();
    const { events, end } = record(legacy, { url: "/slow", timeout: 60 });
    await end;
    expect(events.slice(-3)).toEqual(["state 4", "timeout", "loadend"]);
    await vi.waitFor(() => expect(cut).toBe(1));
    await expect(modern({ url: "/slow", timeout: 50 })).rejects.toMatchObject({ name: "TimeoutError" });
    expect((await modern({ url: "/text", timeout: 5000 })).status).toBe(200);
  });

  it("a page that goes away stops its requests", async () => {
    const { legacy, opened, world } = await open();
    const { events } = record(legacy, { url: "/slow" });
    await vi.waitFor(() => expect(events).toContain("progress"));
    opened.leave();
    await vi.waitFor(() => expect(cut).toBe(1));
    await vi.waitFor(() => expect(world.held).toBe(0));
  });

  it("a worker that dies in the middle is an error that says so", async () => {
    const { legacy, world } = await open();
    const { events, responses, end } = record(legacy, { url: "/slow" });
    await vi.waitFor(() => expect(events).toContain("progress"));
    await world.restartWorker();
    await end;
    expect(events.slice(-2)).toEqual(["error", "loadend"]);
    expect(responses.at(-1)?.error).toMatch(/restarted/);
  });

  it("C040 a large answer comes whole, with parts as they come and few messages", async () => {
    const { modern, legacy } = await open();
    const size = 30_000_000;
    const { response } = await modern({ url: `/big?size=${size}`, responseType: "arraybuffer" });
    expect((response as ArrayBuffer).byteLength).toBe(size);
    const { responses, end } = record(legacy, { url: `/big?size=${size}` });
    await end;
    expect(responses.at(-1)?.responseText?.length).toBe(size);
    const loaded = responses.map((r) => r.loaded);
    expect(loaded).toEqual([...loaded].sort((a, b) => a - b));
  });

  it("C043 finalUrl has the fragment after a redirect", async () => {
    const { modern } = await open();
    expect((await modern({ url: `/to?at=${encodeURIComponent("/text#token=1")}` })).finalUrl).toBe(
      `${base}/text#token=1`,
    );
    expect((await modern({ url: `/to?at=/text#mine` })).finalUrl).toBe(`${base}/text#mine`);
  });

  it("C052 the worker refuses hosts that no line covers, at once and behind a redirect", async () => {
    const { modern, opened } = await open({ connects: ["a.test"], origin: "https://page.test" });
    await expect(modern({ url: `${base}/text` })).rejects.toMatchObject({
      name: "PermissionDeniedError",
      message: expect.stringContaining("// @connect 127.0.0.1"),
    });
    expect(seen).toEqual([]);
    const other = await open({ connects: ["127.0.0.1"], origin: "https://page.test" });
    const to = `http://localhost:${new URL(base).port}/text`;
    await expect(other.modern({ url: `${base}/to?at=${encodeURIComponent(to)}` })).rejects.toMatchObject({
      name: "PermissionDeniedError",
      message: expect.stringContaining("// @connect localhost"),
    });
    expect(seen.map(({ url }) => url.split("?")[0])).toEqual(["/to"]);
    // A forged message has no say: the lines are the worker's own.
    const forged = opened.session.rpc.stream("gm.xmlhttp.request", {
      ...RAW,
      url: `${base}/text`,
      connects: ["*"],
    });
    await expect(forged.next()).rejects.toMatchObject({ name: "PermissionDeniedError" });
  });

  const RAW = {
    method: "GET",
    headers: [],
    body: null,
    anonymous: false,
    cache: "default",
  };

  it("a script without the grant gets nothing through a raw connection", async () => {
    const world = new World();
    const opened = await world.open(
      { uuid: "s2", grants: ["GM_getValue"], connects: ["*"] },
      { origin: base },
    );
    const stream = opened.session.rpc.stream("gm.xmlhttp.request", { ...RAW, url: `${base}/text` });
    await expect(stream.next()).rejects.toMatchObject({ name: "PermissionDeniedError" });
    const granted = await open();
    for (const bad of [{ url: 1 }, { ...RAW, url: `${base}/x`, body: { a: 1 } }, { ...RAW, url: "no" }]) {
      const refused = granted.opened.session.rpc.stream("gm.xmlhttp.request", bad);
      await expect(refused.next()).rejects.toMatchObject({ name: "TypeError" });
    }
    const header = granted.opened.session.rpc.stream("gm.xmlhttp.request", {
      ...RAW,
      url: `${base}/text`,
      headers: [["Cookie", "a=1"]],
    });
    await expect(header.next()).rejects.toMatchObject({ name: "NotSupportedError" });
    expect(seen).toEqual([]);
  });

  it("what is not built throws by name, at the call", async () => {
    const { legacy, modern } = await open();
    const cases: Array<[Details, RegExp]> = [
      [{ responseType: "document" }, /responseType "document"/],
      [{ responseType: "stream" }, /responseType "stream"/],
      [{ cookie: "a=1" }, /cookie/],
      [{ upload: {} }, /upload/],
      [{ redirect: "manual" }, /redirect/],
      [{ binary: true }, /binary/],
      [{ data: new ReadableStream() }, /data as a stream/],
      [{ headers: { "User-Agent": "x" } }, /User-Agent/],
      [{ headers: { referer: "x" } }, /referer/],
      [{ headers: { "Sec-Fetch-Site": "x" } }, /Sec-Fetch-Site/],
    ];
    for (const [details, words] of cases) {
      expect(() => legacy({ url: "/text", ...details }), String(words)).toThrow(words);
      await expect(modern({ url: "/text", ...details })).rejects.toMatchObject({ name: "NotSupportedError" });
    }
    expect(() => legacy(undefined)).toThrow(TypeError);
    expect(() => legacy({})).toThrow(/url/);
    await expect(modern({ url: "/text", method: "TRACE" })).rejects.toMatchObject({
      name: "NotSupportedError",
    });
    expect(seen).toEqual([]);
  });

  it("C050 works with the natives of before, whatever a neighbour puts in their place", async () => {
    const { modern } = await open();
    vi.stubGlobal("Blob", class Fake {});
    try {
      const { response } = await modern({ url: "/bytes", responseType: "blob" });
      expect(Object.prototype.toString.call(response)).toBe("[object Blob]");
      expect((response as Blob).size).toBe(4);
    } finally {
      vi.stubGlobal("Blob", (await import("node:buffer")).Blob);
    }
  });

  it("C044 asks for cookies unless anonymous, and never those of normal windows from a private one", async () => {
    const inits: RequestInit[] = [];
    const world = new World({
      fetchHop: (url, init) => {
        inits.push(init);
        return nodeHop(url, init);
      },
    });
    const { modern } = await open({ world });
    await modern({ url: "/to?at=/text" });
    await modern({ url: "/text", anonymous: true });
    await modern({ url: "/text", nocache: true });
    const hidden = await open({ world, incognito: true });
    await hidden.modern({ url: "/text" });
    expect(inits.map(({ credentials, cache }) => [credentials, cache])).toEqual([
      ["include", "default"],
      ["include", "default"],
      ["omit", "default"],
      ["include", "no-store"],
      ["omit", "no-store"],
    ]);
    expect(inits.every(({ referrerPolicy }) => referrerPolicy === "no-referrer")).toBe(true);
  });

  it("a callback that throws is in the log and does not stop the rest", async () => {
    const { legacy, opened } = await open();
    const { events, end } = record(legacy, {
      url: "/text",
      onload: () => {
        throw new Error("mine");
      },
    });
    await end;
    expect(events.at(-1)).toBe("loadend");
    expect(opened.errors).toEqual([expect.objectContaining({ message: "mine" })]);
  });

  it("keeps the worker alive while it runs, and only then", async () => {
    const { legacy, world } = await open();
    const { events, end } = record(legacy, { url: "/slow" });
    await vi.waitFor(() => expect(events).toContain("state 2"));
    expect(world.held).toBe(1);
    held[0]?.end("fivemore");
    await end;
    await vi.waitFor(() => expect(world.held).toBe(0));
  });
});
