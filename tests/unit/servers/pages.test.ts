import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { GBK_TEXT, largeChecksum, MIB, type PageServer, startPageServer } from "@tests/servers/pages";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

let pages: PageServer;

beforeAll(async () => {
  pages = await startPageServer();
});
beforeEach(() => pages.reset());
afterAll(() => pages.close());

const get = (path: string, init: RequestInit = {}) => fetch(`${pages.a}${path}`, init);
const digest = (bytes: ArrayBuffer | string) =>
  createHash("sha256")
    .update(typeof bytes === "string" ? bytes : Buffer.from(bytes))
    .digest("hex");

describe("documents", () => {
  it.each([
    "/plain",
    "/page/any/where?x=1",
    "/csp",
    "/trusted-types",
    "/frame-host",
    "/csp-frame-host",
    "/framed",
    "/frame-kinds",
    "/hostile",
    "/hostile-late",
    "/svg",
    "/xml",
  ])("%s: its first script is the recorder", async (path) => {
    const res = await get(path);
    expect(res.status).toBe(200);
    const text = await res.text();
    const first = /<script[^>]*>([\s\S]*?)<\/script>/.exec(text)?.[1];
    expect(first).toContain("window.__first = {");
  });

  it("/csp allows its own scripts by a nonce that is new each time, and nothing else", async () => {
    const nonces = new Set<string>();
    for (let at = 0; at < 2; at += 1) {
      const res = await get("/csp");
      const csp = res.headers.get("content-security-policy") ?? "";
      const nonce = /^default-src 'none'; script-src 'nonce-([^']+)'$/.exec(csp)?.[1] ?? "";
      expect(await res.text()).toContain(`<script nonce="${nonce}">`);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(2);
    expect([...nonces]).not.toContain("");
  });

  it("/trusted-types requires them and lets no policy be made", async () => {
    const csp = (await get("/trusted-types")).headers.get("content-security-policy");
    expect(csp).toBe("require-trusted-types-for 'script'; trusted-types 'none'");
  });

  it("/frame-host frames the other origin, the other site, or its own", async () => {
    expect(await (await get("/frame-host")).text()).toContain(`src="${pages.b}/framed"`);
    expect(await (await fetch(`${pages.b}/frame-host`)).text()).toContain(`src="${pages.a}/framed"`);
    expect(await (await get("/frame-host?site=1")).text()).toContain(`src="${pages.localhostB}/framed"`);
    expect(await (await get("/frame-host?same=1&path=/csp")).text()).toContain('src="/csp"');
  });
});

describe("bodies", () => {
  it("/echo tells method, headers and the body byte for byte", async () => {
    const body = new Uint8Array([0, 255, 128, 10, 13]);
    const res = await get("/echo?q=1", {
      method: "PUT",
      body,
      headers: { "x-mine": "1", "content-type": "a/b" },
    });
    expect(await res.json()).toMatchObject({
      method: "PUT",
      url: "/echo?q=1",
      headers: { "x-mine": "1", "content-type": "a/b" },
      size: 5,
      sha256: digest(body.buffer),
      base64: Buffer.from(body).toString("base64"),
    });
  });

  it.each(["", "&chunked=1"])("/large%s is complete, with its checksum", async (extra) => {
    const res = await get(`/large?mb=3.01${extra}`);
    const body = await res.arrayBuffer();
    const size = Math.round(3.01 * MIB);
    expect(body.byteLength).toBe(size);
    expect(res.headers.get("content-length")).toBe(extra ? null : String(size));
    expect(digest(body)).toBe(res.headers.get("x-sha256"));
    expect(largeChecksum(size)).toBe(res.headers.get("x-sha256"));
  });

  it("/large stops when the client leaves", async () => {
    const abort = new AbortController();
    const res = await get("/large?mb=200&pauseMs=5", { signal: abort.signal });
    await res.body?.getReader().read();
    abort.abort();
    await expect.poll(() => pages.requests[0]?.cut).toBe(true);
  });

  it("/bytes counts up", async () => {
    const res = await get("/bytes?n=300&type=image/png");
    const body = new Uint8Array(await res.arrayBuffer());
    expect([body.length, body[255], body[256]]).toEqual([300, 255, 0]);
    expect(res.headers.get("content-type")).toBe("image/png");
    expect(digest(body.buffer)).toBe(res.headers.get("x-sha256"));
  });

  it("/slow holds back the headers, or the body", async () => {
    const start = performance.now();
    await get("/slow?ms=60&bodyMs=0");
    expect(performance.now() - start).toBeGreaterThan(55);
    const abort = new AbortController();
    const res = await get("/slow?ms=0&bodyMs=600000", { signal: abort.signal });
    expect(res.status).toBe(200);
    abort.abort();
    await expect(res.text()).rejects.toMatchObject({ name: "AbortError" });
    expect(await (await get("/slow?ms=0&bodyMs=5")).text()).toBe("slow");
  });

  it.each([0, 1000])("/drop breaks the connection after %i bytes", async (after) => {
    const res = await get(`/drop?after=${after}`);
    expect(res.status).toBe(200);
    await expect(res.arrayBuffer()).rejects.toThrow();
    expect(pages.requests[0]).toMatchObject({ path: "/drop", cut: true });
  });

  it("/gbk is GBK, said or unsaid", async () => {
    const res = await get("/gbk");
    expect(res.headers.get("content-type")).toBe("text/plain; charset=gbk");
    expect(new TextDecoder("gbk").decode(await res.arrayBuffer())).toBe(GBK_TEXT.text);
    expect((await get("/gbk?declared=0")).headers.get("content-type")).toBe("text/plain");
  });

  it("/status, /json, and 404 or 400 for what it has not", async () => {
    for (const code of [200, 204, 404, 503]) expect((await get(`/status/${code}`)).status).toBe(code);
    expect(await (await get("/json")).json()).toMatchObject({ ok: true });
    expect((await get("/nothing")).status).toBe(404);
    expect((await get("/status/abc")).status).toBe(400);
    expect((await get("/redirect")).status).toBe(400);
  });

  it("a wrong number in the query is an error that says so", async () => {
    const res = await get("/large?mb=lots");
    expect([res.status, await res.text()]).toEqual([500, expect.stringContaining("?mb= must be a number")]);
  });
});

describe("redirects and cookies", () => {
  it("/redirect goes where it is told, with the status it is told", async () => {
    const res = await get(`/redirect?status=307&to=${encodeURIComponent(`${pages.b}/echo#token=1`)}`, {
      redirect: "manual",
    });
    expect([res.status, res.headers.get("location")]).toEqual([307, `${pages.b}/echo#token=1`]);
    const followed = await get(`/redirect?to=${encodeURIComponent(`${pages.b}/json`)}`);
    expect(followed.url).toBe(`${pages.b}/json`);
    expect(pages.requests.map(({ at, path }) => `${at}${path}`)).toEqual([
      "a/redirect",
      "a/redirect",
      "b/json",
    ]);
  });

  it("/cookie/set sets with any attributes, /cookie/echo reads", async () => {
    const res = await get("/cookie/set?name=a&value=1&attributes=Path=/;%20HttpOnly;%20SameSite=Strict");
    expect(res.headers.get("set-cookie")).toBe("a=1; Path=/; HttpOnly; SameSite=Strict");
    const echo = await get("/cookie/echo", { headers: { cookie: "a=1; b=x=y" } });
    expect(await echo.json()).toEqual({ header: "a=1; b=x=y", cookies: { a: "1", b: "x=y" } });
    expect(pages.requests.at(-1)?.cookie).toBe("a=1; b=x=y");
    const both = await get("/cookie/set?to=/cookie/echo", { redirect: "manual" });
    expect([both.status, both.headers.get("location")]).toEqual([302, "/cookie/echo"]);
  });
});

describe("what a test puts there, and what is recorded", () => {
  it("serves scripts as scripts, anew when they change", async () => {
    const url = pages.script("hello.user.js", "// one");
    expect(url).toBe(`${pages.a}/script/hello.user.js`);
    const first = await fetch(url);
    expect(first.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(await first.text()).toBe("// one");
    const etag = first.headers.get("etag") ?? "";
    expect((await fetch(url, { headers: { "if-none-match": etag } })).status).toBe(304);
    pages.script("hello.user.js", "// two");
    const second = await fetch(url, { headers: { "if-none-match": etag } });
    expect([second.status, await second.text()]).toEqual([200, "// two"]);
    pages.reset();
    expect((await fetch(url)).status).toBe(404);
  });

  it("serves anything at any path, before its own", async () => {
    pages.serve("/plain", { body: "mine", status: 418, headers: { "x-mine": "1" } });
    const res = await fetch(`${pages.b}/plain`);
    expect([res.status, res.headers.get("x-mine"), await res.text()]).toEqual([418, "1", "mine"]);
    expect(() => pages.serve("plain", { body: "" })).toThrow(/starts with/);
  });

  it("records Origin, Referer, sizes and status, and no favicon", async () => {
    await get("/echo", {
      method: "POST",
      body: "12345",
      headers: { origin: "https://x.test", referer: "https://x.test/p" },
    });
    await get("/favicon.ico");
    await expect.poll(() => pages.requests[0]?.status).toBe(200);
    expect(pages.requests).toHaveLength(1);
    expect(pages.requests[0]).toMatchObject({
      at: "a",
      method: "POST",
      path: "/echo",
      origin: "https://x.test",
      referer: "https://x.test/p",
      bodySize: 5,
      cut: false,
    });
  });

  it("counts effects, and can be asked over HTTP", async () => {
    await get("/effect/mail", { method: "POST" });
    await get("/__control/script/other.user.js", { method: "POST", body: "// other" });
    expect(await (await get("/script/other.user.js")).text()).toBe("// other");
    const seen = await (await get("/__control/requests")).json();
    expect(seen).toMatchObject({
      requests: [{ path: "/script/other.user.js" }],
      effects: { mail: { count: 1 } },
    });
    await get("/__control/reset", { method: "POST" });
    expect(pages.requests).toEqual([]);
    expect(pages.effects.count("mail")).toBe(0);
    expect((await get("/__control/what")).status).toBe(404);
  });

  it("runs as a child process", async () => {
    const child = spawn(process.execPath, ["--import", "tsx", "tests/servers/pages/main.ts"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const [line] = (await once(createInterface(child.stdout), "line")) as [string];
      const { a, b } = JSON.parse(line) as { a: string; b: string };
      expect((await fetch(`${a}/plain`)).status).toBe(200);
      expect((await fetch(`${b}/plain`)).status).toBe(200);
      const exit = once(child, "exit");
      child.kill("SIGTERM");
      expect((await exit)[0]).toBe(0);
    } finally {
      child.kill("SIGKILL");
    }
  });
});
