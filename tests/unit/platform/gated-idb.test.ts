import "fake-indexeddb/auto";
import Dexie from "dexie";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, it } from "vitest";
import { MoggyDatabase } from "@/platform/db";
import { gatedIndexedDb } from "@/platform/gated-idb";
import { NamedError } from "@/rpc/errors";

let factory: globalThis.IDBFactory;
let open: () => void;
let refuse: (error: Error) => void;
let opened: Promise<void>;
let newer: number;

beforeEach(() => {
  factory = new IDBFactory() as unknown as globalThis.IDBFactory;
  newer = 0;
  opened = new Promise<void>((resolve, reject) => {
    open = resolve;
    refuse = reject;
  });
});

const gated = () =>
  new MoggyDatabase(
    "moggy",
    gatedIndexedDb(factory, opened, () => {
      newer += 1;
      return new NamedError("DowngradeError", "too new");
    }),
  );

const row = { store: "s", key: "k", value: "1", revision: 1 };

it("opens and makes nothing before it may, then everything that waited goes on", async () => {
  const db = gated();
  const both = Promise.all([db.values.put(row), db.values.count()]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await factory.databases()).toEqual([]);
  open();
  await both;
  expect(await db.values.toArray()).toEqual([row]);
  db.close();
});

it("works as ever once it is open, also when it is opened again", async () => {
  open();
  await opened;
  const db = gated();
  await db.values.put(row);
  db.close({ disableAutoOpen: false });
  expect(await db.values.toArray()).toEqual([row]);
  db.close();
  const transactional = gated();
  await transactional.transaction("rw", transactional.values, async () => {
    await transactional.values.update(["s", "k"], { value: "2" });
  });
  expect((await transactional.values.get(["s", "k"]))?.value).toBe("2");
  transactional.close();
});

it("makes each query fail when it is refused, and none hang", async () => {
  const db = gated();
  const before = db.values.count();
  refuse(new NamedError("DowngradeError", "not this data"));
  await expect(before).rejects.toThrow("not this data");
  await expect(db.values.put(row)).rejects.toThrow("not this data");
  expect(await factory.databases()).toEqual([]);
});

it("leaves a database of a newer version as it is, which Dexie alone would change", async () => {
  const later = async (name: string) => {
    // As a later version of the product might have it: a table less, another more.
    const db = new Dexie(name, { indexedDB: factory });
    db.version(7).stores({ values: "[store+key]", plans: "id" });
    await db.table("values").put(row);
    db.close();
  };
  const look = async (name: string) => {
    const { version } = (await factory.databases()).find((one) => one.name === name) ?? {};
    return { version };
  };
  await later("moggy");
  await later("unguarded");
  open();
  const db = gated();
  await expect(db.values.put({ ...row, value: "2" })).rejects.toThrow("too new");
  await expect(db.scripts.count()).rejects.toThrow("too new");
  expect(newer).toBe(1);
  expect(await look("moggy")).toEqual({ version: 70 });

  const alone = new MoggyDatabase("unguarded", factory);
  await alone.scripts.count();
  alone.close();
  // The guard is there because of this.
  expect((await look("unguarded")).version).toBeGreaterThan(70);
});

it("mends a database that misses a table of its own version, at this start and at the next ones", async () => {
  const partial = new Dexie("moggy", { indexedDB: factory });
  partial.version(2).stores({ values: "[store+key]" });
  await partial.table("values").put(row);
  partial.close();
  open();
  for (let start = 0; start < 3; start++) {
    const db = gated();
    expect(await db.values.toArray()).toEqual([row]);
    expect(await db.scripts.count()).toBe(0);
    await db.log.clear();
    db.close();
  }
  expect(newer).toBe(0);
});

describe("what the browser opens meanwhile", () => {
  const old = async () => {
    const db = new Dexie("moggy", { indexedDB: factory });
    db.version(1).stores({ values: "[store+key]" });
    await db.table("values").put(row);
    db.close();
  };
  const versions = async () => (await factory.databases()).map(({ version }) => version);
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  it("is not brought into a newer form before it may be", async () => {
    await old();
    const db = gated();
    const reading = db.values.toArray();
    await pause(30);
    expect(await versions()).toEqual([10]);
    open();
    expect(await reading).toEqual([row]);
    expect(await versions()).toEqual([db.verno * 10]);
    db.close();
  });

  it("is let go of when it is refused, and is in nobody's way until then", async () => {
    const first = new MoggyDatabase("moggy", factory);
    await first.values.put(row);
    first.close();
    const db = gated();
    const reading = db.values.count();
    reading.catch(() => undefined);
    await pause(30);
    const next = new Dexie("moggy", { indexedDB: factory });
    next.version(50).stores({ values: "[store+key]" });
    expect(await next.table("values").count()).toBe(1);
    next.close();
    refuse(new NamedError("DowngradeError", "not this data"));
    await expect(reading).rejects.toThrow("not this data");
    const last = new Dexie("moggy", { indexedDB: factory });
    last.version(60).stores({ values: "[store+key]" });
    expect(await last.table("values").count()).toBe(1);
    last.close();
  });

  it.each([0, 1, 2, 3, 5, 8, 13, 21])(
    "comes to the same, whenever it may be used (after %i turns)",
    async (turns) => {
      for (const isOld of [true, false]) {
        factory = new IDBFactory() as unknown as globalThis.IDBFactory;
        opened = new Promise<void>((resolve) => {
          open = resolve;
        });
        if (isOld) await old();
        const db = gated();
        const writing = db.values.put({ ...row, key: "more" });
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
        open();
        await writing;
        expect(await db.values.count()).toBe(isOld ? 2 : 1);
        expect(await db.scripts.count()).toBe(0);
        db.close();
      }
    },
  );
});
