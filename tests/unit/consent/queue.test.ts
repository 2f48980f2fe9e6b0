import { memorySession } from "@tests/fixtures/memory-session";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ConsentPrompt } from "@/consent/types";
import type { SessionStorage } from "@/platform/session-storage";
import { idOf, QueueBench, request } from "./bench";

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => vi.useRealTimers());

/** Lets what is under way come to its rest, and time go on. */
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

/** Asks the usual question in a worker that dies of it. */
async function dying(session: SessionStorage): Promise<void> {
  const worker = new QueueBench(session);
  worker.ask();
  await pass();
  worker.die();
}

describe("a question", () => {
  it("is shown as it was asked, and the answer is told to whoever waits", async () => {
    const bench = new QueueBench(memorySession());
    const asked = bench.ask({ detail: "GET https://a.test/x" });
    await pass();
    expect(await bench.queue.open()).toEqual([
      {
        ...request({ detail: "GET https://a.test/x" }),
        id: idOf(request()),
        askedAt: 1_000_000,
        state: "asking",
      },
    ]);
    await bench.answer("once");
    await pass();
    expect(asked.state).toBe("allowed");
    expect(await bench.open()).toEqual([]);
    await expect(bench.answer("once")).rejects.toMatchObject({ name: "NotFoundError" });
  });

  it.each([
    ["once", "allowed"],
    ["run", "allowed"],
    ["always", "allowed"],
    ["deny", "denied"],
    ["never", "denied"],
  ] as const)("the answer %s means %s, for all who ask the same", async (answer, outcome) => {
    const bench = new QueueBench(memorySession());
    const asked = [bench.ask(), bench.ask({ runId: "doc2", tabId: 2 }), bench.ask()];
    const other = bench.ask({ host: "b.test" });
    await pass();
    expect(await bench.open()).toEqual(["a.test asking", "b.test asking"]);
    const runs: string[] = [];
    await bench.answer(answer, {}, runs);
    await pass();
    expect(asked.map(({ state }) => state)).toEqual([outcome, outcome, outcome]);
    expect(runs).toEqual(["doc", "doc2"]);
    expect(other.state).toBe("open");
  });

  it("another effect, host or subject is another question, however they are written", async () => {
    const bench = new QueueBench(memorySession());
    bench.ask();
    bench.ask({ effect: "connect-private" });
    bench.ask({ subject: "script:t" });
    bench.ask({ subject: 'script:s","connect', host: "a.test" });
    await pass();
    expect(await bench.open()).toHaveLength(4);
  });

  it("stays open, and nobody is told, when the answer cannot be stored", async () => {
    const bench = new QueueBench(memorySession());
    const asked = bench.ask();
    await pass();
    const full = () => Promise.reject(new Error("disk full"));
    await expect(bench.queue.answer(idOf(request()), "always", full)).rejects.toThrow("disk full");
    await pass();
    expect(asked.state).toBe("open");
    await bench.answer("always");
    await pass();
    expect(asked.state).toBe("allowed");
  });

  it("two answers at a time: the first counts, the second finds nothing", async () => {
    const bench = new QueueBench(memorySession());
    const asked = bench.ask();
    await pass();
    const [first, second] = await Promise.allSettled([bench.answer("never"), bench.answer("always")]);
    await pass();
    expect([first.status, second.status, asked.state]).toEqual(["fulfilled", "rejected", "denied"]);
  });
});

describe("this time", () => {
  const get = { detail: "GET https://a.test/harmless" };
  const post = { detail: "POST https://a.test/pay" };

  it("is for what was shown: what else waits on the same host is asked about next, and takes no answer meant for that", async () => {
    const bench = new QueueBench(memorySession());
    const [first, same, other, third] = [bench.ask(get), bench.ask(get), bench.ask(post), bench.ask(post)];
    await pass();
    const [shown] = await bench.queue.open();
    expect(shown).toMatchObject(get);
    const seen: string[] = [];
    // Twice, as two windows do, or a hand that presses twice.
    const twice = await Promise.allSettled([
      bench.answer("once", {}, seen, shown?.askedAt),
      bench.answer("once", {}, seen, shown?.askedAt),
    ]);
    await pass();
    expect(twice.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect([first.state, same.state, other.state, third.state]).toEqual([
      "allowed",
      "allowed",
      "open",
      "open",
    ]);
    const [next] = await bench.queue.open();
    expect(next).toMatchObject({ ...post, state: "asking" });
    expect(next?.askedAt).toBeGreaterThan(shown?.askedAt ?? Number.NaN);
    await bench.answer("deny");
    await pass();
    expect([other.state, third.state]).toEqual(["denied", "denied"]);
    expect(bench.failures).toEqual([]);
  });

  it("cannot be got for one thing and used for another by leaving the question", async () => {
    const bench = new QueueBench(memorySession());
    const first = bench.ask(get);
    await pass();
    first.abort.abort();
    await pass(200);
    const other = bench.ask(post);
    await pass();
    await bench.answer("once");
    await pass();
    expect(other.state).toBe("open");
    expect(await bench.queue.open()).toMatchObject([post]);
    const again = bench.ask(get);
    await pass();
    // What the yes was said to may be done, once.
    expect(again.state).toBe("allowed");
  });

  it("said before the asker is back after a death of the worker is for the same only", async () => {
    const session = memorySession();
    new QueueBench(session).ask(get);
    await pass();
    const after = new QueueBench(session);
    await after.answer("once");
    const [other, back] = [after.ask(post), after.ask(get)];
    await pass();
    expect([other.state, back.state]).toEqual(["open", "allowed"]);
  });

  it("said and not used yet is gone when the script is switched off, updated or removed", async () => {
    const session = memorySession();
    new QueueBench(session).ask(get);
    await pass();
    const after = new QueueBench(session);
    await after.answer("once");
    await after.queue.refuseAll("script:s", async () => undefined);
    const later = after.ask(get);
    await pass();
    expect(later.state).toBe("open");
  });
});

describe("a clock that is set back", () => {
  it("lengthens no question, no quiet time and no answer that waits", async () => {
    const session = memorySession();
    const bench = new QueueBench(session);
    const asked = bench.ask();
    await pass();
    vi.setSystemTime(Date.now() - 24 * 60 * 60_000);
    await pass(125_000);
    expect(asked.state).toBe("waiting");
    await bench.answer("deny");
    const refused = bench.ask();
    await pass();
    expect(refused.state).toBe("denied");
    vi.setSystemTime(Date.now() - 24 * 60 * 60_000);
    const later = bench.ask();
    await pass();
    expect(later.state).toBe("open");
    bench.die();
    const after = new QueueBench(session);
    await after.answer("once");
    vi.setSystemTime(Date.now() - 24 * 60 * 60_000);
    const late = after.ask();
    await pass();
    expect(late.state).toBe("open");
  });
});

describe("an asker that goes away", () => {
  it("withdraws its question when nobody else waits, a moment later", async () => {
    const bench = new QueueBench(memorySession());
    const [first, second] = [bench.ask(), bench.ask()];
    await pass();
    first.abort.abort();
    await pass(5_000);
    expect([first.state, second.state]).toEqual(["threw AbortError", "open"]);
    expect(await bench.open()).toEqual(["a.test asking"]);
    second.abort.abort();
    await pass(900);
    expect(await bench.open()).toEqual(["a.test asking"]);
    await pass(200);
    expect(await bench.open()).toEqual([]);
    expect(bench.failures).toEqual([]);
  });

  it("and comes back at once, as a page does that is reloaded, finds it again", async () => {
    const bench = new QueueBench(memorySession());
    const first = bench.ask();
    await pass();
    first.abort.abort();
    await pass(500);
    const second = bench.ask({ runId: "doc-after-reload" });
    await pass(5_000);
    expect(await bench.open()).toEqual(["a.test asking"]);
    await bench.answer("once");
    await pass();
    expect(second.state).toBe("allowed");
  });

  it("whose signal is aborted already asks nothing", async () => {
    const bench = new QueueBench(memorySession());
    const abort = new AbortController();
    abort.abort();
    const asked = bench.ask({}, abort);
    await pass();
    expect(asked.state).toBe("threw AbortError");
    expect(await bench.open()).toEqual([]);
  });
});

describe("a question nobody answers", () => {
  it("rests after its time, is told of, and whoever waited hears so", async () => {
    const bench = new QueueBench(memorySession(), 30_000);
    const resting: ConsentPrompt[] = [];
    bench.queue.onUnattended((prompts) => resting.push(...prompts));
    const asked = bench.ask();
    await pass(29_900);
    expect(asked.state).toBe("open");
    // Who joins late shares the time that is left.
    const late = bench.ask();
    await pass(200);
    expect([asked.state, late.state]).toEqual(["waiting", "waiting"]);
    expect(resting).toEqual([expect.objectContaining({ host: "a.test", state: "waiting" })]);
    expect(await bench.open()).toEqual(["a.test waiting"]);
    await pass(3_600_000);
    expect(await bench.open()).toEqual(["a.test waiting"]);
  });

  it("counts for the next time once it is answered", async () => {
    const bench = new QueueBench(memorySession(), 30_000);
    bench.ask();
    await pass(31_000);
    await bench.answer("once");
    const next = bench.ask();
    await pass();
    expect(next.state).toBe("allowed");
    const after = bench.ask();
    await pass();
    expect(after.state).toBe("open");
  });

  it("does not ask again at once, and asks again later", async () => {
    const bench = new QueueBench(memorySession(), 30_000);
    bench.ask();
    await pass(30_100);
    const [soon] = [bench.ask()];
    await pass();
    expect(soon.state).toBe("waiting");
    await pass(3_100);
    const later = bench.ask();
    await pass();
    expect(later.state).toBe("open");
    expect(await bench.open()).toEqual(["a.test asking"]);
  });

  it("can be taken off the list; one that is asked cannot", async () => {
    const bench = new QueueBench(memorySession(), 30_000);
    bench.ask();
    await pass();
    await expect(bench.queue.dismiss(idOf(request()))).rejects.toMatchObject({ name: "NotFoundError" });
    await pass(31_000);
    await bench.queue.dismiss(idOf(request()));
    expect(await bench.open()).toEqual([]);
  });
});

describe("a death of the worker", () => {
  it("loses no question: its asker comes back, joins it and gets the answer", async () => {
    const session = memorySession();
    const before = new QueueBench(session);
    before.ask();
    await pass(20_000);
    before.die();
    const after = new QueueBench(session);
    expect(await after.open()).toEqual(["a.test asking"]);
    await pass(1_000);
    const again = after.ask();
    await pass();
    expect(await after.open()).toEqual(["a.test asking"]);
    await after.answer("always");
    await pass();
    expect(again.state).toBe("allowed");
  });

  it.each([
    ["once", "allowed"],
    ["deny", "denied"],
  ] as const)(
    "an answer %s before the asker is back waits for it, for a minute and for one asker",
    async (answer, state) => {
      const session = memorySession();
      new QueueBench(session).ask();
      await pass();
      const after = new QueueBench(session);
      await after.answer(answer);
      await pass(30_000);
      const again = after.ask();
      await pass();
      expect(again.state).toBe(state);
      await pass(60_000);
      const more = after.ask();
      await pass();
      expect(more.state).toBe("open");
    },
  );

  it("an answer nobody comes back for is used by nobody after the minute", async () => {
    const session = memorySession();
    await dying(session);
    const after = new QueueBench(session);
    await after.answer("once");
    await pass(61_000);
    const late = after.ask();
    await pass();
    expect(late.state).toBe("open");
  });

  it("an answer for the run goes to the run that asked, though it is not back yet", async () => {
    const session = memorySession();
    await dying(session);
    const runs: string[] = [];
    await new QueueBench(session).answer("run", {}, runs);
    expect(runs).toEqual(["doc"]);
  });

  it("questions whose askers do not come back go; their time does not start anew", async () => {
    const session = memorySession();
    const before = new QueueBench(session);
    before.ask();
    before.ask({ host: "b.test" });
    await pass(115_000);
    before.die();
    const after = new QueueBench(session);
    await after.open();
    const back = after.ask({ host: "b.test" });
    await pass(5_200);
    expect(back.state).toBe("waiting");
    expect(await after.open()).toEqual(["a.test asking", "b.test waiting"]);
    await pass(5_000);
    // Its time ran out before it was given up, so a person may have missed it: it rests.
    expect(await after.open()).toEqual(["a.test waiting", "b.test waiting"]);
    after.ask({ host: "c.test" });
    await pass();
    after.die();
    const last = new QueueBench(session);
    expect(await last.open()).toContain("c.test asking");
    await pass(10_100);
    expect(await last.open()).toEqual(["a.test waiting", "b.test waiting"]);
  });
});
