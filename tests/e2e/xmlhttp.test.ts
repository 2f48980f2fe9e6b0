import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GBK_TEXT, largeChecksum, MIB, type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser } from "./harness/browser";
import { installProbe, probe } from "./harness/probe";
import { FOLLOW } from "./harness/requests";

let browser: TestBrowser;
let pages: PageServer;
let page: Page;

beforeAll(async () => {
  [browser, pages] = await Promise.all([launchBrowser(), startPageServer()]);
  await installProbe(
    browser,
    "p",
    { grant: ["GM_xmlhttpRequest", "GM.xmlHttpRequest"], connect: ["localhost"] },
    `${FOLLOW}\nconst here = ${JSON.stringify(pages.a)}, other = ${JSON.stringify(pages.localhostB)};`,
  );
  page = await browser.newPage(`${pages.a}/plain`);
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close()]);
});

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
const run = <T>(code: string, on: Page = page) => probe<T>(on, "p", code);
const WHOLE = [
  "readystatechange:1",
  "loadstart:1",
  "readystatechange:2",
  "readystatechange:3",
  "progress:3",
  "readystatechange:4",
  "load:4",
  "loadend:4",
];

describe("answers", () => {
  it("C038 text, JSON, ArrayBuffer and Blob are what the server sent, with progress", async () => {
    const text = await run(
      `const { seen, told } = await follow({ url: other + "/json" });
      const { status, statusText, finalUrl, response, responseText, responseHeaders, context } = told.load;
      return { seen, status, statusText, finalUrl, same: response === responseText, list: JSON.parse(responseText).list, responseHeaders };`,
    );
    expect(text).toMatchObject({ seen: WHOLE, status: 200, statusText: "OK", same: true, list: [1, 2, 3] });
    expect(text).toMatchObject({ finalUrl: `${pages.localhostB}/json` });
    expect(text).toMatchObject({
      responseHeaders: expect.stringMatching(/^content-type: application\/json.*\r\n/im),
    });
    expect(
      await run(
        `const r = await GM.xmlHttpRequest({ url: other + "/json", responseType: "json", context: { mine: 1 } });
        return [r.response, r.context, typeof r.responseText, r.readyState];`,
      ),
    ).toEqual([{ ok: true, text: "日本語 🐱", list: [1, 2, 3] }, { mine: 1 }, "string", 4]);
    for (const type of ["arraybuffer", "blob"]) {
      const got = await run(
        `const { seen, told, loaded } = await follow({ url: other + "/bytes?n=70000&type=image/x-test", responseType: "${type}" });
        const { response, responseText, responseHeaders, total, lengthComputable } = told.load;
        const bytes = response instanceof Blob ? await response.arrayBuffer() : response;
        return { seen, kind: response.constructor.name, hash: await hex(bytes), type: response.type, size: bytes.byteLength, last: loaded.at(-1), total, lengthComputable,
          hasText: responseText !== undefined, declared: /x-sha256: (\\w+)/.exec(responseHeaders)[1] };`,
      );
      const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => i & 0xff);
      expect(got).toEqual({
        seen: WHOLE,
        kind: type === "blob" ? "Blob" : "ArrayBuffer",
        hash: sha256(bytes),
        declared: sha256(bytes),
        ...(type === "blob" ? { type: "image/x-test" } : {}),
        size: 70_000,
        last: 70_000,
        total: 70_000,
        lengthComputable: true,
        hasText: false,
      });
    }
  });

  it("C047 the charset that the script forces counts, for anonymous posts too; what is no JSON is null beside its text", async () => {
    const forced = `{ url: other + "/gbk?declared=0", method: "POST", data: "x", overrideMimeType: "text/plain; charset=gbk", anonymous: true }`;
    expect(await run(`return (await GM.xmlHttpRequest(${forced})).responseText`)).toBe(GBK_TEXT.text);
    expect(await run(`return (await GM.xmlHttpRequest({ url: other + "/gbk" })).responseText`)).toBe(
      GBK_TEXT.text,
    );
    expect(
      await run(
        `const r = await GM.xmlHttpRequest({ url: other + "/status/404", responseType: "json" });
        return [r.status, r.response, r.responseText];`,
      ),
    ).toEqual([404, null, "status 404"]);
  });

  it("C040 20 MB come whole, with progress that grows and without any copy of all before", async () => {
    for (const [type, query] of [
      ["arraybuffer", ""],
      ["blob", "&chunked=1"],
    ]) {
      const got = await run<{ hash: string; loaded: number[]; total: number; took: number }>(
        `const start = performance.now();
        const { told, loaded } = await follow({ url: other + "/large?mb=20${query}", responseType: "${type}" });
        const took = performance.now() - start;
        const { response, total } = told.load;
        return { hash: await hex(response instanceof Blob ? await response.arrayBuffer() : response), loaded, total, took };`,
      );
      console.log(`20 MB as ${type}: ${got.took.toFixed(0)} ms, ${got.loaded.length} progress events`);
      expect(got.hash).toBe(largeChecksum(20 * MIB));
      expect(got.total).toBe(query ? 0 : 20 * MIB);
      expect(got.loaded.length).toBeGreaterThan(1);
      expect(got.loaded).toEqual([...got.loaded].sort((a, b) => a - b));
      expect(got.loaded.at(-1)).toBe(20 * MIB);
    }
  });

  it("text can be read as it comes in", async () => {
    const got = await run<string[]>(
      `const texts = [];
      await new Promise((resolve) => GM_xmlhttpRequest({
        url: other + "/large?mb=0.5&pauseMs=20",
        overrideMimeType: "text/plain; charset=latin1",
        onprogress: (r) => texts.push(r.responseText.length + " of " + r.loaded),
        onloadend: resolve,
      }));
      return texts;`,
    );
    expect(got.length).toBeGreaterThan(2);
    for (const told of got) expect(told).toMatch(/^(\d+) of \1$/);
    expect(got.at(-1)).toBe(`${MIB / 2} of ${MIB / 2}`);
  });

  it("a status without a body, and HEAD, end as they should", async () => {
    expect(
      await run(
        `const { seen, told } = await follow({ url: other + "/status/204" });
        const head = await GM.xmlHttpRequest({ url: other + "/bytes?n=50", method: "HEAD" });
        return [seen.at(-1), told.load.status, told.load.responseText, head.status, head.responseText];`,
      ),
    ).toEqual(["loadend:4", 204, "", 200, ""]);
  });
});

describe("what is sent", () => {
  interface Echo {
    method: string;
    headers: Record<string, string>;
    sha256: string;
    size: number;
    base64: string;
  }
  const send = (details: string) =>
    run<Echo>(
      `return (await GM.xmlHttpRequest({ url: other + "/echo", responseType: "json", ${details} })).response`,
    );

  it("C037 bodies of every kind arrive byte for byte, with their type", async () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, i) => (i * 7) & 0xff);
    const make = "const bytes = Uint8Array.from({ length: 1000 }, (_, i) => (i * 7) & 0xff);";
    const cases: Array<[data: string, expected: Uint8Array | string, type: string | undefined]> = [
      ['"text 文 🐱"', "text 文 🐱", "text/plain;charset=UTF-8"],
      [
        'new URLSearchParams({ a: "1 2", b: "ü" })',
        "a=1+2&b=%C3%BC",
        "application/x-www-form-urlencoded;charset=UTF-8",
      ],
      ['new Blob([bytes], { type: "image/x-test" })', bytes, "image/x-test"],
      ['new File([bytes], "f.bin", { type: "image/x-file" })', bytes, "image/x-file"],
      ["bytes.buffer", bytes, undefined],
      ["bytes.subarray(10, 20)", bytes.subarray(10, 20), undefined],
      ["new DataView(bytes.buffer, 5, 9)", bytes.subarray(5, 14), undefined],
      ["12.5", "12.5", "text/plain;charset=UTF-8"],
    ];
    for (const [data, expected, type] of cases) {
      const echo = await run<Echo>(
        `${make} return (await GM.xmlHttpRequest({ url: other + "/echo", method: "put", responseType: "json", data: ${data} })).response`,
      );
      expect([echo.method, echo.sha256, echo.headers["content-type"]], data).toEqual([
        "PUT",
        sha256(expected),
        type,
      ]);
    }
  });

  it("a form goes as multipart with its files", async () => {
    const echo = await run<Echo>(
      `const form = new FormData(); form.append("word", "wört"); form.append("file", new File(["inside"], "n.txt", { type: "text/x" }));
      return (await GM.xmlHttpRequest({ url: other + "/echo", method: "POST", responseType: "json", data: form })).response`,
    );
    const body = Buffer.from(echo.base64, "base64").toString();
    expect(echo.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    const boundary = echo.headers["content-type"]?.split("boundary=")[1] ?? "";
    expect(body.split(`--${boundary}`)).toHaveLength(4);
    expect(body).toContain('name="word"\r\n\r\nwört\r\n');
    expect(body).toMatch(/name="file"; filename="n\.txt"\r\nContent-Type: text\/x\r\n\r\ninside\r\n/i);
  });

  it("20 MB go up whole", async () => {
    const { size, sha256: sum } = await run<Echo>(
      `const bytes = new Uint8Array(20 * 1024 * 1024); for (let i = 0; i < bytes.length; i += 4096) bytes[i] = i >> 12;
      return (await GM.xmlHttpRequest({ url: other + "/echo", method: "POST", responseType: "json", data: bytes })).response`,
    );
    const bytes = new Uint8Array(20 * MIB);
    for (let i = 0; i < bytes.length; i += 4096) bytes[i] = i >> 12;
    expect([size, sum]).toEqual([20 * MIB, sha256(bytes)]);
  });

  it("headers and passwords arrive; nothing names the extension; what cannot be set is refused by name", async () => {
    const { headers } = await send(
      `method: "POST", data: "x", headers: { "X-Mine": "yes", "Content-Type": "application/x-own", "Accept": "a/b" }, user: "u", password: "p:ü"`,
    );
    expect(headers).toMatchObject({ "x-mine": "yes", "content-type": "application/x-own", accept: "a/b" });
    expect(headers.authorization).toBe(`Basic ${Buffer.from("u:p:ü").toString("base64")}`);
    expect(JSON.stringify(headers)).not.toMatch(/chrome-extension|nfdmkfdobdphdkifllfjkcjhilhmflcf/);
    expect([headers.origin, headers.referer]).toEqual([undefined, undefined]);
    for (const name of ["Cookie", "Referer", "Origin", "User-Agent", "Host"]) {
      const { name: error, message } = await run<{ name: string; message: string }>(
        `return failure(GM.xmlHttpRequest({ url: other + "/echo", headers: { "${name}": "x" } }))`,
      );
      expect([error, message]).toEqual(["NotSupportedError", expect.stringContaining(name)]);
    }
  });

  it("C035 C049 options that this version does not have are refused by name, in both forms, and nothing is asked", async () => {
    const before = pages.requests.length;
    for (const [option, value] of [
      ["upload", "{ onprogress() {} }"],
      ["cookie", '"a=b"'],
      ["redirect", '"manual"'],
      ["binary", "true"],
      ["responseType", '"document"'],
      ["responseType", '"stream"'],
      ["data", "new ReadableStream()"],
    ] as const) {
      const told = await run<string[]>(
        `const details = () => ({ url: other + "/echo", method: "POST", ${option}: ${value} });
        const told = [(await failure(GM.xmlHttpRequest(details())))];
        try { GM_xmlhttpRequest(details()); told.push("sent"); } catch (error) { told.push({ name: error.name, message: error.message }); }
        return told.map(({ name, message }) => name + ": " + message)`,
      );
      const word = option === "data" ? "stream" : option;
      expect(told[0]).toMatch(new RegExp(`^NotSupportedError: .*${word}`));
      expect(told[1]).toBe(told[0]);
    }
    for (const bad of ["undefined", "null", "{}", '"https://x.test"', '{ url: "http://[" }']) {
      expect(await run<{ name: string }>(`return failure(GM.xmlHttpRequest(${bad}))`), bad).toMatchObject({
        name: "TypeError",
      });
    }
    expect(pages.requests).toHaveLength(before);
  });
});

describe("pages", () => {
  it("C050 a page that replaced its natives changes nothing, nor does a strict policy", async () => {
    pages.serve("/spoilt", {
      body: `<!doctype html><script>
        for (const name of ["Blob", "Response", "Request", "XMLHttpRequest", "fetch", "TextDecoder", "URL", "Uint8Array", "ArrayBuffer", "Promise", "Map", "FormData"])
          window[name] = function () { throw new Error("the page's own " + name); };
        JSON.parse = JSON.stringify = Function.prototype.call = Array.prototype[Symbol.iterator] = () => { throw new Error("spoilt"); };
        </script>`,
    });
    for (const path of ["/spoilt", "/csp", "/trusted-types"]) {
      const on = await browser.context.newPage();
      await installProbeAt(on, path);
      await on.close();
    }
  });

  /** The page cannot speak with a probe after that, so the script does its work by itself. */
  async function installProbeAt(on: Page, path: string): Promise<void> {
    const { uuid } = await browser.eval<{ uuid: string }>("eval:installScript", {
      code: `// ==UserScript==
// @name Worker ${path}
// @match ${pages.a}${path}
// @grant GM.xmlHttpRequest
// @connect localhost
// ==/UserScript==
(async () => {
  const results = [];
  const blob = await GM.xmlHttpRequest({ url: "${pages.localhostB}/bytes?n=5", responseType: "blob" });
  results.push(blob.response instanceof Blob, (await blob.response.arrayBuffer()).byteLength);
  const sent = await GM.xmlHttpRequest({ url: "${pages.localhostB}/echo", method: "POST", data: new Blob(["body"]), responseType: "json" });
  results.push(sent.response.size);
  document.documentElement.setAttribute("data-results", String(results));
})().catch((error) => document.documentElement.setAttribute("data-results", String(error.stack)));`,
    });
    await on.goto(`${pages.a}${path}`);
    await on.locator(":root[data-results]").waitFor({ state: "attached" });
    expect(await on.locator(":root").getAttribute("data-results"), path).toBe("true,5,4");
    await browser.eval("eval:removeScript", { uuid });
  }
});
