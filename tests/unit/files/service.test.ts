import { inProcessFiles } from "@tests/fixtures/files/in-process";
import { expect, it } from "vitest";
import type { FilePlace } from "@/files/types";

const at = (path: string): FilePlace => ({ area: "workspace", path });
const bytes = (text: string) => new TextEncoder().encode(text);

async function all(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}

it("writes text, bytes, Blobs and streams, and reads them back in each form", async () => {
  const { files, disk } = inProcessFiles();
  await files.write(at("t"), "grüße");
  await files.write(at("b"), bytes("bytes"));
  await files.write(at("blob"), new Blob(["blob"]));
  const parts = ["in ", "three ", "parts"];
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const next = parts.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(bytes(next));
    },
  });
  expect(await files.write(at("s"), stream)).toEqual({ path: "s", size: 14 });
  expect(disk.texts()).toEqual({
    "workspace/t": "grüße",
    "workspace/b": "bytes",
    "workspace/blob": "blob",
    "workspace/s": "in three parts",
  });
  expect(await files.readText(at("t"))).toEqual({ text: "grüße", size: 7 });
  expect(new TextDecoder().decode(await all(files.readStream(at("s"))))).toBe("in three parts");
  await files.append(at("s"), "!");
  await files.move(at("s"), at("moved"));
  expect((await files.list(at(""))).map(({ path }) => path)).toEqual(["b", "blob", "moved", "t"]);
  await files.delete(at("moved"));
  await expect(files.stat(at("moved"))).rejects.toMatchObject({ name: "NotFoundError" });
});

it("takes from a stream no faster than it can be written", async () => {
  const { files, store } = inProcessFiles();
  const { part } = store.handlers;
  let written = 0;
  store.handlers.part = async (input, ctx) => {
    const answer = await part(input, ctx);
    written += 1;
    return answer;
  };
  let given = 0;
  let ahead = 0;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        ahead = Math.max(ahead, given - written);
        given += 1;
        if (given > 50) controller.close();
        else controller.enqueue(bytes("x".repeat(100)));
      },
    },
    { highWaterMark: 0 },
  );
  expect(await files.write(at("s"), stream)).toEqual({ path: "s", size: 5000 });
  expect(written).toBe(50);
  expect(ahead).toBe(0);
});

it("leaves the old content when a stream breaks off, and lets go of what came", async () => {
  const { files, disk } = inProcessFiles();
  await files.write(at("f"), "old");
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(bytes("new")),
    pull: (controller) => controller.error(new Error("gone")),
  });
  await expect(files.write(at("f"), stream)).rejects.toThrow("gone");
  expect(disk.texts()).toEqual({ "workspace/f": "old" });
  expect(disk.hidden()).toEqual([]);
});

it("stops a reader of parts when the file changes under it", async () => {
  const { files } = inProcessFiles();
  await files.write(at("f"), new Uint8Array(9 * 1024 * 1024));
  const reader = files.readStream(at("f")).getReader();
  await reader.read();
  await files.write(at("f"), "other");
  await expect(reader.read()).rejects.toMatchObject({ name: "FileChangedError" });
});

it("makes a call again when the store ended during it, unless that could do it twice", async () => {
  const { files, disk, endStore } = inProcessFiles();
  await files.write(at("f"), "a");
  for (const [job, name] of [
    [() => files.write(at("f"), "b"), null],
    [() => files.read(at("f")), null],
    [() => files.append(at("f"), "c"), "DisconnectedError"],
    [() => files.delete(at("other")), "DisconnectedError"],
  ] as const) {
    const call = job();
    endStore();
    if (name) await expect(call).rejects.toMatchObject({ name });
    else await call;
  }
  expect(disk.texts()).toEqual({ "workspace/f": "b" });
  const started = files.store.call("begin", { op: "w", place: at("g") });
  await started;
  endStore();
  await expect(files.store.call("commit", { op: "w" })).rejects.toMatchObject({
    name: expect.stringMatching(/WriteLostError|DisconnectedError/),
  });
  expect((await files.list(at(""))).map(({ path }) => path)).toEqual(["f"]);
});

it("makes a change once whose answer was lost on the way", async () => {
  const { files, disk, cut } = inProcessFiles();
  const op = "same";
  await files.store.call("append", { op, place: at("f"), content: bytes("x") });
  cut();
  // The client hears of it in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  await files.store.call("append", { op, place: at("f"), content: bytes("x") });
  expect(disk.texts()).toEqual({ "workspace/f": "x" });
});
