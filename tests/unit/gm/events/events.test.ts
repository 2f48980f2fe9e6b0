// @vitest-environment jsdom
import "fake-indexeddb/auto";
import { describe, expect, it, vi } from "vitest";
import { gmFunction } from "../support/functions";
import { type Opened, settle, World } from "../support/world";

const script = {
  uuid: "s1",
  grants: ["GM_getValue", "GM_setValue", "GM_addValueChangeListener", "GM_registerMenuCommand"],
};

function call(opened: Opened, name: string) {
  return opened.call(gmFunction(name)).legacy;
}

/** The browser shows the page again. */
function show() {
  window.dispatchEvent(new Event("pageshow"));
}

describe("stream of events", () => {
  it("is opened by the first function that needs it, and not before", async () => {
    const world = new World();
    const page = await world.open(script);
    await settle();
    expect(page.connects).toBe(0);
    call(page, "getValue")("k");
    await settle();
    expect(page.connects).toBe(1);
  });

  it("does not wake a worker that went to sleep, until the script needs it again", async () => {
    const world = new World();
    const page = await world.open(script);
    call(page, "getValue")("k");
    await settle();
    await world.restartWorker();
    await settle(30);
    expect(page.connects).toBe(1);
    expect(page.errors).toEqual([]);
    call(page, "getValue")("k");
    await settle();
    expect(page.connects).toBe(2);
  });

  it("comes back when the page is shown again, if it was ever used", async () => {
    const world = new World();
    const used = await world.open(script);
    const unused = await world.open(script);
    call(used, "getValue")("k");
    await settle();
    await world.restartWorker();
    show();
    await settle();
    expect([used.connects, unused.connects]).toEqual([2, 0]);
    vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    await world.restartWorker();
    document.dispatchEvent(new Event("visibilitychange"));
    await settle();
    expect(used.connects).toBe(2);
  });

  it("a new worker wakes those whom an earlier one knew, and they miss nothing", async () => {
    const world = new World();
    const listening = await world.open(script, { tabId: 1 });
    const heard: unknown[][] = [];
    call(listening, "addValueChangeListener")("k", (...args: unknown[]) => heard.push(args));
    await settle();
    await world.restartWorker();
    const other = await world.open(script, { tabId: 2 });
    call(other, "setValue")("k", "while asleep");
    await settle(30);
    expect(world.woken).toEqual([listening.documentId]);
    expect(heard).toEqual([["k", undefined, "while asleep", true]]);
    call(other, "setValue")("k", "awake");
    await settle();
    expect(heard.at(-1)).toEqual(["k", "while asleep", "awake", true]);
    expect(world.woken).toHaveLength(1);
  });

  it("comes back also when it is woken before it has heard that the worker died", async () => {
    const world = new World();
    const page = await world.open(script);
    call(page, "getValue")("k");
    await settle();
    // The browser carries the new worker's word and the end of the old one's connection by different ways.
    await world.host.wake({ tabId: 1, documentId: page.documentId, uuid: script.uuid });
    await world.restartWorker();
    await settle(30);
    expect(page.connects).toBe(2);
    await world.restartWorker();
    await settle(30);
    expect(page.connects).toBe(2);
  });

  it("writes that were under way when the worker died are stored, in order", async () => {
    const world = new World();
    const page = await world.open(script);
    const set = call(page, "setValue");
    for (let i = 0; i < 10; i += 1) {
      set("k", i);
      await Promise.resolve();
      if (i === 5) void world.restartWorker();
    }
    await settle(60);
    expect(await world.services.values.readAllDecoded("s1")).toEqual({ k: 9 });
    expect(page.errors).toEqual([]);
  });

  it("forgets documents that are gone: by leaving, by a wake that finds nobody, by a look at the tab", async () => {
    const world = new World();
    const remembered = () => world.session.data.get("gm.followers.s1");
    const a = await world.open(script);
    call(a, "getValue")("k");
    await settle();
    expect(remembered()).toContain(a.documentId);
    a.leave();
    await settle();
    expect(remembered()).toBeUndefined();

    const b = await world.open(script);
    call(b, "getValue")("k");
    await settle();
    await world.restartWorker();
    b.leave();
    expect(remembered()).toContain(b.documentId);
    const c = await world.open(script);
    call(c, "setValue")("k", 1);
    await settle(30);
    expect(remembered()).toBeUndefined();
  });

  it("a document that does not read for long gets the difference, not everything that happened", async () => {
    const world = new World();
    const page = await world.open(script);
    const revision = (await world.services.values.readAll("s1")).revision;
    const stream = page.session.rpc.stream<unknown, { type: string; entries?: unknown[]; revision: number }>(
      "gm.events.subscribe",
      { revision },
    );
    const first = stream.next();
    const writer = await world.open(script, { tabId: 2 });
    const write = (n: number) => writer.session.rpc.call("gm.values.write", { writes: [["k", `${n}`]] });
    await write(0);
    await first;
    for (let n = 1; n <= 500; n += 1) await write(n);
    await settle();
    let items = 0;
    let last: { type: string; entries?: unknown[]; revision: number } | undefined;
    const end = (await world.services.values.readAll("s1")).revision;
    for await (const event of stream) {
      items += 1;
      last = event;
      if (event.revision === end) break;
    }
    expect(last?.type).toBe("resync");
    expect(last?.entries).toEqual([["k", "500", end]]);
    expect(items).toBeLessThan(300);
  });

  it("menu and values share one stream, opened anew when values are followed", async () => {
    const world = new World();
    const page = await world.open(script);
    const run = vi.fn();
    call(page, "registerMenuCommand")("Do it", run);
    await settle();
    const heard = vi.fn();
    call(page, "addValueChangeListener")("k", heard);
    await settle();
    const [command] = await world.services.menu.commandsFor(1);
    await world.services.menu.run(1, command?.key ?? "");
    call(page, "setValue")("k", 1);
    await settle();
    expect(run).toHaveBeenCalledOnce();
    expect(heard).toHaveBeenCalledExactlyOnceWith("k", undefined, 1, false);
    expect(page.connects).toBe(1);
  });
});
