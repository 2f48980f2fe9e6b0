import { FakeDisk, type Fault, quotaError, type Step } from "@tests/fixtures/files/fake-opfs";
import { describe, expect, it } from "vitest";
import { createFileStore, type FileStore } from "@/files/store/serve";
import type { FilePlace } from "@/files/types";

let ids = 0;
const at = (path: string): FilePlace => ({ area: "workspace", path });
const bytes = (text: string) => new TextEncoder().encode(text);
const settle = () => new Promise((resolve) => setImmediate(resolve));

function open(
  disk = new FakeDisk(),
  fault?: (step: Step) => Fault | undefined,
): FileStore & { disk: FakeDisk } {
  return { disk, ...createFileStore({ files: disk.boot(fault), id: () => `id${ids++}` }) };
}

async function text(store: FileStore, path: string): Promise<string> {
  return (await store.reads.read(at(path))).text();
}

describe("a file", () => {
  it("is written with its folders, read, replaced, and leaves nothing behind", async () => {
    const { disk, changes, ...store } = open();
    expect(await changes.write(at("a/b/c.txt"), bytes("one"))).toEqual({ path: "a/b/c.txt", size: 3 });
    expect(await changes.write(at("a/b/c.txt"), new Blob(["longer ", "than before"]))).toMatchObject({
      size: 18,
    });
    expect(await text({ changes, ...store }, "a/b/c.txt")).toBe("longer than before");
    expect(disk.hidden()).toEqual([]);
  });

  it("has one spelling of its name", async () => {
    const { changes, reads } = open();
    await changes.write(at("cafe\u0301"), bytes("x"));
    expect(await (await reads.read(at("caf\u00e9"))).text()).toBe("x");
  });

  it("gives a Blob that later changes do not touch", async () => {
    const { changes, reads } = open();
    await changes.write(at("f"), bytes("old"));
    const blob = await reads.read(at("f"));
    await changes.write(at("f"), bytes("new"));
    await changes.delete(at("f"));
    expect(await blob.text()).toBe("old");
  });

  it("is read in parts, which end where it ends and never mix two contents", async () => {
    const { changes, reads } = open();
    await changes.write(at("f"), bytes("0123456789"));
    const first = await reads.range(at("f"), 2, 3);
    expect(new TextDecoder().decode(first.bytes)).toBe("234");
    expect((await reads.range(at("f"), 8, 5, first.version)).bytes).toHaveLength(2);
    expect((await reads.range(at("f"), 99, 5, first.version)).bytes).toHaveLength(0);
    await changes.write(at("other"), bytes("x"));
    await reads.range(at("f"), 0, 1, first.version);
    for (const change of [
      () => changes.write(at("f"), bytes("abcdefghij")),
      () => changes.append(at("f"), bytes("!")),
      () => changes.move(at("other"), at("f"), true),
    ]) {
      const { version } = await reads.range(at("f"), 0, 1);
      await change();
      await expect(reads.range(at("f"), 5, 3, version)).rejects.toMatchObject({ name: "FileChangedError" });
    }
  });

  it("stays open between parts, and is closed for whoever changes it, or when others are read", async () => {
    let opened = 0;
    const { changes, reads } = open(new FakeDisk(), (step) => {
      if (step === "open") opened += 1;
      return undefined;
    });
    for (let i = 0; i < 12; i++) await changes.write(at(`f${i}`), bytes(`${i}`));
    opened = 0;
    const part = async (i: number) => new TextDecoder().decode((await reads.range(at(`f${i}`), 0, 9)).bytes);
    for (let i = 0; i < 5; i++) expect(await part(0)).toBe("0");
    expect(opened).toBe(1);
    const all = Array.from({ length: 12 }, (_, i) => i);
    expect(await Promise.all([...all, ...all].map(part))).toEqual([...all, ...all].map(String));
    for (const i of all) await changes.append(at(`f${i}`), bytes("!"));
    expect(await Promise.all(all.map(part))).toEqual(all.map((i) => `${i}!`));
    await changes.move(at("f0"), at("g/f0"));
    await changes.move(at("g"), at("h"));
    await changes.delete(at("h"));
    await expect(part(0)).rejects.toMatchObject({ name: "NotFoundError" });
    await changes.clear();
    expect(await reads.list(at(""))).toEqual([]);
  });

  it("grows by appends, the first of which makes it", async () => {
    const { disk, changes } = open();
    await changes.append(at("log/x"), bytes("a"));
    expect(await changes.append(at("log/x"), new Blob(["bc"]))).toEqual({ path: "log/x", size: 3 });
    expect(disk.texts()).toEqual({ "workspace/log/x": "abc" });
    expect(disk.hidden()).toEqual([]);
  });
});

describe("folders", () => {
  it("are listed with sizes, moved and deleted with all that is in them", async () => {
    const { disk, changes, reads } = open();
    expect(await reads.list(at(""))).toEqual([]);
    await changes.write(at("b/x"), bytes("1"));
    await changes.write(at("b/in/y"), bytes("22"));
    await changes.write(at("a"), bytes("333"));
    expect(await reads.list(at(""))).toMatchObject([
      { path: "a", type: "file", size: 3 },
      { path: "b", type: "directory", size: 0 },
    ]);
    expect(await reads.list(at("b"))).toMatchObject([{ path: "b/in" }, { path: "b/x", size: 1 }]);
    await changes.move(at("b"), at("moved/here"));
    expect(disk.texts()).toEqual({
      "workspace/a": "333",
      "workspace/moved/here/x": "1",
      "workspace/moved/here/in/y": "22",
    });
    expect(await reads.list(at(""))).toHaveLength(2);
    await changes.delete(at("moved"));
    expect(disk.texts()).toEqual({ "workspace/a": "333" });
    expect(disk.hidden()).toEqual([]);
  });

  it("count their use by area", async () => {
    const { changes, reads } = open();
    await changes.write(at("a/b"), bytes("12345"));
    await changes.write({ area: "attachments", path: "id" }, bytes("12"));
    const { areas, usedBytes } = await reads.usage();
    expect(areas.find(({ area }) => area === "workspace")).toEqual({ area: "workspace", files: 1, bytes: 5 });
    expect(areas.find(({ area }) => area === "attachments")).toMatchObject({ files: 1, bytes: 2 });
    expect(areas.find(({ area }) => area === "skills")).toMatchObject({ files: 0, bytes: 0 });
    expect(usedBytes).toBe(7);
    await changes.clear();
    expect((await reads.usage()).usedBytes).toBe(0);
  });
});

describe("errors", () => {
  it.each<[string, string, (store: FileStore) => Promise<unknown>]>([
    ["reading nothing", "NotFoundError", ({ reads }) => reads.read(at("no/such"))],
    ["reading a folder", "IsADirectoryError", ({ reads }) => reads.read(at("dir"))],
    ["below a file", "NotADirectoryError", ({ reads }) => reads.read(at("file/x"))],
    ["writing over a folder", "IsADirectoryError", ({ changes }) => changes.write(at("dir"), bytes(""))],
    ["writing below a file", "NotADirectoryError", ({ changes }) => changes.write(at("file/x"), bytes(""))],
    ["writing the area", "InvalidPathError", ({ changes }) => changes.write(at(""), bytes(""))],
    ["appending to a folder", "IsADirectoryError", ({ changes }) => changes.append(at("dir"), bytes(""))],
    ["listing nothing", "NotFoundError", ({ reads }) => reads.list(at("none"))],
    ["listing a file", "NotADirectoryError", ({ reads }) => reads.list(at("file"))],
    ["moving nothing", "NotFoundError", ({ changes }) => changes.move(at("none"), at("x"))],
    ["moving over a file", "AlreadyExistsError", ({ changes }) => changes.move(at("dir/y"), at("file"))],
    [
      "moving a folder over a file",
      "AlreadyExistsError",
      ({ changes }) => changes.move(at("dir"), at("file"), true),
    ],
    [
      "moving a folder into itself",
      "InvalidPathError",
      ({ changes }) => changes.move(at("dir"), at("dir/in")),
    ],
    ["deleting nothing", "NotFoundError", ({ changes }) => changes.delete(at("none"))],
    ["a way out", "InvalidPathError", ({ reads }) => reads.read(at("../attachments/x"))],
    ["the hidden folder", "InvalidPathError", ({ reads }) => reads.list(at("../.moggy"))],
  ])("%s: %s", async (_what, name, run) => {
    const store = open();
    await store.changes.write(at("file"), bytes("f"));
    await store.changes.write(at("dir/y"), bytes("y"));
    await expect(run(store)).rejects.toMatchObject({ name });
    expect(store.disk.texts()).toEqual({ "workspace/file": "f", "workspace/dir/y": "y" });
    expect(store.disk.hidden()).toEqual([]);
  });

  it("tell a full quota from a full disk, and say how full", async () => {
    const disk = new FakeDisk();
    disk.quota = 1_300_000;
    const store = open(disk, (step) => (step === "write" ? quotaError() : undefined));
    await expect(store.changes.write(at("f"), bytes("x"))).rejects.toMatchObject({
      name: "DiskFullError",
      message: expect.stringContaining("no room left"),
    });
    disk.quota = 1_200_000;
    await expect(store.changes.write(at("f"), new Blob([new Uint8Array(1_500_000)]))).rejects.toMatchObject({
      name: "QuotaExceededError",
      message: expect.stringMatching(/“f” was not written: \S+ (bytes|kB|MB) of the 1.2 MB/),
      data: { quota: 1_200_000 },
    });
    // Others have filled the disk, and the browser gives less than it did.
    disk.quota = 500_000;
    await expect(store.changes.write(at("f"), new Blob([new Uint8Array(600_000)]))).rejects.toMatchObject({
      name: "DiskFullError",
    });
    expect(disk.hidden()).toEqual([]);
  });

  it("know a disk without a byte left by whatever the browser throws then", async () => {
    const disk = new FakeDisk();
    let thrown: DOMException | undefined;
    const store = open(disk, (step) => (step === "open" ? thrown : undefined));
    await store.changes.write(at("f"), bytes("x"));
    thrown = new DOMException("The state had changed since it was read from disk.", "InvalidStateError");
    await expect(store.changes.write(at("f"), bytes("y"))).rejects.toMatchObject({
      name: "StoreUnavailableError",
      message: expect.stringContaining("The state had changed"),
    });
    disk.quota = disk.used();
    await expect(store.changes.write(at("f"), bytes("y"))).rejects.toMatchObject({ name: "DiskFullError" });
    expect(disk.texts()).toEqual({ "workspace/f": "x" });
  });

  it("of a source that breaks off change nothing", async () => {
    const { disk, changes } = open();
    await changes.write(at("f"), bytes("old"));
    const broken = new Blob(["new"]);
    broken.stream = () =>
      new ReadableStream({
        pull(controller) {
          controller.enqueue(bytes("ne"));
          controller.error(new Error("The tab was closed."));
        },
      });
    const failed = { name: "NotReadableError", message: expect.stringContaining("The tab was closed.") };
    await expect(changes.write(at("f"), broken)).rejects.toMatchObject(failed);
    await expect(changes.append(at("f"), broken)).rejects.toMatchObject(failed);
    expect(disk.texts()).toEqual({ "workspace/f": "old" });
    expect(disk.hidden()).toEqual([]);
  });
});

describe("writers of one path", () => {
  it("come one after the other, in the order of asking; readers see one content or the other", async () => {
    const { changes, reads } = open();
    await changes.write(at("f"), bytes("0"));
    const writes = ["1", "22", "333"].map((content) =>
      content === "1" ? changes.write(at("f"), slowly(content)) : changes.write(at("f"), bytes(content)),
    );
    const seen = new Set<string>();
    let done = false;
    const reading = (async () => {
      while (!done) {
        seen.add(await (await reads.read(at("f"))).text());
        await settle();
      }
    })();
    await Promise.all(writes);
    done = true;
    await reading;
    expect(await (await reads.read(at("f"))).text()).toBe("333");
    for (const content of seen) expect(["0", "1", "22", "333"]).toContain(content);
  });

  it("do not hold up other paths", async () => {
    const { changes } = open();
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const slow = changes.write(at("slow"), slowly("x", held));
    await changes.write(at("other"), bytes("y"));
    await changes.append(at("other"), bytes("z"));
    letGo();
    await slow;
  });

  it("of a file and of something below it have their turns, too: what is asked for first is there first", async () => {
    const { disk, changes } = open();
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const below = changes.write(at("a/b"), slowly("x", held));
    const above = changes.write(at("a"), bytes("y")).catch((error: Error) => error.name);
    for (let i = 0; i < 20; i++) await settle();
    letGo();
    await below;
    expect(await above).toBe("IsADirectoryError");
    expect(disk.texts()).toEqual({ "workspace/a/b": "x" });
  });

  it("of a folder that is deleted meanwhile wait for their turn", async () => {
    const { disk, changes } = open();
    await changes.write(at("d/old"), bytes("o"));
    const deleting = changes.delete(at("d"));
    const writing = changes.write(at("d/new"), bytes("n"));
    await Promise.all([deleting, writing]);
    expect(disk.texts()).toEqual({ "workspace/d/new": "n" });
  });
});

it("a deep tree is moved by steps in proportion to its depth", async () => {
  let steps = 0;
  const { disk, changes } = open(new FakeDisk(), () => {
    steps += 1;
    return undefined;
  });
  const depth = 200;
  const deep = Array.from({ length: depth }, () => "d").join("/");
  await changes.write(at(`${deep}/f`), bytes("x"));
  steps = 0;
  await changes.move(at("d"), at("e"));
  expect(disk.texts()).toEqual({ [`workspace/e${deep.slice(1)}/f`]: "x" });
  expect(steps).toBeLessThan(depth * 10);
});

/** Content whose bytes come one by one, after `ready`. */
function slowly(content: string, ready: Promise<void> = Promise.resolve()): Blob {
  const blob = new Blob([content]);
  blob.stream = () =>
    new ReadableStream({
      async start(controller) {
        await ready;
        for (const char of content) {
          await settle();
          controller.enqueue(bytes(char));
        }
        controller.close();
      },
    });
  return blob;
}

describe("a write in parts", () => {
  const place = at("big");
  const ctx = {} as never;

  it("is there when it is committed, and not before", async () => {
    const { disk, handlers } = open();
    await handlers.begin({ op: "w", place }, ctx);
    expect(await handlers.part({ op: "w", offset: 0, content: bytes("ab") }, ctx)).toEqual({ size: 2 });
    expect(await handlers.part({ op: "w", offset: 2, content: new Blob(["cd"]) }, ctx)).toEqual({ size: 4 });
    expect(disk.texts()).toEqual({});
    expect(await handlers.commit({ op: "w" }, ctx)).toEqual({ path: "big", size: 4 });
    expect(disk.texts()).toEqual({ "workspace/big": "abcd" });
    expect(disk.hidden()).toEqual([]);
  });

  it("takes each call once, however often it is sent", async () => {
    const { disk, handlers } = open();
    const twice = async <T>(send: () => T | Promise<T>) => [await send(), await send()];
    await twice(() => handlers.begin({ op: "w", place }, ctx));
    await twice(() => handlers.part({ op: "w", offset: 0, content: bytes("ab") }, ctx));
    await twice(() => handlers.part({ op: "w", offset: 2, content: bytes("c") }, ctx));
    const [a, b] = await twice(() => handlers.commit({ op: "w" }, ctx));
    expect(a).toEqual(b);
    await twice(() => handlers.append({ op: "x", place, content: bytes("d") }, ctx));
    expect(disk.texts()).toEqual({ "workspace/big": "abcd" });
  });

  it("ends by name when it is not there, out of order, or given up", async () => {
    const { disk, handlers } = open();
    await expect(async () =>
      handlers.part({ op: "no", offset: 0, content: bytes("x") }, ctx),
    ).rejects.toMatchObject({
      name: "WriteLostError",
    });
    await handlers.begin({ op: "w", place }, ctx);
    await expect(async () =>
      handlers.part({ op: "w", offset: 5, content: bytes("x") }, ctx),
    ).rejects.toMatchObject({
      name: "WriteOrderError",
    });
    await expect(async () => handlers.commit({ op: "w" }, ctx)).rejects.toMatchObject({
      name: "WriteLostError",
    });
    await handlers.begin({ op: "v", place }, ctx);
    await handlers.abort({ op: "v" }, ctx);
    await handlers.abort({ op: "v" }, ctx);
    expect([...disk.files()]).toEqual([]);
  });
});
