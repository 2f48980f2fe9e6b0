import { beforeEach, describe, expect, it } from "vitest";
import { migrationError } from "@/migrations/errors";
import { DataGate, type DataGateDeps } from "@/migrations/gate";
import { gatedStorage } from "@/migrations/gated-storage";
import { SCHEMA_VERSION } from "@/migrations/schema";
import type { DataState } from "@/migrations/types";
import { areaStorage } from "@/platform/storage";

let reported: unknown[];
let migrations: Array<{
  forced: boolean;
  end: (error?: unknown) => void;
  report: (d: number, s: number) => void;
}>;

beforeEach(() => {
  reported = [];
  migrations = [];
});

function gateOn(stored: unknown, patch: Partial<DataGateDeps> = {}): DataGate {
  return new DataGate({
    read: async () => stored,
    migrate: (_stored, { forced, report }) =>
      new Promise((resolve, reject) => {
        migrations.push({
          forced,
          report,
          end: (error) => (error === undefined ? resolve() : reject(error)),
        });
      }),
    version: "0.2.0",
    report: (error) => reported.push(error),
    ...patch,
  });
}

const state = (promise: Promise<unknown> | undefined) =>
  Promise.race([
    (promise ?? Promise.resolve()).then(
      () => "through",
      (error: Error) => error.name,
    ),
    new Promise<string>((resolve) => setTimeout(() => resolve("waits"), 20)),
  ]);

const NOW = { version: SCHEMA_VERSION, writer: "0.2.0" };
const OLD = { version: SCHEMA_VERSION - 1, writer: "0.1.0" };
const NEWER = { version: SCHEMA_VERSION + 1, writer: "0.9.0" };

describe("data in the form of this version", () => {
  it("is used at once, without a step", async () => {
    const gate = gateOn(NOW);
    expect(await state(gate.admit("scripts.list"))).toBe("through");
    expect(gate.admit("scripts.list")).toBeUndefined();
    expect(await state(gate.opened)).toBe("through");
    expect(migrations).toHaveLength(0);
    expect(gate.migrated).toBe(false);
  });

  it("whose steps were cut off is brought to its end first", async () => {
    const gate = gateOn({ ...NOW, pending: { from: 1, done: [], attempts: 1 } });
    expect(await state(gate.admit("scripts.list"))).toBe("waits");
    migrations[0]?.end();
    expect(await state(gate.admit("scripts.list"))).toBe("through");
  });
});

describe("data in an older form", () => {
  it.each([OLD, undefined])("is waited for, but not by calls that need none (%j)", async (stored) => {
    const gate = gateOn(stored);
    const waiting = gate.admit("scripts.list");
    expect(await state(waiting)).toBe("waits");
    expect(await state(gate.opened)).toBe("waits");
    for (const method of ["data.state", "data.retry", "settings.status", "settings.openDetails"])
      expect(gate.admit(method), method).toBeUndefined();
    migrations[0]?.report(1, 3);
    expect(gate.state).toEqual({ kind: "updating", done: 1, steps: 3 });
    migrations[0]?.end();
    expect(await state(waiting)).toBe("through");
    expect(await state(gate.opened)).toBe("through");
    expect(gate.migrated).toBe(true);
  });

  it("whose step fails refuses calls by name until a retry goes well", async () => {
    const gate = gateOn(OLD);
    const states: DataState[] = [];
    const abort = new AbortController();
    const follow = (async () => {
      const caller = { kind: "page" } as never;
      for await (const item of gate.handlers().state({}, { caller, signal: abort.signal })) states.push(item);
    })();
    await expect.poll(() => migrations.length).toBe(1);
    migrations[0]?.end(migrationError("the disk is full."));
    expect(await state(gate.admit("scripts.list"))).toBe("MigrationError");
    expect(gate.state).toMatchObject({ kind: "failed", why: expect.stringContaining("the disk is full") });
    // What only the database waits for goes on waiting: it can still come to a good end.
    expect(await state(gate.opened)).toBe("waits");
    expect(reported).toHaveLength(1);

    const retried = gate.retry();
    await expect.poll(() => migrations.length).toBe(2);
    expect(migrations[1]?.forced).toBe(true);
    migrations[1]?.end();
    await retried;
    expect(await state(gate.opened)).toBe("through");
    await expect.poll(() => states.at(-1)).toEqual({ kind: "ok" });
    abort.abort();
    await follow;
  });

  it("that cannot even be read is a failure to be tried again, not an empty store", async () => {
    let reads = 0;
    const gate = gateOn(undefined, {
      read: () => (reads++ === 0 ? Promise.reject(new Error("I/O error")) : Promise.resolve(NOW)),
    });
    expect(await state(gate.ready())).toBe("MigrationError");
    expect(gate.state).toMatchObject({ kind: "failed" });
    await gate.retry();
    expect(gate.admit("scripts.list")).toBeUndefined();
    expect(migrations).toHaveLength(0);
  });
});

describe("data of a newer version", () => {
  it("is refused by name, for good, without a step", async () => {
    const gate = gateOn(NEWER);
    await expect(gate.ready()).rejects.toMatchObject({
      name: "DowngradeError",
      message: expect.stringContaining("version 0.9.0"),
    });
    expect(await state(gate.admit("values.set"))).toBe("DowngradeError");
    expect(await state(gate.opened)).toBe("DowngradeError");
    expect(await state(gate.retry())).toBe("DowngradeError");
    expect(gate.state).toEqual({ kind: "newer", writer: "0.9.0", version: "0.2.0" });
    expect(migrations).toHaveLength(0);
  });

  it("that only the database shows is refused, too, and explains what failed", async () => {
    const gate = gateOn(NOW);
    await gate.ready();
    const other = new Error("other");
    expect(gate.explain(other)).toBe(other);
    expect(gate.foundNewer().name).toBe("DowngradeError");
    expect(await state(gate.admit("scripts.list"))).toBe("DowngradeError");
    expect(gate.explain(other)).toMatchObject({ name: "DowngradeError" });
  });
});

describe("storage behind the gate", () => {
  function storageOn(stored: unknown, items: Record<string, unknown>) {
    const gate = gateOn(stored);
    const log: string[] = [];
    const inner = areaStorage(() => ({
      get: async (key) => {
        log.push(`get ${key}`);
        return key in items ? { [key]: items[key] } : {};
      },
      set: async (more) => {
        log.push(`set ${Object.keys(more)}`);
        Object.assign(items, more);
      },
      remove: async (key) => {
        log.push(`remove ${key}`);
        delete items[key];
      },
    }));
    return { gate, log, storage: gatedStorage(inner, gate) };
  }

  it("reads beside the check, once", async () => {
    const { storage, log } = storageOn(NOW, { a: 1 });
    const reading = storage.get("a");
    expect(log).toEqual(["get a"]);
    expect(await reading).toBe(1);
    expect(log).toEqual(["get a"]);
  });

  it("gives what a step made of it, not what was there before", async () => {
    const items: Record<string, unknown> = { a: "old" };
    const { storage } = storageOn(OLD, items);
    const reading = storage.get("a");
    const writing = storage.set("b", 1);
    expect(await state(reading)).toBe("waits");
    expect(items).toEqual({ a: "old" });
    items.a = "new";
    migrations[0]?.end();
    expect(await reading).toBe("new");
    await writing;
    expect(items).toEqual({ a: "new", b: 1 });
  });

  it("writes and removes nothing of a newer version, and gives nothing of it away", async () => {
    const { storage, log } = storageOn(NEWER, { a: 1 });
    for (const act of [storage.set("a", 2), storage.remove("a"), storage.get("a")])
      await expect(act).rejects.toMatchObject({ name: "DowngradeError" });
    expect(log).toEqual(["get a"]);
  });

  it("writes nothing any more once the database turned out to be newer", async () => {
    const { gate, storage, log } = storageOn(NOW, { a: 1 });
    await gate.ready();
    gate.foundNewer();
    await expect(storage.set("a", 2)).rejects.toMatchObject({ name: "DowngradeError" });
    await expect(storage.remove("a")).rejects.toMatchObject({ name: "DowngradeError" });
    expect(log).toEqual([]);
  });

  it("waits while steps have failed, and goes on when they went well after all", async () => {
    const { gate, storage } = storageOn(OLD, { a: 1 });
    const acts = Promise.all([storage.get("a"), storage.set("b", 2)]);
    await expect.poll(() => migrations.length).toBe(1);
    migrations[0]?.end(migrationError("the disk is full."));
    expect(await state(gate.ready())).toBe("MigrationError");
    expect(await state(acts)).toBe("waits");
    const retried = gate.retry();
    await expect.poll(() => migrations.length).toBe(2);
    migrations[1]?.end();
    await retried;
    expect(await acts).toEqual([1, undefined]);
  });
});
