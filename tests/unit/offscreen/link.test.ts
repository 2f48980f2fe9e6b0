import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { offscreenHealthContract } from "@/offscreen/contract";
import { OffscreenConnection } from "@/offscreen/link";
import type { OffscreenPlatform } from "@/platform/offscreen";
import { NOWHERE } from "@/rpc/caller";
import { call, contract, stream } from "@/rpc/contract";
import { Router } from "@/rpc/server";
import { portTransport } from "@/rpc/transports/port";
import { never } from "./support/never";
import { portPair } from "./support/port-pair";

const workContract = contract("test.work", "worker", {
  double: call(z.object({ n: z.number() })).returns<number>(),
  count: stream(z.object({ to: z.number() })).yields<number>(),
});

/** A browser with one offscreen document at most, whose document can hang, die and refuse. */
class FakeBrowser implements OffscreenPlatform {
  created = 0;
  open: { cut(): void } | null = null;
  hanging = false;
  refuse: Error | null = null;
  /** Whether the browser leaves what it is asked for without an answer. */
  silent = false;
  /** Calls of `double` that the documents began. */
  begun = 0;
  hold: Promise<void> | null = null;
  connection!: OffscreenConnection;

  exists = async () => this.open !== null;
  create = async () => {
    if (this.silent) return never();
    if (this.refuse) throw this.refuse;
    if (this.open) throw new Error("Only a single offscreen document may be created.");
    this.created += 1;
    this.connect();
  };
  close = async () => this.die();
  askToConnect = async () => {
    if (this.silent) return new Promise<boolean>(() => undefined);
    if (this.hanging || !this.open) return false;
    this.connect();
    return true;
  };

  die() {
    const { open } = this;
    this.open = null;
    this.hanging = false;
    open?.cut();
  }

  connect() {
    const [near, far, cut] = portPair(() => this.hanging);
    this.open = { cut };
    const router = new Router();
    router.register(offscreenHealthContract, { ping: () => ({ busy: [] }) });
    router.register(workContract, {
      double: async ({ n }) => {
        this.begun += 1;
        await this.hold;
        return n * 2;
      },
      count: async function* ({ to }) {
        for (let at = 1; at <= to; at += 1) yield at;
      },
    });
    router.serve(portTransport(far), { kind: "worker", ...NOWHERE });
    this.connection.accept(near);
  }
}

let browser: FakeBrowser;
let connection: OffscreenConnection;
let reported: unknown[];
let held: number;

beforeEach(() => {
  vi.useFakeTimers();
  browser = new FakeBrowser();
  reported = [];
  held = 0;
  connection = new OffscreenConnection({
    platform: browser,
    keepalive: {
      hold: () => {
        held += 1;
        return () => {
          held -= 1;
        };
      },
    },
    report: (_during, error) => reported.push(error),
  });
  browser.connection = connection;
});
afterEach(() => vi.useRealTimers());

const work = () => connection.of<typeof workContract>("test.work");

describe("the worker's way to the offscreen document", () => {
  it("makes the document at the first call, once for many at a time", async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => work().call("double", { n })));
    expect(answers).toEqual([2, 4, 6, 8, 10]);
    expect(browser.created).toBe(1);
    expect(held).toBe(0);
  });

  it("uses the document that an earlier worker left", async () => {
    browser.open = { cut: () => undefined };
    expect(await work().call("double", { n: 4 })).toBe(8);
    expect(browser.created).toBe(0);
  });

  it("streams", async () => {
    const seen: number[] = [];
    for await (const n of work().stream("count", { to: 300 })) seen.push(n);
    expect(seen).toHaveLength(300);
    expect(held).toBe(0);
  });

  it("makes a repeatable call again when the document dies during it, in a new document", async () => {
    let release: () => void = () => undefined;
    browser.hold = new Promise((resolve) => {
      release = resolve;
    });
    const answer = work().call("double", { n: 5 }, { repeatable: true });
    await vi.waitFor(() => expect(browser.begun).toBe(1));
    browser.die();
    release();
    browser.hold = null;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await answer).toBe(10);
    expect(browser.created).toBe(2);
    expect(browser.begun).toBe(2);
  });

  it("fails any other call by name, once, and serves the next", async () => {
    browser.hold = never();
    const answer = work().call("double", { n: 5 });
    const failed = expect(answer).rejects.toMatchObject({ name: "DisconnectedError" });
    await vi.waitFor(() => expect(browser.begun).toBe(1));
    browser.die();
    await failed;
    expect(browser.begun).toBe(1);
    browser.hold = null;
    expect(await work().call("double", { n: 6 })).toBe(12);
  });

  it("starts a document anew that does not answer any more", async () => {
    browser.hold = never();
    const answer = work().call("double", { n: 7 }, { repeatable: true });
    await vi.waitFor(() => expect(browser.begun).toBe(1));
    browser.hanging = true;
    browser.hold = null;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await answer).toBe(14);
    expect(browser.created).toBe(2);
    expect(reported).toMatchObject([{ name: "OffscreenHungError" }]);
  });

  it("leaves a document alone that works long but answers", async () => {
    let release: () => void = () => undefined;
    browser.hold = new Promise((resolve) => {
      release = resolve;
    });
    const answer = work().call("double", { n: 8 });
    await vi.advanceTimersByTimeAsync(120_000);
    release();
    expect(await answer).toBe(16);
    expect(browser.created).toBe(1);
    expect(reported).toEqual([]);
  });

  it("fails by name, and does not try for ever, when the browser gives no document", async () => {
    browser.refuse = new Error("out of memory");
    const answer = work().call("double", { n: 1 }, { repeatable: true });
    const failed = expect(answer).rejects.toMatchObject({
      name: "OffscreenUnavailableError",
      message: expect.stringContaining("out of memory"),
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await failed;
    expect(held).toBe(0);
    browser.refuse = null;
    expect(await work().call("double", { n: 1 })).toBe(2);
  });

  it("says so too of a call that may not be made twice: it was never made", async () => {
    browser.refuse = new Error("out of memory");
    const called = work().call("double", { n: 1 });
    const streamed = work().stream("count", { to: 3 }).next();
    const failed = Promise.all(
      [called, streamed].map((ended) =>
        expect(ended).rejects.toMatchObject({ name: "OffscreenUnavailableError" }),
      ),
    );
    await vi.advanceTimersByTimeAsync(60_000);
    await failed;
    expect(browser.begun).toBe(0);
    expect(held).toBe(0);
  });

  it("makes a call once that waited while the browser had no document to give", async () => {
    browser.refuse = new Error("only just closing");
    const answer = work().call("double", { n: 3 });
    await vi.advanceTimersByTimeAsync(20);
    browser.refuse = null;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await answer).toBe(6);
    expect(browser.begun).toBe(1);
  });

  it.each([
    ["a document", false],
    ["a document to connect again", true],
  ])(
    "waits no longer than it may for a browser that answers nothing when asked for %s",
    async (_what, open) => {
      if (open) browser.open = { cut: () => undefined };
      browser.silent = true;
      // For the health check, which would close it.
      browser.close = () => never();
      const failed = expect(work().call("double", { n: 1 })).rejects.toMatchObject({
        name: "OffscreenUnavailableError",
      });
      await vi.advanceTimersByTimeAsync(120_000);
      await failed;
      expect(held).toBe(0);
    },
  );

  it("lets those who want to come to rest before it closes the document, but not for ever", async () => {
    await work().call("double", { n: 1 });
    let rested = false;
    connection.onQuiesce(async () => {
      rested = true;
    });
    connection.onQuiesce(() => never());
    const told = vi.fn();
    connection.onRecreated(told);
    const done = Promise.all([connection.recreate("a frame hangs"), connection.recreate("another does")]);
    await vi.advanceTimersByTimeAsync(3_000);
    await done;
    expect(rested).toBe(true);
    expect(told).toHaveBeenCalledTimes(1);
    expect(browser.open).toBeNull();
    expect(await work().call("double", { n: 2 })).toBe(4);
  });

  it("a cancelled call is over at once, though the document hangs", async () => {
    browser.hold = never();
    const abort = new AbortController();
    const answer = work().call("double", { n: 1 }, { signal: abort.signal, repeatable: true });
    await vi.waitFor(() => expect(browser.begun).toBe(1));
    abort.abort();
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    expect(held).toBe(0);
  });
});
