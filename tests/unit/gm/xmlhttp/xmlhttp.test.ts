import "fake-indexeddb/auto";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { XhrResponse } from "@/gm/xmlhttp/client";
import { HttpBench, record } from "../support/http-bench";
import { settle } from "../support/world";

const bench = new HttpBench();
beforeAll(() => bench.start());
afterAll(() => bench.stop());
beforeEach(() => bench.reset());

describe("GM_xmlhttpRequest", () => {
  it("has the events of XMLHttpRequest in their order, after the call has returned", async () => {
    const { legacy, opened } = await bench.open();
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
      finalUrl: `${bench.base}/text`,
      response: "plain text ✓",
      responseText: "plain text ✓",
      context: { mine: 1 },
    });
    expect(responses.at(-2)?.responseHeaders).toMatch(/^(?:[a-z-]+: [^\r\n]*\r\n)+$/);
    expect(responses.at(-2)?.responseHeaders).toContain("x-server: Test\r\n");
    expect(opened.errors).toEqual([]);
  });

  it("resolves addresses against the page and takes URL objects", async () => {
    const { modern } = await bench.open();
    expect((await modern({ url: "../json?q=1" })).finalUrl).toBe(`${bench.base}/json?q=1`);
    expect((await modern({ url: new URL("/json", bench.base) })).finalUrl).toBe(`${bench.base}/json`);
    await expect(modern({ url: "http://" })).rejects.toThrow(TypeError);
  });

  it("C038 gives text, json, arraybuffer and blob", async () => {
    const { modern } = await bench.open();
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
    expect(bench.seen.at(-1)).toMatchObject({ method: "GET", body: "" });
  });

  it("C047 decodes by the charset of overrideMimeType, anonymous or not", async () => {
    const { modern } = await bench.open();
    for (const anonymous of [false, true]) {
      const overrideMimeType = "text/html; charset=gbk";
      expect((await modern({ url: "/gbk", overrideMimeType, anonymous })).responseText).toBe("中文");
    }
    const unknown = await modern({ url: "/text", overrideMimeType: "text/plain;charset=nope" });
    expect(unknown.responseText).toBe("plain text ✓");
  });

  it("C037 sends strings, bytes, blobs and forms as they are", async () => {
    const { modern } = await bench.open();
    const send = async (data: unknown, headers?: Record<string, string>) => {
      await modern({ method: "post", url: "/echo", data, headers });
      return bench.seen.at(-1);
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
    expect(bench.seen.at(-1)).toMatchObject({ method: "GET", body: "" });
    await expect(modern({ method: "POST", url: "/echo", data: { a: 1 } })).rejects.toThrow(/JSON\.stringify/);
  });

  it("C034 an unreachable host is error, then loadend, with status 0", async () => {
    const { legacy, modern } = await bench.open();
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
    const { legacy } = await bench.open();
    const { events, responses, end } = record(legacy, { url: "/cut" });
    await end;
    expect(events.slice(-3)).toEqual(["state 4", "error", "loadend"]);
    expect(events).not.toContain("load");
    expect(responses.at(-1)).toMatchObject({ status: 0, response: "" });
  });

  it("shows text as it comes when a callback wants it", async () => {
    const { legacy } = await bench.open();
    const texts: unknown[] = [];
    const { end, responses } = record(legacy, {
      url: "/slow",
      onprogress: ({ responseText, loaded, total, lengthComputable }: XhrResponse) =>
        texts.push([responseText, loaded, total, lengthComputable]),
    });
    await vi.waitFor(() => expect(texts).toHaveLength(1));
    // Progress events have a least distance in time.
    await new Promise((resolve) => setTimeout(resolve, 60));
    bench.held[0]?.write("five");
    await vi.waitFor(() => expect(texts).toHaveLength(2));
    bench.held[0]?.end("more");
    await end;
    expect(texts.slice(0, 2)).toEqual([
      ["four", 4, 12, true],
      ["fourfive", 8, 12, true],
    ]);
    expect(texts.at(-1)).toEqual(["fourfivemore", 12, 12, true]);
    expect(responses.at(-1)?.response).toBe("fourfivemore");
  });

  it("abort ends it: events in order, none after, and the server sees it", async () => {
    const { legacy, modern, world } = await bench.open();
    const one = record(legacy, { url: "/slow" });
    await vi.waitFor(() => expect(one.events).toContain("progress"));
    one.abort();
    expect(one.events.slice(-3)).toEqual(["state 4", "abort", "loadend"]);
    const count = one.events.length;
    one.abort();
    await vi.waitFor(() => expect(bench.cut).toBe(1));
    await settle();
    expect(one.events).toHaveLength(count);
    expect(one.responses.at(-1)).toMatchObject({ status: 0, response: "" });
    const two = modern({ url: "/slow" });
    two.abort();
    await expect(two).rejects.toMatchObject({ name: "AbortError", response: { readyState: 4 } });
    await vi.waitFor(() => expect(world.held).toBe(0));
  });

  it("timeout ends it, and not when the answer was in time", async () => {
    const { legacy, modern } = await bench.open();
    const { events, end } = record(legacy, { url: "/slow", timeout: 60 });
    await end;
    expect(events.slice(-3)).toEqual(["state 4", "timeout", "loadend"]);
    await vi.waitFor(() => expect(bench.cut).toBe(1));
    await expect(modern({ url: "/slow", timeout: 50 })).rejects.toMatchObject({ name: "TimeoutError" });
    // The last two are more than a timer can hold.
    for (const timeout of [5000, 1e12, Number.POSITIVE_INFINITY])
      expect((await modern({ url: "/text", timeout })).status).toBe(200);
  });

  it("a page that goes away stops its requests", async () => {
    const { legacy, opened, world } = await bench.open();
    const { events } = record(legacy, { url: "/slow" });
    await vi.waitFor(() => expect(events).toContain("progress"));
    opened.leave();
    await vi.waitFor(() => expect(bench.cut).toBe(1));
    await vi.waitFor(() => expect(world.held).toBe(0));
  });

  it("a worker that dies in the middle is an error that says so", async () => {
    const { legacy, world } = await bench.open();
    const { events, responses, end } = record(legacy, { url: "/slow" });
    await vi.waitFor(() => expect(events).toContain("progress"));
    await world.restartWorker();
    await end;
    expect(events.slice(-2)).toEqual(["error", "loadend"]);
    expect(responses.at(-1)?.error).toMatch(/restarted/);
  });

  it("C040 a large answer comes whole, with parts as they come and few messages", async () => {
    const { modern, legacy } = await bench.open();
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
    const { modern } = await bench.open();
    expect((await modern({ url: `/to?at=${encodeURIComponent("/text#token=1")}` })).finalUrl).toBe(
      `${bench.base}/text#token=1`,
    );
    expect((await modern({ url: `/to?at=/text#mine` })).finalUrl).toBe(`${bench.base}/text#mine`);
  });

  it("a callback that throws is in the log and does not stop the rest", async () => {
    const { legacy, opened } = await bench.open();
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
});
