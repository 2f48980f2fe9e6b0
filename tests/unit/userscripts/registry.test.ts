import "fake-indexeddb/auto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MoggyDatabase } from "@/platform/db";
import { parseUserscript, type ScriptMetadata } from "@/userscripts/metadata";
import { ScriptRegistry } from "@/userscripts/registry";

function metadataOf(name: string): ScriptMetadata {
  const { metadata } = parseUserscript(
    `// ==UserScript==\n// @name ${name}\n// @match https://a.test/*\n// ==/UserScript==\n`,
  );
  if (!metadata) throw new Error("The test's header is wrong.");
  return metadata;
}

let db: MoggyDatabase;
let registry: ScriptRegistry;
let names = 0;

beforeEach(() => {
  db = new MoggyDatabase(`registry-${++names}`);
  registry = new ScriptRegistry(db, () => 1000);
});

const install = (name: string, code = name) => registry.install({ code, metadata: metadataOf(name) });

describe("changes that are asked for at once", () => {
  it("install one script when two windows install the same", async () => {
    const [first, second] = await Promise.all([install("Same", "one"), install("Same", "two")]);
    expect(second.uuid).toBe(first.uuid);
    expect(await registry.list()).toHaveLength(1);
    expect(await registry.code(first.uuid)).toBe("two");
  });

  it("give each new script a place of its own", async () => {
    await Promise.all(["A", "B", "C"].map((name) => install(name)));
    expect((await registry.list()).map(({ position }) => position)).toEqual([1, 2, 3]);
  });

  it("do not undo each other", async () => {
    const { uuid } = await install("A", "old");
    await Promise.all([
      registry.update(uuid, { enabled: false }),
      install("A", "new"),
      registry.update(uuid, { overrides: { runAt: "document-end" } }),
    ]);
    expect(await registry.get(uuid)).toMatchObject({ enabled: false, overrides: { runAt: "document-end" } });
    expect(await registry.code(uuid)).toBe("new");
  });
});

describe("the bin", () => {
  it("gives a script back as it was, until it is emptied", async () => {
    const { uuid } = await install("A");
    await registry.remove(uuid);
    expect(await registry.list()).toEqual([]);
    await registry.restore(uuid);
    expect((await registry.list()).map((head) => head.uuid)).toEqual([uuid]);
    await registry.remove(uuid);
    await registry.emptyBin(async () => undefined);
    await expect(registry.restore(uuid)).rejects.toMatchObject({ name: "NotFoundError" });
    expect(await registry.code(uuid)).toBe("");
  });

  it("keeps a script whose other data could not be deleted, for the next time", async () => {
    const { uuid } = await install("A");
    await registry.remove(uuid);
    const failing = () => Promise.reject(new Error("the disk"));
    await expect(registry.emptyBin(failing)).rejects.toThrow("the disk");
    const deleted: string[] = [];
    await new ScriptRegistry(db, () => 2000).emptyBin(async (gone) => void deleted.push(gone));
    expect(deleted).toEqual([uuid]);
    expect(await db.scripts.count()).toBe(0);
  });

  it("leaves installed scripts alone", async () => {
    const { uuid } = await install("A");
    const deleteRest = vi.fn(async () => undefined);
    await registry.emptyBin(deleteRest);
    expect(deleteRest).not.toHaveBeenCalled();
    expect(await registry.get(uuid)).toBeDefined();
  });
});

it("reads again after a reading that failed", async () => {
  await install("A");
  const fresh = new ScriptRegistry(db, () => 1000);
  vi.spyOn(db.scripts, "toArray").mockRejectedValueOnce(new Error("the disk"));
  await expect(fresh.list()).rejects.toThrow("the disk");
  expect(await fresh.list()).toHaveLength(1);
});
