// @vitest-environment jsdom
import "fake-indexeddb/auto";
import { afterEach, expect, it } from "vitest";
import { gmFunction } from "../support/functions";
import { settle, World } from "../support/world";

const SECRET = "a secret of the other script";
const script = {
  uuid: "victim",
  grants: ["GM_getValue", "GM_setValue", "GM_setValues", "GM_getValues", "GM_listValues"],
};
// What the spy itself uses, since it replaces the rest.
const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
const { includes } = String.prototype;
const undo: Array<() => void> = [];

afterEach(restore);

function restore(): void {
  for (let i = undo.length - 1; i >= 0; i -= 1) undo[i]?.();
  undo.length = 0;
}

function set(owner: object, key: PropertyKey, descriptor: PropertyDescriptor): void {
  const before = getOwnPropertyDescriptor(owner, key);
  const bare = (given: PropertyDescriptor) => Object.assign(Object.create(null), given) as PropertyDescriptor;
  const old = before && bare(before);
  defineProperty(owner, key, bare({ ...descriptor, configurable: true }));
  undo[undo.length] = () => void (old ? defineProperty(owner, key, old) : deleteProperty(owner, key));
}

/** Replaces what a neighbour in the same world could replace, by what shows each receiver and argument to `spy`. */
function patchEverything(spy: (seen: unknown) => void): void {
  const owners = [
    JSON,
    Object,
    Array,
    Reflect,
    Array.prototype,
    Map.prototype,
    Set.prototype,
    WeakMap.prototype,
    String.prototype,
    Object.prototype,
  ];
  const patches: Array<[object, PropertyKey, PropertyDescriptor]> = [];
  for (const owner of owners) {
    for (const key of ownKeys(owner)) {
      const descriptor = getOwnPropertyDescriptor(owner, key);
      const original: unknown = descriptor?.value;
      if (key === "constructor" || typeof original !== "function") continue;
      const value = function (this: unknown, ...args: unknown[]) {
        spy(this);
        for (let i = 0; i < args.length; i += 1) spy(args[i]);
        return apply(original, this, args);
      };
      patches.push([owner, key, { ...descriptor, value }]);
    }
  }
  for (const key of ["toJSON", "k", "a", "b", "text", "writes", "revision"]) {
    const accessor = {
      get(this: unknown) {
        spy(this);
        return undefined;
      },
      set(this: unknown, value: unknown) {
        spy(value);
      },
    };
    patches.push([Object.prototype, key, accessor]);
  }
  for (const [owner, key, descriptor] of patches) set(owner, key, descriptor);
}

it("a neighbour in the same world sees nothing of another script's plain values, whatever it patched", async () => {
  const world = new World();
  const page = await world.open(script);
  const form = (name: string) => page.call(gmFunction(name)).legacy;
  const [get, put, putMany, getMany, list] = [
    form("getValue"),
    form("setValue"),
    form("setValues"),
    form("getValues"),
    form("listValues"),
  ];
  put("before", { text: SECRET });
  await settle();

  const seen: string[] = [];
  let looking = true;
  patchEverything((what) => {
    if (!looking) return;
    looking = false;
    const stack = new Error("seen").stack ?? "";
    if (what === page.session) seen[seen.length] = `the session ${stack}`;
    if (typeof what === "string" && apply(includes, what, [SECRET])) seen[seen.length] = `text ${stack}`;
    if (typeof what === "object" && what !== null) {
      const keys = ownKeys(what);
      for (let i = 0; i < keys.length; i += 1) {
        const part: unknown = getOwnPropertyDescriptor(what, keys[i] ?? "")?.value;
        if (typeof part === "string" && apply(includes, part, [SECRET]))
          seen[seen.length] = `object ${stack}`;
      }
    }
    looking = true;
  });
  put("k", SECRET);
  putMany({ a: { deep: [SECRET] }, b: SECRET });
  const read = get("k");
  const before = get("before") as { text: string };
  const many = getMany(["a", "b"]) as { a: { deep: string[] }; b: string };
  const names = list() as string[];
  const count = seen.length;
  new Map().set("naive", SECRET);
  const spyWorks = seen.length > count;
  looking = false;
  restore();

  expect(seen.slice(0, count)).toEqual([]);
  expect(spyWorks).toBe(true);
  expect([read, before.text, many.a.deep[0], many.b]).toEqual([SECRET, SECRET, SECRET, SECRET]);
  expect(names.sort()).toEqual(["a", "b", "before", "k"]);
  await settle();
  expect(await world.services.values.readAllDecoded("victim")).toMatchObject({ k: SECRET });
});
