import { afterEach, describe, expect, it, vi } from "vitest";
import type { ConsentRequest } from "@/consent/types";
import { bodyParts } from "@/gm/xmlhttp/body-parts";
import { relayedFetch } from "@/offscreen/net/relayed-fetch";
import { registerNetRelay } from "@/offscreen/net/service";
import { webProfile } from "@/offscreen/net/web-profile";
import { NOWHERE } from "@/rpc/caller";
import { RpcClient } from "@/rpc/client";
import { NamedError } from "@/rpc/errors";
import { Router } from "@/rpc/server";
import { memoryTransportPair } from "@/rpc/transport";
import { never } from "./support/never";

type Send = Parameters<typeof registerNetRelay>[0]["profiles"][string]["send"];

function relay(send: Send, profile = "test", kind: "offscreen" | "page" = "offscreen") {
  const router = new Router();
  registerNetRelay({
    router,
    profiles: { test: { send } },
    keepalive: { hold: () => () => undefined },
    parts: bodyParts,
  });
  const client = new RpcClient(() => {
    const [near, far] = memoryTransportPair();
    router.serve(far, { kind, ...NOWHERE });
    return near;
  });
  return relayedFetch(client, profile);
}

describe("requests of the offscreen document", () => {
  it("leave nothing behind that waits for them to be stopped", async () => {
    let given: AbortSignal | undefined;
    const send: Send = async (_request, signal) => {
      given = signal;
      return { response: new Response("hello"), url: "https://a.test/" };
    };
    const response = await relay(send)("https://a.test/");
    expect(given?.aborted).toBe(false);
    expect(await response.text()).toBe("hello");
    expect(given?.aborted).toBe(true);
  });

  it("are sent by the worker as they were made, and answered as by fetch", async () => {
    const send = vi.fn<Send>(async () => ({
      response: new Response("hello", { status: 201, statusText: "Made", headers: { "x-a": "1" } }),
      url: "https://b.test/after",
    }));
    const response = await relay(send)("https://a.test/x", {
      method: "POST",
      body: "sent",
      headers: { "x-b": "2" },
    });
    expect(response).toMatchObject({ status: 201, statusText: "Made", url: "https://b.test/after" });
    expect(response.headers.get("x-a")).toBe("1");
    expect(await response.text()).toBe("hello");
    const request = send.mock.calls[0]?.[0];
    expect(request).toMatchObject({ url: "https://a.test/x", method: "POST" });
    expect(await request?.body?.text()).toBe("sent");
    expect(request?.headers).toContainEqual(["x-b", "2"]);
  });

  it("have no body where the status has none", async () => {
    const response = await relay(async () => ({ response: new Response(null, { status: 204 }), url: "u" }))(
      "https://a.test/",
    );
    expect([response.status, response.body]).toEqual([204, null]);
  });

  it("carry the worker's refusal under its name", async () => {
    const refused = relay(async () => {
      throw new NamedError("PermissionDeniedError", "No.");
    })("https://a.test/");
    await expect(refused).rejects.toMatchObject({ name: "PermissionDeniedError", message: "No." });
  });

  it("reach no rules that are not there, such as one of Object's own members", async () => {
    const send: Send = async () => ({ response: new Response("x"), url: "u" });
    for (const name of ["other", "constructor", "__proto__"]) {
      await expect(relay(send, name)("https://a.test/")).rejects.toMatchObject({ name: "NotFoundError" });
    }
  });

  it("are the offscreen document's alone", async () => {
    const send: Send = async () => ({ response: new Response("x"), url: "u" });
    await expect(relay(send, "test", "page")("https://a.test/")).rejects.toMatchObject({
      name: "PermissionDeniedError",
    });
  });

  it("end on both sides when they are aborted", async () => {
    let stopped: AbortSignal | undefined;
    const abort = new AbortController();
    const asked = relay((_request, signal) => {
      stopped = signal;
      return never();
    })("https://a.test/", { signal: abort.signal });
    await vi.waitFor(() => expect(stopped).toBeDefined());
    abort.abort();
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    await vi.waitFor(() => expect(stopped?.aborted).toBe(true));
  });
});

describe("the rules for reading the web", () => {
  afterEach(() => vi.unstubAllGlobals());
  const request = (url: string) => ({ profile: "web", url, method: "GET", headers: [], body: null });
  const signal = new AbortController().signal;
  const hops = (redirects: Record<string, string>) => {
    const asked: string[] = [];
    const fetchHop = async (url: string, init: RequestInit) => {
      asked.push(url);
      expect(init).toMatchObject({ credentials: "omit", referrerPolicy: "no-referrer" });
      const to = redirects[url];
      return { response: new Response("x"), redirect: to ? { status: 302, url: to } : null };
    };
    return { asked, fetchHop };
  };

  const answers = (allowed: (host: string) => boolean, taken = new AbortController()) => ({
    taken,
    ask: vi.fn(async ({ host }: ConsentRequest) => ({
      outcome: allowed(host) ? ("allowed" as const) : ("denied" as const),
      signal: taken.signal,
    })),
  });

  it("ask for nothing on the public web", async () => {
    const { asked, fetchHop } = hops({ "https://a.test/": "https://b.test/" });
    const consent = answers(() => false);
    await webProfile(fetchHop, consent).send(request("https://a.test/"), signal);
    expect(asked).toEqual(["https://a.test/", "https://b.test/"]);
    expect(consent.ask).not.toHaveBeenCalled();
  });

  it("refuse this computer and its network without consent, also after a redirect", async () => {
    const { asked, fetchHop } = hops({ "https://a.test/": "http://127.0.0.1/admin" });
    const profile = webProfile(
      fetchHop,
      answers(() => false),
    );
    await expect(profile.send(request("http://[::1]/"), signal)).rejects.toMatchObject({
      name: "PermissionDeniedError",
    });
    await expect(profile.send(request("https://a.test/"), signal)).rejects.toMatchObject({
      name: "PermissionDeniedError",
    });
    expect(asked).toEqual(["https://a.test/"]);
  });

  it("ask for a host once, however it is spelled", async () => {
    const consent = answers(() => true);
    const { fetchHop } = hops({});
    await webProfile(fetchHop, consent).send(request("http://printer.local./"), signal);
    expect(consent.ask.mock.calls.map(([asking]) => asking.host)).toEqual(["printer.local"]);
  });

  it("let a local host through that was consented to, each by its name", async () => {
    const { asked, fetchHop } = hops({ "http://printer.local/": "http://nas.local/" });
    const consent = answers((host) => host === "printer.local");
    await expect(
      webProfile(fetchHop, consent).send(request("http://printer.local/"), signal),
    ).rejects.toThrow(/nas\.local/);
    expect(asked).toEqual(["http://printer.local/"]);
    expect(consent.ask.mock.calls.map(([asking]) => [asking.effect, asking.host])).toEqual([
      ["connect-private", "printer.local"],
      ["connect-private", "nas.local"],
    ]);
  });

  it("end what is under way when the consent is taken back", async () => {
    const consent = answers(() => true);
    let sent: RequestInit | undefined;
    const fetchHop = async (_url: string, init: RequestInit) => {
      sent = init;
      return { response: new Response("x"), redirect: null };
    };
    await webProfile(fetchHop, consent).send(request("http://printer.local/"), signal);
    expect(sent?.signal?.aborted).toBe(false);
    consent.taken.abort();
    expect(sent?.signal?.aborted).toBe(true);
  });

  it.each(["file:///etc/passwd", "chrome-extension://abc/x", "ftp://a.test/", "javascript:1", "nonsense"])(
    "refuse %s",
    async (url) => {
      const { asked, fetchHop } = hops({});
      await expect(
        webProfile(
          fetchHop,
          answers(() => true),
        ).send(request(url), signal),
      ).rejects.toThrow();
      expect(asked).toEqual([]);
    },
  );
});
