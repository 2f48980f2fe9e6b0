import "fake-indexeddb/auto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Details, HttpBench, record } from "../support/http-bench";
import { nodeHop, World } from "../support/world";

const bench = new HttpBench();
beforeAll(() => bench.start());
afterAll(() => bench.stop());
beforeEach(() => bench.reset());

const RAW = {
  method: "GET",
  headers: [],
  body: null,
  anonymous: false,
  cache: "default",
};

describe("what GM_xmlhttpRequest lets through", () => {
  it.each(["", "G ET", "GET\r\nX: y", "é"])("no method %j, which no host is to blame for", async (method) => {
    const { modern } = await bench.open();
    await expect(modern({ url: "/echo", method })).rejects.toMatchObject({
      name: "TypeError",
      message: expect.stringContaining("is not a valid HTTP method"),
    });
    expect(bench.seen).toEqual([]);
  });

  it("sends user and password, also out of the address, and takes them off the address", async () => {
    const { modern } = await bench.open();
    await modern({ url: "/echo", user: "ü", password: "p:w" });
    expect(bench.seen.at(-1)?.headers.authorization).toBe(`Basic ${Buffer.from("ü:p:w").toString("base64")}`);
    const { finalUrl } = await modern({ url: `http://me:pw%20@${bench.host}/echo` });
    expect(bench.seen.at(-1)?.headers.authorization).toBe(
      `Basic ${Buffer.from("me:pw ").toString("base64")}`,
    );
    expect(finalUrl).toBe(`${bench.base}/echo`);
  });

  it("C052 the worker refuses hosts that no line covers, at once and behind a redirect", async () => {
    const { modern, opened } = await bench.open({ connects: ["a.test"], origin: "https://page.test" });
    await expect(modern({ url: `${bench.base}/text` })).rejects.toMatchObject({
      name: "PermissionDeniedError",
      message: expect.stringContaining("// @connect 127.0.0.1"),
    });
    expect(bench.seen).toEqual([]);
    const other = await bench.open({ connects: ["127.0.0.1"], origin: "https://page.test" });
    const to = `http://localhost:${new URL(bench.base).port}/text`;
    await expect(
      other.modern({ url: `${bench.base}/to?at=${encodeURIComponent(to)}` }),
    ).rejects.toMatchObject({
      name: "PermissionDeniedError",
      message: expect.stringContaining("// @connect localhost"),
    });
    expect(bench.seen.map(({ url }) => url.split("?")[0])).toEqual(["/to"]);
    // A forged message has no say: the lines are the worker's own.
    const forged = opened.session.rpc.stream("gm.xmlhttp.request", {
      ...RAW,
      url: `${bench.base}/text`,
      connects: ["*"],
    });
    await expect(forged.next()).rejects.toMatchObject({ name: "PermissionDeniedError" });
  });

  it("a script without the grant gets nothing through a raw connection", async () => {
    const world = new World();
    const opened = await world.open(
      { uuid: "s2", grants: ["GM_getValue"], connects: ["*"] },
      { origin: bench.base },
    );
    const stream = opened.session.rpc.stream("gm.xmlhttp.request", { ...RAW, url: `${bench.base}/text` });
    await expect(stream.next()).rejects.toMatchObject({ name: "PermissionDeniedError" });
    const granted = await bench.open();
    for (const bad of [
      { url: 1 },
      { ...RAW, url: `${bench.base}/x`, body: { a: 1 } },
      { ...RAW, url: "no" },
    ]) {
      const refused = granted.opened.session.rpc.stream("gm.xmlhttp.request", bad);
      await expect(refused.next()).rejects.toMatchObject({ name: "TypeError" });
    }
    const header = granted.opened.session.rpc.stream("gm.xmlhttp.request", {
      ...RAW,
      url: `${bench.base}/text`,
      headers: [["Cookie", "a=1"]],
    });
    await expect(header.next()).rejects.toMatchObject({ name: "NotSupportedError" });
    expect(bench.seen).toEqual([]);
  });

  it("what is not built throws by name, at the call", async () => {
    const { legacy, modern } = await bench.open();
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
    expect(bench.seen).toEqual([]);
  });

  it("C050 works with the natives of before, whatever a neighbour puts in their place", async () => {
    const { modern } = await bench.open();
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
    const { modern } = await bench.open({ world });
    await modern({ url: "/to?at=/text" });
    await modern({ url: "/text", anonymous: true });
    await modern({ url: "/text", nocache: true });
    const hidden = await bench.open({ world, incognito: true });
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

  it("keeps the worker alive while it runs, and only then", async () => {
    const { legacy, world } = await bench.open();
    const { events, end } = record(legacy, { url: "/slow" });
    await vi.waitFor(() => expect(events).toContain("state 2"));
    expect(world.held).toBe(1);
    bench.held[0]?.end("fivemore");
    await end;
    await vi.waitFor(() => expect(world.held).toBe(0));
  });
});
