import "fake-indexeddb/auto";
import { inProcessFiles, nextId } from "@tests/fixtures/files/in-process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AttachmentService } from "@/files/attachments";
import { decodeDataUrl } from "@/files/data-url";
import { scriptFileHandlers } from "@/files/script-handlers";
import { MoggyDatabase } from "@/platform/db";
import { type CallContext, NOWHERE } from "@/rpc/caller";

function setUp() {
  const { files, disk } = inProcessFiles();
  const db = new MoggyDatabase(`opfs-${nextId()}`);
  const attachments = new AttachmentService({ db, files, now: Date.now, id: nextId });
  return { disk, files, attachments, opfs: scriptFileHandlers(files, attachments) };
}

function caller(uuid: string): CallContext {
  return {
    caller: { ...NOWHERE, kind: "script", uuid, name: uuid, grants: new Set(["CAT.agent.opfs"]) },
    signal: new AbortController().signal,
  };
}
const ctx = caller("one");

describe("CAT.agent.opfs in the worker", () => {
  it("writes text, Blobs and what a data: URL holds, and reads text and Blobs", async () => {
    const { opfs, disk } = setUp();
    expect(await opfs.write({ op: "1", path: "a.md", content: "# Hé" }, ctx)).toEqual({
      path: "a.md",
      size: 5,
    });
    await opfs.write({ op: "2", path: "b.bin", content: new Blob(["blob"]) }, ctx);
    await opfs.write({ op: "3", path: "c.txt", content: "data:text/plain;base64,aGk=" }, ctx);
    await opfs.write({ op: "4", path: "d.txt", content: new Blob(["data:,long%20text"]), isText: true }, ctx);
    await opfs.write({ op: "5", path: "e.txt", content: "data: not an address" }, ctx);
    expect(disk.texts()).toEqual({
      "workspace/a.md": "# Hé",
      "workspace/b.bin": "blob",
      "workspace/c.txt": "hi",
      "workspace/d.txt": "long text",
      "workspace/e.txt": "data: not an address",
    });
    expect(await opfs.read({ path: "a.md", as: "text" }, ctx)).toEqual({
      path: "a.md",
      content: "# Hé",
      size: 5,
      mimeType: "text/markdown",
    });
    const { data, ...rest } = await opfs.read({ path: "b.bin", as: "blob" }, ctx);
    expect([await data?.text(), rest]).toEqual(["blob", { path: "b.bin", size: 4, mimeType: undefined }]);
    expect(await opfs.list({ path: "" }, ctx)).toContainEqual({ name: "a.md", type: "file", size: 5 });
    expect(await opfs.delete({ op: "6", path: "a.md" }, ctx)).toEqual({ success: true });
    await expect(opfs.read({ path: "a.md", as: "text" }, ctx)).rejects.toMatchObject({
      name: "NotFoundError",
    });
  });

  it("refuses more than a script may write at once, in words", async () => {
    const { opfs, disk } = setUp();
    const huge = new Blob(["x"]);
    Object.defineProperty(huge, "size", { value: 600 * 1024 * 1024 });
    await expect(opfs.write({ op: "1", path: "a", content: huge }, ctx)).rejects.toMatchObject({
      name: "TooLargeError",
      message:
        "“a” was not written: a script can write 537 MB at once, and this is 629 MB. Write it as several files.",
    });
    expect(disk.texts()).toEqual({});
  });

  it("keeps changes of two scripts apart that they named alike", async () => {
    const { opfs, disk } = setUp();
    await opfs.write({ op: "1", path: "f", content: "one" }, caller("one"));
    await opfs.write({ op: "1", path: "f", content: "two" }, caller("two"));
    expect(disk.texts()).toEqual({ "workspace/f": "two" });
  });

  it("gives a script attachments of its own conversations only", async () => {
    const { opfs, attachments } = setUp();
    const meta = { name: "x", mimeType: "text/plain", type: "file" } as const;
    const id = await attachments.put(new Blob(["mine"]), meta, "conversation:one/chat");
    const { data, ...rest } = await opfs.readAttachment({ id }, ctx);
    expect([await data.text(), rest]).toEqual(["mine", { id, size: 4, mimeType: "text/plain" }]);
    for (const other of ["two", "on", "one-more"]) {
      await expect(async () => opfs.readAttachment({ id }, caller(other))).rejects.toMatchObject({
        name: "NotFoundError",
        message: expect.stringContaining("No conversation of this script"),
      });
    }
  });
});

describe("decodeDataUrl", () => {
  it.each([
    ["data:,a%20b", "a b"],
    ["data:text/plain;charset=utf-8,%C3%A9", "é"],
    ["data:;base64,aGk%3D", "hi"],
    ["DATA:image/svg+xml;base64,PHN2Zy8+", "<svg/>"],
    ["data:,100%", "100%"],
  ])("%s", (url, text) => expect(new TextDecoder().decode(decodeDataUrl(url) ?? undefined)).toBe(text));

  it.each(["data", "data: hello, world", "database,x", "xdata:,y", ""])("is not %j", (text) =>
    expect(decodeDataUrl(text)).toBeNull(),
  );

  it("refuses broken base64 by name", () => {
    expect(() => decodeDataUrl("data:;base64,a")).toThrow(
      expect.objectContaining({ name: "InvalidDataUrlError" }),
    );
  });

  it("gives back any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const base64 = Buffer.from(bytes).toString("base64");
        expect(decodeDataUrl(`data:application/octet-stream;base64,${base64}`)).toEqual(
          new Uint8Array(bytes),
        );
      }),
    );
  });
});
