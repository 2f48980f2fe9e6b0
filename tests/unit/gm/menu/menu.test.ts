// @vitest-environment jsdom
import "fake-indexeddb/auto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { gmFunction } from "../support/functions";
import { type Opened, settle, World } from "../support/world";

const script = {
  uuid: "s1",
  grants: ["GM_registerMenuCommand", "GM.registerMenuCommand", "GM_unregisterMenuCommand"],
};

function form(opened: Opened, name: string) {
  return opened.call(gmFunction(name));
}
const register = (opened: Opened) => form(opened, "registerMenuCommand").legacy;

afterEach(() => {
  vi.useRealTimers();
});

describe("menu commands", () => {
  it("are shown per tab, in order, and run in their document", async () => {
    const world = new World();
    const top = await world.open(script, { tabId: 1 });
    const frame = await world.open(script, { tabId: 1, frameId: 7 });
    const elsewhere = await world.open(script, { tabId: 2 });
    const runs = { first: vi.fn(), second: vi.fn(), frame: vi.fn(), elsewhere: vi.fn() };
    register(top)("First", runs.first);
    register(top)("Second", runs.second, { accessKey: "s", title: "does it", autoClose: false });
    await settle();
    register(frame)("In frame", runs.frame, "f");
    register(elsewhere)("Elsewhere", runs.elsewhere, null);
    await settle();
    const shown = await world.services.menu.commandsFor(1);
    expect(shown).toEqual([
      expect.objectContaining({ title: "First", frameId: 0, scriptName: "Script s1", uuid: "s1" }),
      expect.objectContaining({ title: "Second", accessKey: "s", hint: "does it", autoClose: false }),
      expect.objectContaining({ title: "In frame", frameId: 7, accessKey: "f", autoClose: true }),
    ]);
    expect(new Set(shown.map(({ key }) => key)).size).toBe(3);
    await world.services.menu.run(1, shown[2]?.key ?? "");
    await settle();
    expect(runs.frame).toHaveBeenCalledExactlyOnceWith(expect.any(MouseEvent));
    expect(runs.first).not.toHaveBeenCalled();
  });

  it("an id replaces, unregister removes, both forms give the id", async () => {
    const world = new World();
    const page = await world.open(script);
    expect(register(page)("Off", () => 1, { id: "toggle" })).toBe("toggle");
    expect(register(page)("On", () => 1, { id: "toggle" })).toBe("toggle");
    const id = await form(page, "registerMenuCommand").modern("Other", () => 1);
    await settle();
    const titles = async () => (await world.services.menu.commandsFor(1)).map(({ title }) => title);
    expect(await titles()).toEqual(["On", "Other"]);
    form(page, "unregisterMenuCommand").legacy(id);
    form(page, "unregisterMenuCommand").legacy("no such");
    await settle();
    expect(await titles()).toEqual(["On"]);
    form(page, "unregisterMenuCommand").legacy("toggle");
    await settle();
    expect(await titles()).toEqual([]);
    expect(world.session.data.get("gm.menu.1")).toBeUndefined();
  });

  it("C070 takes any single character as access key and leaves out what is none", async () => {
    const world = new World();
    const page = await world.open(script);
    const keys = ["+", "<", '"', "é", "漢", "😀", " x ", "", "ab", "  ", undefined, 7, null];
    for (const [i, accessKey] of keys.entries()) register(page)(`c${i}`, () => 1, { accessKey });
    await settle();
    const shown = await world.services.menu.commandsFor(1);
    expect(shown.map(({ accessKey }) => accessKey)).toEqual([
      "+",
      "<",
      '"',
      "é",
      "漢",
      "😀",
      "x",
      ...[undefined, undefined, undefined, undefined],
      "7",
      undefined,
    ]);
    expect(page.errors).toEqual([]);
  });

  it("outlive the worker: the list stays, and a click wakes the document", async () => {
    const world = new World();
    const page = await world.open(script);
    const run = vi.fn();
    register(page)("Do it", run);
    await settle();
    await world.restartWorker();
    const [command] = await world.services.menu.commandsFor(1);
    expect(command?.title).toBe("Do it");
    await world.services.menu.run(1, command?.key ?? "");
    await settle();
    expect(world.woken).toEqual([page.documentId]);
    expect(run).toHaveBeenCalledOnce();
  });

  it("go with their document, and with the script when it is switched off", async () => {
    const world = new World();
    const changes = vi.fn();
    world.services.menu.onChange(changes);
    const page = await world.open(script);
    register(page)("Do it", () => 1);
    await settle();
    expect(changes).toHaveBeenCalledTimes(1);
    page.leave();
    await settle();
    expect(changes).toHaveBeenCalledTimes(2);
    expect(await world.services.menu.commandsFor(1)).toEqual([]);

    const next = await world.open(script);
    register(next)("Do it", () => 1);
    await settle();
    const head = world.heads.get("s1");
    if (head) head.enabled = false;
    expect(await world.services.menu.commandsFor(1)).toEqual([]);
  });

  it("of a document that was left while no worker ran are not shown and cannot be run", async () => {
    const world = new World();
    const page = await world.open(script);
    register(page)("Do it", () => 1);
    await settle();
    const [command] = await world.services.menu.commandsFor(1);
    await world.restartWorker();
    page.leave();
    await expect(world.services.menu.run(1, command?.key ?? "")).rejects.toMatchObject({
      name: "NotFoundError",
    });
    expect(await world.services.menu.commandsFor(1)).toEqual([]);
  });

  it("a page that is there but does not come back is a time-out, not silence", async () => {
    const world = new World({ wake: async () => true });
    const page = await world.open(script);
    register(page)("Do it", () => 1);
    await settle();
    await world.restartWorker();
    const [command] = await world.services.menu.commandsFor(1);
    vi.useFakeTimers();
    const running = expect(world.services.menu.run(1, command?.key ?? "")).rejects.toMatchObject({
      name: "TimeoutError",
      message: expect.stringContaining("Reload"),
    });
    await vi.advanceTimersByTimeAsync(11_000);
    await running;
  });

  it("are registered again when a page comes back from where the browser kept it", async () => {
    const world = new World();
    const page = await world.open(script);
    register(page)("Do it", () => 1);
    await settle();
    // Its ports close when it is put away, while the worker goes on.
    await world.cutPorts(page);
    expect(await world.services.menu.commandsFor(1)).toEqual([]);
    window.dispatchEvent(new Event("pageshow"));
    await settle();
    expect((await world.services.menu.commandsFor(1)).map(({ title }) => title)).toEqual(["Do it"]);
  });

  it("a callback that throws or rejects is in the script's log; what is no function is refused", async () => {
    const world = new World();
    const page = await world.open(script);
    register(page)("Throws", () => {
      throw new Error("thrown");
    });
    register(page)("Rejects", () => Promise.reject(new Error("rejected")));
    await settle();
    for (const { key } of await world.services.menu.commandsFor(1)) await world.services.menu.run(1, key);
    await settle();
    expect(page.errors).toEqual([
      expect.objectContaining({ message: "thrown" }),
      expect.objectContaining({ message: "rejected" }),
    ]);
    expect(() => register(page)("None")).toThrow(/needs a function/);
    await expect(form(page, "registerMenuCommand").modern("None", 1)).rejects.toThrow(/needs a function/);
  });

  it("odd captions and options keep no other command from the menu", async () => {
    const world = new World();
    const page = await world.open(script, { tabId: 1 });
    register(page)("Fine", vi.fn());
    register(page)("x".repeat(5000), vi.fn(), { title: "y".repeat(5000) });
    register(page)(null, vi.fn(), { title: null, autoClose: 0 });
    register(page)("Number", vi.fn(), { title: 5 });
    expect(() => register(page)("Long", vi.fn(), { id: "x".repeat(300) })).toThrow(/at most 200 characters/);
    await settle();
    expect(page.errors).toEqual([]);
    expect(await world.services.menu.commandsFor(1)).toEqual([
      expect.objectContaining({ title: "Fine" }),
      expect.objectContaining({ title: "x".repeat(2000), hint: "y".repeat(2000) }),
      expect.objectContaining({ title: "null", autoClose: false }),
      expect.objectContaining({ title: "Number", hint: "5" }),
    ]);
  });

  it("a script without the grant cannot register over a raw connection", async () => {
    const world = new World();
    const page = await world.open({ uuid: "s2", grants: ["GM_getValue"] });
    await expect(
      page.session.rpc.call("gm.menu.set", { commands: [{ id: "1", caption: "x", autoClose: true }] }),
    ).rejects.toMatchObject({ name: "PermissionDeniedError" });
  });
});
