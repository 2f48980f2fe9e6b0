import "fake-indexeddb/auto";
import { memorySession } from "@tests/fixtures/memory-session";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createConsent } from "@/consent";
import type { ConsentContract, ConsentEntry } from "@/consent/contract";
import type { ConsentPolicy, ConsentService } from "@/consent/service";
import type { ConsentPrompt, ConsentReply, ConsentRequest } from "@/consent/types";
import { MoggyDatabase } from "@/platform/db";
import type { SessionStorage } from "@/platform/session-storage";
import type { Caller } from "@/rpc/caller";
import { RpcClient } from "@/rpc/client";
import type { Client } from "@/rpc/contract";
import { Router } from "@/rpc/server";
import { memoryTransportPair } from "@/rpc/transport";
import { idOf, request } from "./bench";

const PLACE = {
  tabId: -1,
  frameId: 0,
  documentId: "own",
  origin: "chrome-extension://x",
  url: "",
  incognito: false,
};
const OWN_PAGE: Caller = { kind: "page", ...PLACE };
let names = 0;

/** Consent in a worker, and one of our pages. */
class Bench {
  readonly service: ConsentService;
  readonly page: Client<ConsentContract>;
  readonly router = new Router();
  readonly counts: number[] = [];
  policy: ConsentPolicy = "ask";
  documents = new Set(["doc", "doc2"]);
  scriptNames: Record<string, string | undefined> = { s: "My \u202escript" };

  constructor(
    readonly db = new MoggyDatabase(`consent-test-${++names}`),
    session: SessionStorage = memorySession(),
  ) {
    this.service = createConsent({
      router: this.router,
      db,
      session,
      windows: {
        open: async () => 1,
        focus: async () => true,
        close: async () => undefined,
        exists: async () => true,
        inFront: async () => false,
        onClosed: () => undefined,
      },
      documents: async () => this.documents,
      scriptName: async (uuid) => this.scriptNames[uuid],
      waitSeconds: async () => 120,
      policy: async () => this.policy,
      onOpen: (count) => this.counts.push(count),
      onUnattended: () => undefined,
      report: (during, error) => {
        throw new Error(during, { cause: error });
      },
      now: () => Date.now(),
    });
    this.page = this.client(OWN_PAGE).of<ConsentContract>("consent");
  }

  client(caller: Caller): RpcClient {
    return new RpcClient(() => {
      const [near, far] = memoryTransportPair();
      this.router.serve(far, caller);
      return near;
    });
  }

  ask(changes: Partial<ConsentRequest> = {}): Promise<ConsentReply> {
    return this.service.ask(request(changes), { signal: new AbortController().signal });
  }

  /** Asks and answers as soon as it is asked. */
  async decide(answer: "once" | "run" | "always" | "deny" | "never", changes: Partial<ConsentRequest> = {}) {
    const reply = this.ask(changes);
    await this.prompts((open) => open.some(({ id }) => id === idOf(request(changes))));
    await this.page.call("answer", { id: idOf(request(changes)), answer });
    return reply;
  }

  prompts(until: (open: ConsentPrompt[]) => boolean): Promise<ConsentPrompt[]> {
    return firstOf(this.page.stream("prompts", {}), until);
  }

  decisions(until: (entries: ConsentEntry[]) => boolean = () => true): Promise<ConsentEntry[]> {
    return firstOf(this.page.stream("decisions", {}), until);
  }
}

async function firstOf<T>(items: AsyncIterable<T>, until: (item: T) => boolean): Promise<T> {
  for await (const item of items) if (until(item)) return item;
  throw new Error("the stream ended");
}

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});

describe("decisions", () => {
  it("always and never are stored, hold from then on without asking, also in the next worker", async () => {
    expect((await bench.decide("always")).outcome).toBe("allowed");
    expect((await bench.decide("never", { host: "b.test" })).outcome).toBe("denied");
    const later = new Bench(bench.db);
    expect((await later.ask()).outcome).toBe("allowed");
    expect((await later.ask({ host: "b.test", runId: "doc2" })).outcome).toBe("denied");
    expect(await later.service.known(request({ host: "c.test" }))).toBeNull();
    expect(await later.service.decided("script:s", "connect", "a.test")).toBe("always");
    expect(await later.service.decided("script:s", "page-world", "")).toBeUndefined();
  });

  it.each(["always", "never"] as const)(
    "that are just being stored (%s) count for who asks meanwhile: the person is not asked again",
    async (answer) => {
      const first = bench.ask();
      await bench.prompts((open) => open.length > 0);
      let second: Promise<ConsentReply> | undefined;
      const { consents } = bench.db;
      const store = consents.bulkPut.bind(consents);
      vi.spyOn(consents, "bulkPut").mockImplementationOnce((rows) => {
        second = bench.ask();
        return store(rows);
      });
      await bench.page.call("answer", { id: idOf(request()), answer });
      const { outcome } = await first;
      expect(second).toBeDefined();
      expect(await bench.prompts(() => true)).toEqual([]);
      expect((await second)?.outcome).toBe(outcome);
    },
  );

  it("are about a subject, an effect and a host: no other, none above or below", async () => {
    await bench.decide("always");
    for (const other of [
      { subject: "script:t" as const },
      { effect: "connect-private" as const },
      { host: "b.a.test" },
      { host: "test" },
      { host: "a.test." },
    ]) {
      expect(await bench.service.known(request(other)), JSON.stringify(other)).toBeNull();
    }
  });

  it("are listed newest first, with the name of now made harmless, and when they were used", async () => {
    await bench.decide("always");
    await new Promise((resolve) => setTimeout(resolve, 2));
    await bench.decide("never", { subject: "script:gone", host: "b.test" });
    await bench.ask();
    const entries = await bench.decisions((all) => all.some(({ usedAt }) => usedAt !== undefined));
    expect(entries).toEqual([
      expect.objectContaining({ subject: "script:gone", subjectName: "", decision: "never", host: "b.test" }),
      expect.objectContaining({ subjectName: "My script", decision: "always", usedAt: expect.any(Number) }),
    ]);
  });

  it("of a kind of run have its kind as name", async () => {
    await bench.decide("always", { subject: "run:web_fetch" });
    expect((await bench.decisions()).map(({ subjectName }) => subjectName)).toEqual(["web_fetch"]);
  });

  it("once is for now only, deny too", async () => {
    expect((await bench.decide("once")).outcome).toBe("allowed");
    expect(await bench.service.known(request())).toBeNull();
    expect((await bench.decide("deny")).outcome).toBe("denied");
    expect(await bench.service.known(request())).toBeNull();
    expect(await bench.decisions()).toEqual([]);
  });

  it("for a run hold in that document, outlive the worker, and are gone with the document", async () => {
    const session = memorySession();
    const first = new Bench(undefined, session);
    await first.decide("run");
    const later = new Bench(first.db, session);
    expect((await later.service.known(request()))?.outcome).toBe("allowed");
    expect(await later.service.known(request({ runId: "doc2" }))).toBeNull();
    expect(await later.service.known(request({ runId: undefined }))).toBeNull();
    expect(await later.decisions()).toEqual([
      expect.objectContaining({
        host: "a.test",
        decision: "always",
        runId: "doc",
        pageUrl: "https://page.test/",
      }),
    ]);
    later.documents.delete("doc");
    expect(await later.decisions()).toEqual([]);
    expect(await later.service.known(request())).toBeNull();
  });
});

describe("revoking", () => {
  it("takes effect at once in what is under way, and the next one asks again; undo brings it back as it was", async () => {
    const { signal } = await bench.decide("always");
    const other = await bench.decide("always", { host: "b.test" });
    const [entry] = (await bench.decisions()).filter(({ host }) => host === "a.test");
    await bench.page.call("revoke", { ids: [idOf(request())] });
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toMatchObject({ name: "PermissionDeniedError" });
    expect(other.signal.aborted).toBe(false);
    expect(await bench.service.known(request())).toBeNull();
    await bench.page.call("restore", { entries: [{ id: idOf(request()), decision: "always" }] });
    expect((await bench.decisions()).find(({ host }) => host === "a.test")).toEqual(entry);
    const again = await bench.service.known(request());
    expect([again?.outcome, again?.signal.aborted]).toEqual(["allowed", false]);
  });

  it("takes what was allowed for a run with it, and undo brings that back too", async () => {
    const { signal } = await bench.decide("run");
    const [grant] = await bench.decisions();
    await bench.page.call("revoke", { ids: [grant?.id ?? ""] });
    expect(signal.aborted).toBe(true);
    expect(await bench.service.known(request())).toBeNull();
    await bench.page.call("restore", { entries: [{ id: grant?.id ?? "", decision: "always" }] });
    expect((await bench.service.known(request()))?.outcome).toBe("allowed");
  });

  it("never stops what was allowed once and still goes on", async () => {
    const { signal } = await bench.decide("once");
    await bench.decide("never");
    expect(signal.aborted).toBe(true);
  });

  it("restores nothing that is no decision's id", async () => {
    for (const id of [
      "",
      "[]",
      '["script:s","connect"]',
      '["x","connect","a"]',
      '["script:s","steal","a"]',
      '["script:s", "connect","a"]',
    ])
      await expect(
        bench.page.call("restore", { entries: [{ id, decision: "always" }] }),
        id,
      ).rejects.toMatchObject({ name: "TypeError" });
    expect(await bench.decisions()).toEqual([]);
  });

  it("a script that is switched off stops, asks nothing more and keeps its decisions; one that is gone loses them", async () => {
    const { signal } = await bench.decide("always");
    const open = bench.ask({ host: "b.test" });
    await bench.prompts((prompts) => prompts.length === 1);
    await bench.service.stop("script:s");
    expect([signal.aborted, (await open).outcome]).toEqual([true, "denied"]);
    expect((await bench.ask()).outcome).toBe("allowed");
    await bench.service.forget("script:s");
    expect(await bench.service.known(request())).toBeNull();
    expect(await bench.db.consents.count()).toBe(0);
  });
});

describe("who may", () => {
  it.each(["script", "relay", "offscreen", "worker"] as const)(
    "a %s neither sees questions nor answers them",
    async (kind) => {
      const reply = bench.ask();
      await bench.prompts((open) => open.length === 1);
      const caller = { kind, ...PLACE, uuid: "s", name: "s", grants: new Set(["*"]) } as Caller;
      const stranger = bench.client(caller).of<ConsentContract>("consent");
      const id = idOf(request());
      const denied = { name: "PermissionDeniedError" };
      await expect(stranger.stream("prompts", {}).next()).rejects.toMatchObject(denied);
      await expect(stranger.stream("decisions", {}).next()).rejects.toMatchObject(denied);
      await expect(stranger.call("answer", { id, answer: "always" })).rejects.toMatchObject(denied);
      await expect(stranger.call("denyAll", { subject: "script:s" })).rejects.toMatchObject(denied);
      await expect(stranger.call("restore", { entries: [{ id, decision: "always" }] })).rejects.toMatchObject(
        denied,
      );
      await bench.page.call("answer", { id, answer: "deny" });
      expect((await reply).outcome).toBe("denied");
    },
  );

  it("says never to all that a subject asks", async () => {
    const replies = ["a.test", "b.test", "c.test", "d.test"].map((host) => bench.ask({ host }));
    await bench.prompts((open) => open.length === 3);
    await bench.page.call("denyAll", { subject: "script:s" });
    expect((await Promise.all(replies)).map(({ outcome }) => outcome)).toEqual(Array(4).fill("denied"));
    expect((await bench.decisions()).map(({ decision }) => decision)).toEqual(Array(4).fill("never"));
  });

  it("a test's policy answers before anybody is asked, after what was decided, and is never stored", async () => {
    await bench.decide("never", { host: "b.test" });
    bench.policy = "allow";
    expect((await bench.ask()).outcome).toBe("allowed");
    expect((await bench.ask({ host: "b.test" })).outcome).toBe("denied");
    bench.policy = "deny";
    expect((await bench.ask()).outcome).toBe("denied");
    expect(await bench.decisions()).toHaveLength(1);
  });
});

it("what is shown of an asker is made harmless, what decides is not touched", async () => {
  void bench.ask({
    subjectName: `Moggy\u202e\n\n\u200bsays\u0000${"x".repeat(10_000)}`,
    detail: `GET ${"y".repeat(9_000)}`,
  });
  const [prompt] = await bench.prompts((open) => open.length === 1);
  expect(prompt?.subjectName).toMatch(/^Moggy saysx+…$/);
  expect(prompt?.subjectName).toHaveLength(80);
  expect(prompt?.detail).toHaveLength(500);
  expect(prompt).toMatchObject({ subject: "script:s", host: "a.test", id: idOf(request()) });
});

it("counts what is open at each change", async () => {
  await bench.decide("once");
  await expect.poll(() => bench.counts.at(-1)).toBe(0);
  expect(bench.counts).toContain(1);
});
