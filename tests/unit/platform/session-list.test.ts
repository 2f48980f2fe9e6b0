import { memorySession } from "@tests/fixtures/memory-session";
import { expect, it } from "vitest";
import { SessionList } from "@/platform/session-list";

it("keeps changes that were asked for while the list was first read", async () => {
  const session = memorySession();
  await session.set("list", ["stored"]);
  const list = new SessionList<string>(session, "list");
  await Promise.all(["a", "b", "c"].map((item) => list.update((items) => [...items, item])));
  expect(await list.read()).toEqual(["stored", "a", "b", "c"]);
  expect(await session.get("list")).toEqual(["stored", "a", "b", "c"]);
});

it("is read by the next worker as the last one left it, also when it became empty", async () => {
  const session = memorySession();
  const list = new SessionList<string>(session, "list");
  await list.update((items) => [...items, "a"]);
  expect(await new SessionList<string>(session, "list").read()).toEqual(["a"]);
  await list.update(() => []);
  expect(await session.get("list")).toBeUndefined();
  expect(await new SessionList<string>(session, "list").read()).toEqual([]);
});

it("writes nothing for a change that changes nothing", async () => {
  const session = memorySession();
  const list = new SessionList<string>(
    { ...session, set: () => Promise.reject(new Error("written")) },
    "list",
  );
  await list.update((items) => items);
  await expect(list.update(() => ["a"])).rejects.toThrow("written");
});

it("reads again after a reading that failed", async () => {
  const session = memorySession();
  await session.set("list", ["stored"]);
  let failures = 1;
  const list = new SessionList<string>(
    { ...session, get: (key) => (failures-- > 0 ? Promise.reject(new Error("busy")) : session.get(key)) },
    "list",
  );
  await expect(list.read()).rejects.toThrow("busy");
  await list.update((items) => [...items, "a"]);
  expect(await list.read()).toEqual(["stored", "a"]);
});
