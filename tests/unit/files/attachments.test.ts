import "fake-indexeddb/auto";
import { inProcessFiles, nextId } from "@tests/fixtures/files/in-process";
import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { AttachmentService, GRACE_MS, releaseOwners } from "@/files/attachments";
import { MoggyDatabase } from "@/platform/db";

const META = { name: "photo.png", mimeType: "image/png", type: "image" } as const;
const CHAT = "conversation:script/chat";

let now: number;
let made = 0;
let db: MoggyDatabase;
let fake: ReturnType<typeof inProcessFiles>;
let attachments: AttachmentService;

beforeEach(() => {
  now = 1e12;
  db = new MoggyDatabase(`attachments-${made++}`);
  fake = inProcessFiles();
  // The disk's clock and this one are one.
  Object.defineProperty(fake.disk, "clock", { get: () => now, set: () => undefined });
  attachments = new AttachmentService({ db, files: fake.files, now: () => now, id: nextId });
});

const stored = () => [...fake.disk.files()].map(([path]) => path);

it("keeps an attachment with what it is, for as long as somebody needs it", async () => {
  const id = await attachments.put(new Blob(["bytes"]), META, CHAT);
  const { row, data } = await attachments.read(id);
  expect(row).toEqual({ id, ...META, size: 5, createdAt: now });
  expect([await data.text(), data.type]).toEqual(["bytes", "image/png"]);
  expect(await attachments.owners(id)).toEqual([CHAT]);
  now += 10 * GRACE_MS;
  expect(await attachments.anyUnused()).toBe(false);
  expect(await attachments.collect()).toEqual({ attachments: 0, entries: 0, bytes: 0 });
  expect(stored()).toEqual([`attachments/${id}`]);
});

it("deletes one that nobody needs any more, after an hour of grace", async () => {
  const id = await attachments.put(new Blob(["bytes"]), META, CHAT);
  await attachments.addRef(id, "conversation:other/chat");
  now += 10 * GRACE_MS;
  await attachments.removeRef(id, CHAT);
  await attachments.removeRef(id, "conversation:other/chat");
  now += GRACE_MS - 1;
  expect(await attachments.anyUnused()).toBe(false);
  await attachments.collect();
  expect(stored()).toHaveLength(1);
  now += 1;
  expect(await attachments.anyUnused()).toBe(true);
  expect(await attachments.collect()).toEqual({ attachments: 1, entries: 0, bytes: 5 });
  expect([stored(), await db.attachments.count(), await db.attachmentRefs.count()]).toEqual([[], 0, 0]);
  await expect(attachments.read(id)).rejects.toMatchObject({ name: "NotFoundError" });
  await expect(attachments.addRef(id, CHAT)).rejects.toMatchObject({ name: "NotFoundError" });
});

it("keeps one that somebody takes up again within the grace", async () => {
  const id = await attachments.put(new Blob(["bytes"]), META);
  now += GRACE_MS - 1;
  await attachments.addRef(id, CHAT);
  now += GRACE_MS;
  await attachments.collect();
  expect(stored()).toHaveLength(1);
});

it("deletes files without a row and rows without a file, but not those of a put under way", async () => {
  await fake.files.write({ area: "attachments", path: "orphan" }, "12345678");
  await db.attachments.add({ id: "lost", ...META, size: 3, createdAt: now });
  await db.attachmentRefs.add({ attachment: "lost", owner: CHAT });
  await attachments.collect();
  expect(stored()).toHaveLength(1);
  expect(await db.attachments.count()).toBe(1);
  now += GRACE_MS;
  expect(await attachments.collect()).toEqual({ attachments: 1, entries: 1, bytes: 8 });
  expect([stored(), await db.attachments.count(), await db.attachmentRefs.count()]).toEqual([[], 0, 0]);
});

it("ends at the same state wherever puts, releases and clean-ups are cut off", async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("put" as const), owner: fc.option(fc.constantFrom("a/1", "a/2", "b/1")) }),
    fc.record({ do: fc.constant("release" as const), owner: fc.constantFrom("a/", "a/1", "b/") }),
    fc.record({ do: fc.constant("collect" as const) }),
    fc.record({ do: fc.constant("wait" as const), hours: fc.constantFrom(0.5, 1, 2) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 12 }), async (steps) => {
      await Promise.all([db.attachments.clear(), db.attachmentRefs.clear(), fake.files.clear()]);
      for (const [each, isCut] of steps) {
        if (each.do === "wait") now += each.hours * GRACE_MS;
        else if (each.do === "release") {
          await db.transaction("rw", db.attachments, db.attachmentRefs, () =>
            releaseOwners(db, each.owner, now),
          );
        } else {
          const work =
            each.do === "put"
              ? attachments.put(new Blob(["x"]), META, each.owner ?? undefined)
              : attachments.collect();
          // The connection breaks under way: part of the work may be done.
          if (isCut) queueMicrotask(() => fake.endStore());
          await work.catch((error: Error) => expect(error.name).toMatch(/Disconnected|NotFound/));
        }
      }
      now += GRACE_MS;
      await attachments.collect();
      const ids = await db.attachments.toCollection().primaryKeys();
      const needed = new Set((await db.attachmentRefs.toArray()).map(({ attachment }) => attachment));
      expect([...needed].sort()).toEqual(ids.sort());
      expect(stored().sort()).toEqual(ids.map((id) => `attachments/${id}`).sort());
    }),
    { numRuns: 60 },
  );
});
