import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser } from "./harness/browser";
import { installProbe, probe } from "./harness/probe";
import { type Failure, FOLLOW } from "./harness/requests";

let browser: TestBrowser;
let pages: PageServer;
let page: Page;
/** An address where nothing listens. */
let dead: string;

beforeAll(async () => {
  let gone: PageServer;
  [browser, pages, gone] = await Promise.all([launchBrowser(), startPageServer(), startPageServer()]);
  dead = gone.localhostA;
  await gone.close();
  // Hosts that no line covers are asked for (consent.test.ts); here the answer is no.
  await browser.eval("eval:policy", { confirm: "deny" });
  const setup = `${FOLLOW}
const here = ${JSON.stringify(pages.a)}, sibling = ${JSON.stringify(pages.b)}, other = ${JSON.stringify(pages.localhostA)}, dead = ${JSON.stringify(dead)};
const to = (url, status = 302) => here + "/redirect?status=" + status + "&to=" + encodeURIComponent(url);`;
  const grant = ["GM_xmlhttpRequest", "GM.xmlHttpRequest"];
  await installProbe(browser, "wide", { grant, connect: ["localhost", "nowhere.invalid"] }, setup);
  await installProbe(browser, "bare", { grant }, setup);
  await installProbe(browser, "star", { grant, connect: ["*"] }, setup);
  page = await browser.newPage(`${pages.a}/plain`);
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close()]);
});
beforeEach(() => pages.reset());

const wide = <T>(code: string) => probe<T>(page, "wide", code);
const bare = <T>(code: string) => probe<T>(page, "bare", code);
const asked = (path: string) => pages.requests.filter((visit) => visit.path === path);

describe("@connect", () => {
  it("C052 a host that is not named and not allowed is refused by the worker, gets no request, and the error says which line would allow it", async () => {
    for (const [script, url, reason] of [
      ["bare", `${pages.localhostA}/json`, "must be named by itself"],
      ["star", `${pages.localhostA}/json`, "must be named by itself"],
      ["bare", "http://elsewhere.example/json", "no @connect line"],
      ["wide", "http://elsewhere.example/json", "not covered by its @connect lines"],
    ] as const) {
      const told = await probe<{ failed: Failure; seen: string[] }>(
        page,
        script,
        `const url = ${JSON.stringify(url)};
        return { failed: await failure(GM.xmlHttpRequest({ url })), seen: (await follow({ url })).seen }`,
      );
      expect(told.failed).toMatchObject({
        name: "PermissionDeniedError",
        code: "connect_denied",
        status: 0,
        readyState: 4,
        message: expect.stringContaining(reason),
      });
      expect(told.failed.message).toContain(`// @connect ${new URL(url).hostname}`);
      expect(told.seen).toEqual([
        "readystatechange:1",
        "loadstart:1",
        "readystatechange:4",
        "error:4",
        "loadend:4",
      ]);
    }
    expect(asked("/json")).toEqual([]);
  });

  it("the page's own host needs no line; other schemes are never asked", async () => {
    expect(await bare(`return (await GM.xmlHttpRequest({ url: "/status/201" })).status`)).toBe(201);
    expect(await bare(`return (await GM.xmlHttpRequest({ url: sibling + "/status/202" })).status`)).toBe(202);
    for (const url of [
      "file:///etc/passwd",
      "chrome-extension://nfdmkfdobdphdkifllfjkcjhilhmflcf/core.js",
      "data:,x",
      "blob:null/1",
    ]) {
      expect(
        await wide(`return failure(GM.xmlHttpRequest({ url: ${JSON.stringify(url)} }))`),
        url,
      ).toMatchObject({
        name: "PermissionDeniedError",
      });
    }
  });

  it("C052 a redirect to a host that is not named is refused before that host is asked", async () => {
    expect(
      await bare(`return failure(GM.xmlHttpRequest({ url: to(other + "/json?secret=1") }))`),
    ).toMatchObject({ name: "PermissionDeniedError", code: "connect_denied" });
    expect(
      await bare(
        `return failure(GM.xmlHttpRequest({ url: to(to(other + "/json")), method: "POST", data: "body" }))`,
      ),
    ).toMatchObject({ name: "PermissionDeniedError" });
    expect(asked("/redirect").length).toBeGreaterThan(2);
    expect(asked("/json")).toEqual([]);
  });

  it("C052 a script cannot widen its own list, neither by GM_info nor by fields of a request", async () => {
    expect(
      await bare(
        `try { GM_info.script.connects.push("*", "localhost"); } catch {}
        return failure(GM.xmlHttpRequest({ url: other + "/json", connects: ["*"], connect: "localhost", origin: other, pageOrigin: other }))`,
      ),
    ).toMatchObject({ name: "PermissionDeniedError" });
    expect(asked("/json")).toEqual([]);
  });
});

describe("redirects", () => {
  it("C043 allowed ones are followed; finalUrl has the fragment, of the target or kept", async () => {
    expect(
      await wide(
        `const final = async (url) => { const r = await GM.xmlHttpRequest({ url }); return [r.status, r.finalUrl.replace(other, "OTHER").replace(here, "HERE")]; };
        return [await final(to(other + "/plain#token=1")), await final(to(other + "/plain") + "#kept"), await final(here + "/plain#own"), await final(to(to("/page/x#deep")))]`,
      ),
    ).toEqual([
      [200, "OTHER/plain#token=1"],
      [200, "OTHER/plain#kept"],
      [200, "HERE/plain#own"],
      [200, "HERE/page/x#deep"],
    ]);
  });

  it("the method and the body go on as fetch has it: 307 keeps them, 302 of a POST makes it a GET", async () => {
    const send = (status: number) =>
      wide(
        `const { response: r } = await GM.xmlHttpRequest({ url: to(other + "/echo", ${status}), method: "POST", data: "body", responseType: "json", headers: { Authorization: "Basic eA==" } });
        return [r.method, atob(r.base64), r.headers["content-type"] ?? "none", r.headers.authorization ?? "none"]`,
      );
    expect(await send(307)).toEqual(["POST", "body", "text/plain;charset=UTF-8", "none"]);
    expect(await send(302)).toEqual(["GET", "", "none", "none"]);
  });

  it("one that never ends is an error", async () => {
    pages.serve("/round", { body: "", status: 302, headers: { location: "/round" } });
    expect(await wide(`return failure(GM.xmlHttpRequest({ url: here + "/round" }))`)).toMatchObject({
      name: "NetworkError",
      message: expect.stringContaining("20 times"),
      status: 0,
    });
  });

  it("C044 cookies go with every hop, those set on the way too, and with none when anonymous", async () => {
    const cookies = (url: string, more = "") =>
      wide(`return (await GM.xmlHttpRequest({ url: ${url}, responseType: "json"${more} })).response.cookies`);
    await wide(`await GM.xmlHttpRequest({ url: other + "/cookie/set?name=first&value=1" })`);
    const echo = "/cookie/echo";
    expect(await cookies(`to(other + "${echo}")`)).toMatchObject({ first: "1" });
    expect(await cookies(`other + "/cookie/set?name=second&value=2&to=${echo}"`)).toMatchObject({
      first: "1",
      second: "2",
    });
    expect(await cookies(`to(other + "${echo}")`, ", anonymous: true")).toEqual({});
    expect(await cookies(`other + "/cookie/set?name=third&value=3&to=${echo}"`, ", anonymous: true")).toEqual(
      {},
    );
  });
});

describe("failures", () => {
  it("C034 a dead host, an unknown host and a cut connection are errors, each told once, with status 0", async () => {
    const FAILED = ["readystatechange:4", "error:4", "loadend:4"];
    for (const [url, reason] of [
      ["dead + '/x'", "localhost"],
      ["'http://nowhere.invalid/x'", "nowhere.invalid"],
      ["other + '/drop?after=1000&of=2000'", "localhost"],
    ]) {
      for (const responseType of ["text", "blob"]) {
        const { seen, error, status, text } = await wide<{
          seen: string[];
          error: string;
          status: number;
          text: unknown;
        }>(
          `const { seen, told } = await follow({ url: ${url}, responseType: "${responseType}" });
          return { seen, error: told.error?.error, status: told.error?.status, text: told.error?.responseText ?? null }`,
        );
        expect(seen.slice(0, 2)).toEqual(["readystatechange:1", "loadstart:1"]);
        expect(seen.slice(-3)).toEqual(FAILED);
        expect(seen.filter((name) => /load:|error:|loadend:/.test(name))).toHaveLength(2);
        expect([status, text]).toEqual([0, responseType === "text" ? "" : null]);
        expect(error).toContain(reason);
      }
      expect(await wide(`return failure(GM.xmlHttpRequest({ url: ${url} }))`)).toMatchObject({
        name: "NetworkError",
        status: 0,
        readyState: 4,
      });
    }
  });

  it("a timeout ends the request, before the headers and in the body", async () => {
    for (const query of ["ms=20000", "ms=0&bodyMs=20000"]) {
      const { seen, took } = await wide<{ seen: string[]; took: number }>(
        `const start = performance.now();
        const { seen } = await follow({ url: other + "/slow?${query}", timeout: 300 });
        return { seen, took: performance.now() - start }`,
      );
      expect(seen.slice(-3)).toEqual(["readystatechange:4", "timeout:4", "loadend:4"]);
      expect(seen.filter((name) => /load:|error|abort|timeout/.test(name))).toEqual(["timeout:4"]);
      expect(took).toBeLessThan(10_000);
    }
    expect(
      await wide(`return failure(GM.xmlHttpRequest({ url: other + "/slow?ms=20000", timeout: 50 }))`),
    ).toMatchObject({ name: "TimeoutError", message: expect.stringContaining("50 ms"), status: 0 });
    await expect.poll(() => asked("/slow").map((visit) => visit.cut)).toEqual([true, true, true]);
  });

  it("abort ends the request at the server too, wherever it is, and nothing comes after it", async () => {
    const aborted = (at: string, path: string) =>
      wide<string[]>(
        `let once = false;
        const { seen } = await follow({ url: other + "${path}" }, (name, handle) => { if (name === "${at}" && !once) { once = true; handle.abort(); handle.abort(); } });
        return seen`,
      );
    // In the turn of the call, before anything was sent: the script is told all the same.
    expect(await aborted("called", "/slow?ms=20000")).toEqual(["readystatechange:4", "abort:4", "loadend:4"]);
    expect(asked("/slow")).toEqual([]);
    expect((await aborted("loadstart", "/slow?ms=20000")).slice(1)).toEqual([
      "loadstart:1",
      "readystatechange:4",
      "abort:4",
      "loadend:4",
    ]);
    expect((await aborted("progress", "/large?mb=8&pauseMs=10")).slice(-4)).toEqual([
      "progress:3",
      "readystatechange:4",
      "abort:4",
      "loadend:4",
    ]);
    await expect.poll(() => asked("/large").map((visit) => visit.cut)).toEqual([true]);
    expect(
      await wide(
        `const request = GM.xmlHttpRequest({ url: other + "/slow?ms=20000" }); request.abort(); return failure(request)`,
      ),
    ).toMatchObject({ name: "AbortError", status: 0 });
  });

  it("a request of a tab that closes ends at the server", async () => {
    const closing = await browser.newPage(`${pages.a}/plain`);
    await probe(closing, "wide", `GM_xmlhttpRequest({ url: other + "/slow?ms=20000" })`);
    await expect.poll(() => asked("/slow")).toHaveLength(1);
    await closing.close();
    await expect.poll(() => asked("/slow").map((visit) => visit.cut)).toEqual([true]);
  });

  it("the worker's death under a request is an error that says so, and the next request works", async () => {
    const request = wide<{ seen: string[]; failed: Failure }>(
      `const [{ seen }, failed] = await Promise.all([follow({ url: other + "/slow?ms=20000" }), failure(GM.xmlHttpRequest({ url: other + "/slow?ms=20000&2" }))]);
      return { seen, failed }`,
    );
    await expect.poll(() => asked("/slow")).toHaveLength(2);
    expect(await browser.killWorker()).toBe(true);
    const { seen, failed } = await request;
    expect(seen.slice(-3)).toEqual(["readystatechange:4", "error:4", "loadend:4"]);
    expect(failed).toMatchObject({ name: "DisconnectedError", status: 0 });
    expect(
      await wide(
        `return (await GM.xmlHttpRequest({ url: to(other + "/json"), responseType: "json" })).response.ok`,
      ),
    ).toBe(true);
  });

  it("a callback that throws stops neither the other events nor the request, and is in the script's log", async () => {
    const names = await wide<string[]>(
      `const names = [];
      await new Promise((resolve) => GM_xmlhttpRequest({
        url: here + "/json",
        onloadstart: () => { names.push("loadstart"); throw new Error("thrown in loadstart"); },
        onload: () => { names.push("load"); throw new Error("thrown in load"); },
        onloadend: () => { names.push("loadend"); resolve(); },
      }));
      return names`,
    );
    expect(names).toEqual(["loadstart", "load", "loadend"]);
    const errors = async () =>
      (await browser.eval<Array<{ name: string; errors: Array<{ message: string }> }>>("eval:scripts"))
        .find(({ name }) => name === "wide")
        ?.errors.map(({ message }) => message)
        .sort();
    await expect.poll(errors).toEqual(["Error: thrown in load", "Error: thrown in loadstart"]);
  });
});
