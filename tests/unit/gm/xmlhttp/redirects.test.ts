import { describe, expect, it, vi } from "vitest";
import { followRedirects } from "@/gm/xmlhttp/redirects";

interface Sent {
  url: string;
  method: string;
  body: unknown;
  headers: Record<string, string>;
}

/** Answers by a table of `url → [status, location]`; everything else is 200. */
function network(table: Record<string, [number, string]>) {
  const sent: Sent[] = [];
  const fetchHop = async (url: string, init: RequestInit) => {
    sent.push({
      url,
      method: init.method ?? "GET",
      body: init.body ?? null,
      headers: Object.fromEntries(new Headers(init.headers)),
    });
    const entry = table[url];
    const response = new Response("x");
    return { response, redirect: entry ? { status: entry[0], url: entry[1] } : null };
  };
  return { sent, fetchHop };
}

const check = async () => undefined;
const post = (headers: Record<string, string> = {}) => ({
  method: "POST",
  body: "data",
  headers: new Headers({ "content-type": "text/plain", ...headers }),
});
const get = { method: "GET", headers: new Headers() };

describe("redirects", () => {
  it.each([
    [301, "GET"],
    [302, "GET"],
    [303, "GET"],
    [307, "POST"],
    [308, "POST"],
  ])("a POST answered by %i goes on as %s", async (status, method) => {
    const { sent, fetchHop } = network({ "https://a.test/1": [status, "https://a.test/2"] });
    await followRedirects(new URL("https://a.test/1"), post(), { fetchHop, check });
    expect(sent[1]).toEqual({
      url: "https://a.test/2",
      method,
      body: method === "GET" ? null : "data",
      headers: method === "GET" ? {} : { "content-type": "text/plain" },
    });
  });

  it.each([301, 302, 303, 307])("HEAD stays HEAD at %i, PUT changes only at 303", async (status) => {
    const { sent, fetchHop } = network({ "https://a.test/1": [status, "https://a.test/2"] });
    const url = new URL("https://a.test/1");
    await followRedirects(url, { method: "HEAD", headers: new Headers() }, { fetchHop, check });
    await followRedirects(url, { ...post(), method: "PUT" }, { fetchHop, check });
    expect([sent[1]?.method, sent[3]?.method]).toEqual(["HEAD", status === 303 ? "GET" : "PUT"]);
  });

  it("keeps a script's headers, but not Authorization across origins", async () => {
    const { sent, fetchHop } = network({
      "https://a.test/1": [302, "https://a.test/2"],
      "https://a.test/2": [302, "https://b.test/3"],
      "https://b.test/3": [302, "https://a.test/4"],
    });
    const headers = new Headers({ authorization: "Basic x", "x-own": "1" });
    await followRedirects(new URL("https://a.test/1"), { method: "GET", headers }, { fetchHop, check });
    expect(sent.map(({ headers: { authorization, "x-own": own } }) => [authorization, own])).toEqual([
      ["Basic x", "1"],
      ["Basic x", "1"],
      [undefined, "1"],
      [undefined, "1"],
    ]);
  });

  it("C043 the final address has the last fragment, which no server sees", async () => {
    const { sent, fetchHop } = network({
      "https://a.test/start": [302, "https://a.test/done#token=1"],
      "https://a.test/done": [302, "https://a.test/end"],
    });
    const { url } = await followRedirects(new URL("https://a.test/start#mine"), get, { fetchHop, check });
    expect(url).toBe("https://a.test/end#token=1");
    expect(sent.map((hop) => hop.url)).toEqual([
      "https://a.test/start",
      "https://a.test/done",
      "https://a.test/end",
    ]);
    const plain = await followRedirects(new URL("https://a.test/end#mine"), get, { fetchHop, check });
    expect(plain.url).toBe("https://a.test/end#mine");
  });

  it("C052 asks for each address before it is requested, and a refused one never is", async () => {
    const { sent, fetchHop } = network({
      "https://a.test/1": [302, "https://b.test/secret"],
      "https://b.test/secret": [200, ""],
    });
    const guard = vi.fn(async (url: URL) => {
      if (url.host === "b.test") throw new Error("not b.test");
    });
    await expect(
      followRedirects(new URL("https://a.test/1"), get, { fetchHop, check: guard }),
    ).rejects.toThrow("not b.test");
    expect(sent.map(({ url }) => url)).toEqual(["https://a.test/1"]);
    expect(guard).toHaveBeenCalledTimes(2);
  });

  it("stops after 20, at no address, and at a password in the address", async () => {
    const loop = network({ "https://a.test/": [302, "https://a.test/"] });
    await expect(
      followRedirects(new URL("https://a.test/"), get, { fetchHop: loop.fetchHop, check }),
    ).rejects.toMatchObject({ name: "NetworkError", message: expect.stringContaining("more than 20") });
    expect(loop.sent).toHaveLength(21);
    for (const to of ["https://", "https://u:p@a.test/"]) {
      const { fetchHop } = network({ "https://a.test/": [302, to] });
      await expect(
        followRedirects(new URL("https://a.test/"), get, { fetchHop, check }),
        to,
      ).rejects.toMatchObject({ name: "NetworkError" });
    }
  });
});
