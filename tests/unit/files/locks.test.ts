import fc from "fast-check";
import { expect, it } from "vitest";
import { type Lock, LockTable } from "@/files/store/locks";

const settle = () => new Promise((resolve) => setImmediate(resolve));

it("shares among readers, and gives a writer its turn in the order of asking", async () => {
  const table = new LockTable();
  const log: string[] = [];
  const take = async (name: string, lock: Lock) => {
    const release = await table.acquire(lock);
    log.push(name);
    return release;
  };
  const first = await take("r1", { path: "a", mode: "shared" });
  const second = await take("r2", { path: "a", mode: "shared" });
  const writer = take("w", { path: "a", mode: "exclusive" });
  const late = take("r3", { path: "a", mode: "shared" });
  await settle();
  expect(log).toEqual(["r1", "r2"]);
  first();
  second();
  (await writer)();
  (await late)();
  expect(log).toEqual(["r1", "r2", "w", "r3"]);
});

it("keeps others out of a subtree, not out of its neighbours", async () => {
  const table = new LockTable();
  const release = await table.acquire({ path: "a/b", mode: "exclusive", subtree: true });
  (await table.acquire({ path: "a/bc", mode: "exclusive" }))();
  let inside = false;
  const below = table.acquire({ path: "a/b/c/d", mode: "shared" }).then((done) => {
    inside = true;
    done();
  });
  await settle();
  expect(inside).toBe(false);
  release();
  release();
  await below;
});

it("releases when the job fails", async () => {
  const table = new LockTable();
  const lock: Lock = { path: "a", mode: "exclusive" };
  await expect(table.with([lock], () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(table.with([lock], async () => 1)).resolves.toBe(1);
});

it("never has two that do not get along, and lets everybody through", async () => {
  const path = fc.constantFrom("a", "a/b", "a/b/c", "a/d", "e");
  const lock = fc.record({
    path,
    mode: fc.constantFrom<"shared" | "exclusive">("shared", "exclusive"),
    subtree: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(lock, { minLength: 1, maxLength: 2 }), { maxLength: 12 }),
      async (requests) => {
        const table = new LockTable();
        const inside = new Set<Lock[]>();
        const clash = (a: Lock, b: Lock) =>
          (a.mode === "exclusive" || b.mode === "exclusive") &&
          (a.path === b.path ||
            (a.subtree && b.path.startsWith(`${a.path}/`)) ||
            (b.subtree && a.path.startsWith(`${b.path}/`)));
        await Promise.all(
          requests.map((locks) =>
            table.with(locks, async () => {
              for (const other of inside)
                expect(other.some((a) => locks.some((b) => clash(a, b)))).toBe(false);
              inside.add(locks);
              await settle();
              inside.delete(locks);
            }),
          ),
        );
      },
    ),
    { numRuns: 60 },
  );
});
