import { memorySession } from "@tests/fixtures/memory-session";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { QueueBench } from "./bench";

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => vi.useRealTimers());

const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const hosts = (n: number) => Array.from({ length: n }, (_, i) => `h${i}.test`);

describe("a script that asks much", () => {
  it("shows three questions at a time; the next comes when one is gone, with its full time", async () => {
    const bench = new QueueBench(memorySession(), 30_000);
    const asked = hosts(5).map((host) => bench.ask({ host }));
    const other = bench.ask({ subject: "script:other", host: "x.test" });
    await pass(20_000);
    expect(await bench.open()).toEqual([
      "h0.test asking",
      "h1.test asking",
      "h2.test asking",
      "x.test asking",
    ]);
    await bench.answer("once", { host: "h1.test" });
    await pass();
    expect(await bench.open()).toContain("h3.test asking");
    expect(await bench.open()).not.toContain("h4.test asking");
    await pass(10_100);
    expect(asked.map(({ state }) => state)).toEqual(["waiting", "allowed", "waiting", "open", "open"]);
    expect(other.state).toBe("waiting");
    await pass(20_000);
    expect(asked.map(({ state }) => state).slice(3)).toEqual(["waiting", "open"]);
  });

  it("may have twenty open; more are refused by name, and all together a hundred", async () => {
    const bench = new QueueBench(memorySession());
    const asked = hosts(22).map((host) => bench.ask({ host }));
    await pass();
    expect(asked.filter(({ state }) => state === "open")).toHaveLength(20);
    expect(asked[21]?.state).toBe("threw TooManyQuestionsError");
    for (let s = 0; s < 5; s += 1) for (const host of hosts(20)) bench.ask({ subject: `script:${s}`, host });
    await pass();
    expect(await bench.open()).toHaveLength(15);
    const last = bench.ask({ subject: "script:last" });
    await pass();
    expect(last.state).toBe("threw TooManyQuestionsError");
  });

  it("and left them resting, five at a time, takes nobody else's room", async () => {
    const bench = new QueueBench(memorySession(), 1_000);
    bench.ask({ subject: "script:quiet", host: "kept.test" });
    for (let s = 0; s < 5; s += 1) for (const host of hosts(20)) bench.ask({ subject: `script:${s}`, host });
    await pass(20_000);
    bench.ask({ subject: "script:4", host: "last.test" });
    await pass(2_000);
    expect(await bench.open()).toHaveLength(100);
    const asked = bench.ask({ subject: "script:new", host: "new.test" });
    await pass();
    expect(asked.state).toBe("open");
    const open = await bench.open();
    expect(open).toHaveLength(100);
    expect(open).toContain("new.test asking");
    expect(open).toContain("kept.test waiting");
  });

  it("its resting questions make room for new ones, the oldest first", async () => {
    const bench = new QueueBench(memorySession(), 1_000);
    for (const host of hosts(20)) bench.ask({ host });
    await pass(10_000);
    expect(await bench.open()).toHaveLength(20);
    bench.ask({ host: "new.test" });
    await pass();
    const open = await bench.open();
    expect(open).toHaveLength(20);
    expect(open).not.toContain("h0.test waiting");
    expect(open).toContain("new.test asking");
  });

  it("and is refused in a loop nags ever less: the same question is refused by itself for 3, 9, 27 s and so on", async () => {
    const bench = new QueueBench(memorySession());
    for (const quiet of [3_000, 9_000, 27_000, 81_000, 243_000, 600_000, 600_000]) {
      const asked = bench.ask();
      await pass();
      await bench.answer("deny");
      await pass(quiet - 100);
      const soon = bench.ask();
      await pass();
      expect([asked.state, soon.state]).toEqual(["denied", "denied"]);
      await pass(200);
    }
    const other = bench.ask({ host: "b.test" });
    await pass();
    expect(other.state).toBe("open");
    // What is allowed ends that.
    bench.ask();
    await pass();
    await bench.answer("once");
    bench.ask();
    await pass();
    await bench.answer("deny");
    await pass(3_100);
    const again = bench.ask();
    await pass();
    expect(again.state).toBe("open");
  });
});

describe("all of one subject", () => {
  it("can be refused at once, also what is held back and what rests", async () => {
    const bench = new QueueBench(memorySession(), 30_000);
    const rested = bench.ask({ host: "old.test" });
    await pass(31_000);
    const asked = hosts(5).map((host) => bench.ask({ host }));
    const other = bench.ask({ subject: "script:other" });
    await pass();
    const refused: string[] = [];
    await bench.queue.refuseAll("script:s", async (prompts) => {
      refused.push(...prompts.map(({ host }) => host));
    });
    await pass();
    expect(refused).toEqual(["old.test", ...hosts(5)]);
    expect([rested.state, ...asked.map(({ state }) => state)]).toEqual([
      "waiting",
      ...Array(5).fill("denied"),
    ]);
    expect(other.state).toBe("open");
    expect(await bench.open()).toEqual(["a.test asking"]);
  });
});

describe("the window that is closed by hand", () => {
  it("says not now to all that it showed and what is held back behind it, and gives that script a rest", async () => {
    const bench = new QueueBench(memorySession());
    const asked = hosts(5).map((host) => bench.ask({ host }));
    await pass(600);
    // What appears only as the window closes was not seen.
    const late = bench.ask({ subject: "script:late", host: "late.test" });
    await pass(100);
    await bench.queue.closed();
    await pass();
    expect(asked.map(({ state }) => state)).toEqual(Array(5).fill("denied"));
    expect(late.state).toBe("open");
    const [soon] = [bench.ask({ host: "another.test" })];
    await pass();
    expect(soon.state).toBe("denied");
    await pass(3_100);
    const later = bench.ask({ host: "another.test" });
    await pass();
    expect(later.state).toBe("open");
  });

  it("also when the worker died meanwhile: who comes back is denied", async () => {
    const session = memorySession();
    const before = new QueueBench(session);
    before.ask();
    await pass(5_000);
    before.die();
    const after = new QueueBench(session);
    await after.queue.closed();
    const back = after.ask();
    await pass();
    expect(back.state).toBe("denied");
    expect(await after.open()).toEqual([]);
  });
});
