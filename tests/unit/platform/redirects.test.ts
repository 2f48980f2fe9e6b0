import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type HopDeps, HopFetcher, type RedirectDetails } from "@/platform/redirects";

const ORIGIN = "chrome-extension://own";

/** A browser that answers by a table of `url without fragment → redirect target`, with control over what comes when. */
function browser(
  redirects: Record<string, string> = {},
  options: { eventDelay?: number; silent?: boolean } = {},
) {
  const listeners = new Set<(details: RedirectDetails) => void>();
  const stored = new Map<string, unknown>();
  const log: string[] = [];
  const sent: Array<{ url: string; init: RequestInit }> = [];
  const emit = (details: RedirectDetails) => {
    for (const listener of listeners) listener(details);
  };
  const deps: HopDeps = {
    onBeforeRedirect: {
      addListener: (listener) => {
        log.push("add");
        listeners.add(listener);
      },
      removeListener: (listener) => {
        log.push("remove");
        listeners.delete(listener);
      },
    },
    barrier: async () => log.push("barrier"),
    ready: async () => void log.push("ready"),
    origin: ORIGIN,
    session: {
      get: async <T>(key: string) => stored.get(key) as T | undefined,
      set: async (key, value) => void stored.set(key, value),
      remove: async (key) => void stored.delete(key),
    },
    fetch: async (url, init) => {
      log.push("fetch");
      sent.push({ url, init });
      const target = redirects[url.split("#")[0] ?? ""];
      if (target === undefined) return new Response("ok");
      const hash = new URL(url).hash;
      const details = {
        url,
        redirectUrl: target.includes("#") ? target : `${target}${hash}`,
        statusCode: 302,
        initiator: ORIGIN,
      };
      if (!options.silent) setTimeout(() => emit(details), options.eventDelay ?? 0);
      return opaque();
    },
  };
  return { deps, listeners, log, sent, stored, emit, fetcher: new HopFetcher(deps) };
}

/** What fetch gives for a redirect that it does not follow. */
function opaque(): Response {
  return { type: "opaqueredirect", status: 0 } as Response;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function run<T>(promise: Promise<T>): Promise<T> {
  const settled = promise.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(100);
  void settled;
  return promise;
}

describe("fetching without following", () => {
  it("gives an answer that is no redirect as it is, and never follows", async () => {
    const { fetcher, sent, log } = browser();
    const { response, redirect } = await run(fetcher.fetchHop("https://a.test/x", { method: "PUT" }));
    expect([await response.text(), redirect]).toEqual(["ok", null]);
    expect(sent[0]?.init).toEqual({ method: "PUT", redirect: "manual" });
    expect(log.indexOf("barrier")).toBeLessThan(log.indexOf("fetch"));
    expect(log.indexOf("ready")).toBeLessThan(log.indexOf("fetch"));
  });

  it("tells where a redirect points to, without the mark that it added", async () => {
    const { fetcher } = browser({
      "https://a.test/1": "https://b.test/2",
      "https://a.test/2": "https://b.test/2#token",
    });
    expect((await run(fetcher.fetchHop("https://a.test/1", {}))).redirect).toEqual({
      status: 302,
      url: "https://b.test/2",
    });
    expect((await run(fetcher.fetchHop("https://a.test/2", {}))).redirect?.url).toBe(
      "https://b.test/2#token",
    );
  });

  it("waits for an event that comes after the answer", async () => {
    const { fetcher } = browser({ "https://a.test/1": "https://b.test/2" }, { eventDelay: 50 });
    expect((await run(fetcher.fetchHop("https://a.test/1", {}))).redirect?.url).toBe("https://b.test/2");
  });

  it("does not mix up requests to one address that are under way at once", async () => {
    const { fetcher, deps, emit } = browser();
    const urls: string[] = [];
    deps.fetch = async (url) => {
      urls.push(url);
      return opaque();
    };
    const both = Promise.all([
      fetcher.fetchHop("https://a.test/", {}),
      fetcher.fetchHop("https://a.test/", {}),
    ]);
    await vi.advanceTimersByTimeAsync(10);
    const redirect = (i: number, redirectUrl: string) =>
      emit({ url: urls[i] ?? "", redirectUrl, statusCode: 302, initiator: ORIGIN });
    redirect(1, "https://a.test/second");
    redirect(0, "https://a.test/first");
    expect((await both).map(({ redirect: to }) => to?.url)).toEqual([
      "https://a.test/first",
      "https://a.test/second",
    ]);
  });

  it("believes only events of our own requests", async () => {
    const { fetcher, deps, emit } = browser();
    let asked = "";
    deps.fetch = async (url) => {
      asked = url;
      return opaque();
    };
    const hop = fetcher.fetchHop("https://a.test/", {});
    await vi.advanceTimersByTimeAsync(10);
    emit({ url: asked, redirectUrl: "https://evil.test/", statusCode: 302, initiator: "https://evil.test" });
    emit({ url: asked, redirectUrl: "https://a.test/right", statusCode: 307, initiator: ORIGIN });
    expect((await hop).redirect).toEqual({ status: 307, url: "https://a.test/right" });
  });

  it("fails in words when the browser does not tell, and passes errors of fetch on", async () => {
    const { fetcher, deps } = browser({ "https://a.test/": "https://b.test/" }, { silent: true });
    const hop = expect(fetcher.fetchHop("https://a.test/", {})).rejects.toMatchObject({
      name: "NetworkError",
      message: expect.stringContaining("a.test redirected"),
    });
    await vi.advanceTimersByTimeAsync(6000);
    await hop;
    deps.fetch = async () => {
      throw new TypeError("Failed to fetch");
    };
    await expect(fetcher.fetchHop("https://a.test/", {})).rejects.toThrow("Failed to fetch");
  });

  it("listens only while requests are under way, and a little longer", async () => {
    const { fetcher, listeners, log, stored } = browser();
    await run(fetcher.fetchHop("https://a.test/", {}));
    await run(fetcher.fetchHop("https://a.test/", {}));
    expect(log.filter((entry) => entry === "add")).toHaveLength(1);
    expect([listeners.size, stored.size]).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(4000);
    expect([listeners.size, stored.size]).toEqual([0, 0]);
    await run(fetcher.fetchHop("https://a.test/", {}));
    expect(log.filter((entry) => entry === "add")).toHaveLength(2);
  });

  it("clears what a worker that died left behind, and does nothing when there is nothing", async () => {
    const clean = browser();
    await clean.fetcher.clearLeftover();
    expect(clean.log).toEqual([]);
    const left = browser();
    left.stored.set("redirects.listening", true);
    await left.fetcher.clearLeftover();
    await vi.advanceTimersByTimeAsync(4000);
    expect(left.log).toEqual(["add", "barrier", "remove"]);
    expect(left.stored.size).toBe(0);
  });

  it("tries to listen again after that failed", async () => {
    const { fetcher, deps } = browser();
    const set = vi.spyOn(deps.session, "set").mockRejectedValueOnce(new Error("no session"));
    await expect(fetcher.fetchHop("https://a.test/", {})).rejects.toThrow("no session");
    expect((await run(fetcher.fetchHop("https://a.test/", {}))).redirect).toBeNull();
    expect(set).toHaveBeenCalledTimes(2);
  });
});
