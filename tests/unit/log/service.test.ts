import "fake-indexeddb/auto";
import { memorySession } from "@tests/fixtures/memory-session";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLogKeeper } from "@/log/keeper";
import { LogService } from "@/log/service";
import type { LogRow } from "@/log/types";
import { MoggyDatabase } from "@/platform/db";
import { NOWHERE } from "@/rpc/caller";

let db: MoggyDatabase;
let now: number;
let log: ReturnType<typeof make>;
let unseen: number[];
let opened: number;
let said: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  db = new MoggyDatabase(`log-${Math.random()}`);
  now = Date.UTC(2026, 4, 12);
  unseen = [];
  opened = 0;
  said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  log = make();
});
afterEach(() => db.delete());

/** A log as a worker has it, with its keeper's handlers at hand. */
function make() {
  let keeper: ReturnType<typeof createLogKeeper> | undefined;
  const load = () => {
    keeper ??= createLogKeeper({
      db,
      storage,
      secrets: service.secrets,
      facts: async () => ({
        version: "1.2.3",
        browser: "Chromium 156",
        os: "linux x86-64",
        settings: { theme: "dark", blocklist: 2 },
        counts: { scripts: 3 },
        now,
      }),
      onUnseen: (count) => unseen.push(count),
      add: (input) => service.add(input),
      settled: () => service.settled(),
    });
    return keeper;
  };
  const service: LogService = new LogService({
    keeper: () => {
      opened += 1;
      return load();
    },
    now: () => now,
  });
  return Object.assign(service, { handlers: () => load().handlers() });
}
let storage = memorySession();
beforeEach(() => {
  storage = memorySession();
  log = make();
});

const ctx = { caller: { kind: "page", ...NOWHERE } as const, signal: new AbortController().signal };
const rows = () => db.log.orderBy(":id").toArray();
const add = (message: string, more: Partial<Parameters<LogService["add"]>[0]> = {}) =>
  log.add({ source: "worker", during: "Testing", error: new Error(message), ...more });

describe("adding", () => {
  it("stores what went wrong, where and while doing what", async () => {
    log.add({
      source: "worker",
      during: "Registering",
      error: new TypeError("no good", { cause: new Error("deeper") }),
    });
    await log.settled();
    const [row] = await rows();
    expect(row).toMatchObject({
      at: now,
      level: "error",
      source: "worker",
      during: "Registering",
      name: "TypeError",
      message: "no good",
      count: 1,
    });
    expect(row?.stack).toMatch(/service\.test\.ts[\s\S]*Caused by: Error: deeper/);
    expect(said).toHaveBeenCalledTimes(1);
  });

  it("touches nothing before there is something to write", () => {
    expect(opened).toBe(0);
  });

  it("counts the same in a row, in memory, in the database and over a death of the worker", async () => {
    for (let at = 0; at < 5; at += 1) add("same");
    await log.settled();
    for (let at = 0; at < 3; at += 1) add("same");
    await log.settled();
    log = make();
    add("same");
    add("other");
    add("same");
    await log.settled();
    expect((await rows()).map(({ message, count }) => [message, count])).toEqual([
      ["same", 9],
      ["other", 1],
      ["same", 1],
    ]);
  });

  it("takes whatever is thrown, and never throws itself", async () => {
    const hostile = new Proxy(new Error("x"), {
      get() {
        throw new Error("trap");
      },
    });
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    for (const error of [
      undefined,
      null,
      5,
      "",
      "text",
      Symbol("s"),
      {},
      loop,
      hostile,
      { message: 7 },
      10n,
      () => 1,
    ]) {
      expect(() => log.add({ source: "worker", during: "Testing", error })).not.toThrow();
    }
    await log.settled();
    for (const { message, name } of await rows()) expect(`${name}${message}`).not.toBe("Error");
    expect((await rows()).map(({ message }) => message)).toContain("text");
  });

  it("a flood of different errors costs few rows, is counted, and ends", async () => {
    for (let second = 0; second < 60; second += 1) {
      for (let at = 0; at < 500; at += 1) add(`number ${second}-${at}`);
      await log.settled();
      now += 1_000;
    }
    const stored = await rows();
    expect(stored.length).toBeLessThan(110);
    expect(stored.reduce((sum, { count }) => sum + count, 0)).toBe(30_000);
    expect(said.mock.calls.length).toBeLessThan(110);
    now += 3_600_000;
    add("later");
    await log.settled();
    expect((await rows()).at(-1)).toMatchObject({ message: "later", count: 1 });
  });

  it("keeps the newest 500", async () => {
    await db.log.bulkAdd(Array.from({ length: 500 }, (_, at): LogRow => row(`old ${at}`)));
    add("new");
    await log.settled();
    expect(await db.log.count()).toBe(500);
    expect((await rows()).at(0)?.message).toBe("old 1");
    expect((await rows()).at(-1)?.message).toBe("new");
  });

  it("writes the first at once and what follows within a second together", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const append = vi.spyOn(db.log, "add");
      add("one");
      await vi.waitFor(() => expect(append).toHaveBeenCalledTimes(1));
      await vi.waitFor(async () => expect(await db.log.count()).toBe(1));
      now += 100;
      add("two");
      add("three");
      expect(append).toHaveBeenCalledTimes(1);
      now += 900;
      await vi.advanceTimersByTimeAsync(900);
      await vi.waitFor(() => expect(append).toHaveBeenCalledTimes(3));
    } finally {
      vi.useRealTimers();
    }
  });

  it("a database that cannot be written goes to the console, once for each try, and loses nothing that still fits", async () => {
    const broken = vi.spyOn(db, "transaction").mockRejectedValue(new Error("disk full"));
    add("first");
    await log.settled();
    add("second");
    await log.settled();
    expect(
      said.mock.calls.filter(([text]: unknown[]) => text === "The log could not be written:"),
    ).toHaveLength(broken.mock.calls.length);
    expect(broken.mock.calls.length).toBeLessThan(5);
    broken.mockRestore();
    add("third");
    await log.settled();
    expect((await rows()).map(({ message }) => message)).toEqual(["first", "second", "third"]);
  });
});

describe("secrets", () => {
  it("a known key is in nothing that is stored or copied, wherever and however it stands", async () => {
    const key = fc.stringMatching(/^[A-Za-z0-9_\-.:/+=]{12,60}$/);
    const spell = fc.constantFrom<(text: string) => string>(
      (text) => text,
      encodeURIComponent,
      btoa,
      (text) => btoa(`user:${text}`),
      JSON.stringify,
      (text) => `https://x.example/?q=${encodeURIComponent(text)}&b=1`,
      (text) => `https://x.example/${text}/y`,
    );
    await fc.assert(
      fc.asyncProperty(key, spell, fc.string({ maxLength: 20 }), async (secret, write, noise) => {
        await db.log.clear();
        const service = make();
        service.secrets.know(secret);
        const text = `${noise} ${write(secret)} ${noise}`;
        const error = Object.assign(new Error(text), {
          name: write(secret),
          stack: `Error: ${text}\n at ${text}`,
        });
        service.add({ source: `page:${write(secret)}`, during: text, error });
        await service.settled();
        const stored = JSON.stringify(await rows()) + (await service.handlers().copyable({}, ctx));
        for (const spelled of [
          secret,
          encodeURIComponent(secret),
          btoa(secret).replace(/=+$/, ""),
          write(secret),
        ])
          expect(stored).not.toContain(spelled);
      }),
      { numRuns: 60 },
    );
  });

  it("a secret over the edge of what is kept is masked as a whole", async () => {
    log.secrets.know("Zq8Jw2Lx7Rv1Tn6Canary");
    for (const length of [1_985, 1_990, 1_999, 2_000])
      add(`${"x ".repeat(length / 2)}Zq8Jw2Lx7Rv1Tn6Canary and more`);
    for (const length of [3_980, 3_990, 3_999])
      add(`${"x ".repeat(length / 2)}Zq8Jw2Lx7Rv1Tn6Canary and more`);
    await log.settled();
    expect(JSON.stringify(await rows())).not.toMatch(/Zq8J/);
    for (const { message } of await rows()) expect(message.length).toBeLessThanOrEqual(2_000);
  });

  it("one that became known after the entry was stored is not in the report", async () => {
    add("went to plain-old-word-9");
    await log.settled();
    log.secrets.know("plain-old-word-9");
    expect(await log.handlers().copyable({}, ctx)).not.toContain("plain-old-word-9");
  });
});

describe("for pages", () => {
  const handlers = () => log.handlers();

  it("entries come newest first, and again after each change", async () => {
    add("one");
    await log.settled();
    const abort = new AbortController();
    const stream = handlers()
      .entries({}, { ...ctx, signal: abort.signal })
      [Symbol.asyncIterator]();
    expect((await stream.next()).value.map(({ message }: LogRow) => message)).toEqual(["one"]);
    const next = stream.next();
    add("two");
    await log.settled();
    expect((await next).value.map(({ message }: LogRow) => message)).toEqual(["two", "one"]);
    abort.abort();
    await stream.next();
  });

  it("a page reports for itself only", async () => {
    const error = { during: "Saving", name: "StorageError", message: "full", shown: true };
    await handlers().report({ source: "page:options", ...error }, ctx);
    await handlers().report({ source: "worker", ...error }, ctx);
    await log.settled();
    expect((await rows()).map(({ source, name, shown }) => [source, name, shown])).toEqual([
      ["page:options", "StorageError", true],
      ["page:worker", "StorageError", true],
    ]);
  });

  it("errors that nobody was told of call the person, until they have seen the log", async () => {
    add("hidden");
    now += 10;
    add("told", { shown: true });
    now += 10;
    add("mild", { level: "warning" });
    await log.settled();
    expect(unseen.at(-1)).toBe(1);
    await handlers().seen({ at: now }, ctx);
    expect(unseen.at(-1)).toBe(0);
    now += 10;
    add("again");
    await log.settled();
    expect(unseen.at(-1)).toBe(1);
    unseen.length = 0;
    // A later start of the browser, which has forgotten the badge.
    await make().announce();
    expect(unseen).toEqual([1]);
  });

  it("what was told is not taken for told when it happens again untold", async () => {
    add("same", { shown: true });
    await log.settled();
    now += 5_000;
    add("same");
    await log.settled();
    expect(unseen.at(-1)).toBe(1);
  });

  it("clearing can be undone, in the same order, and what came in between stays", async () => {
    add("one");
    add("two");
    await log.settled();
    const before = (await rows()).reverse();
    await handlers().clear({}, ctx);
    expect(await rows()).toEqual([]);
    expect(unseen.at(-1)).toBe(0);
    add("three");
    await log.settled();
    await handlers().restore({ rows: before }, ctx);
    expect((await rows()).map(({ message }) => message)).toEqual(["one", "two", "three"]);
  });

  it("the report says versions, settings, counts and the newest entries", async () => {
    add("one");
    add("one");
    now += 1;
    add("two");
    await log.settled();
    const text = await handlers().copyable({}, ctx);
    for (const line of [
      "Moggy 1.2.3",
      "Browser: Chromium 156",
      "System: linux x86-64",
      "Settings: theme=dark blocklist=2",
      "Counts: scripts=3",
      "Log: 2",
    ])
      expect(text.split("\n")).toContain(line);
    expect(text.indexOf("Error: two")).toBeLessThan(text.indexOf("Error: one"));
    expect(text).toContain("(2 times");
  });
});

function row(message: string): LogRow {
  return { at: now, level: "error", source: "worker", name: "Error", during: "Testing", message, count: 1 };
}
