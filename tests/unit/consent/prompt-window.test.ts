import { memorySession } from "@tests/fixtures/memory-session";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PromptWindow } from "@/consent/prompt-window";
import type { PromptWindows } from "@/platform/prompt-window";
import type { PageCaller } from "@/rpc/caller";
import { QueueBench } from "./bench";

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => vi.useRealTimers());

const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

/** The browser's windows: what happened to them, and which tabs a person sees. */
class FakeWindows implements PromptWindows {
  readonly did: string[] = [];
  readonly open_ = new Set<number>();
  front: number | null = null;
  failing = false;
  #next = 1;
  #closed: Array<(id: number) => void> = [];
  async open() {
    if (this.failing) throw new Error("no window");
    const id = this.#next++;
    this.open_.add(id);
    this.did.push(`open ${id}`);
    return id;
  }
  async focus(id: number) {
    this.did.push(`focus ${id}`);
    return this.open_.has(id);
  }
  async close(id: number) {
    this.did.push(`close ${id}`);
    this.shut(id);
  }
  async exists(id: number) {
    return this.open_.has(id);
  }
  async inFront(tabId: number) {
    return this.front === tabId;
  }
  onClosed(listener: (id: number) => void) {
    this.#closed.push(listener);
  }
  /** As by hand. */
  shut(id: number) {
    this.open_.delete(id);
    for (const listener of this.#closed) listener(id);
  }
}

function start(session = memorySession(), windows = new FakeWindows()) {
  const bench = new QueueBench(session);
  const failures: unknown[] = [];
  const report = (_during: string, error: unknown) => failures.push(error);
  const window = new PromptWindow({ windows, queue: bench.queue, session, report });
  return { bench, windows, window, session, failures };
}

const pageIn = (tabId: number) => ({ kind: "page", tabId }) as PageCaller;

it("opens for the first question, comes forward for the next, closes when none is left", async () => {
  const { bench, windows } = start();
  bench.ask();
  bench.ask();
  await pass();
  bench.ask({ host: "b.test" });
  await pass();
  await bench.answer("once");
  await pass();
  expect(windows.did).toEqual(["open 1", "focus 1"]);
  await bench.answer("deny", { host: "b.test" });
  // The page closes the window itself; this is for a page that cannot.
  await pass(9_000);
  expect(windows.did).toEqual(["open 1", "focus 1"]);
  await pass(1_000);
  expect(windows.did).toEqual(["open 1", "focus 1", "close 1"]);
  bench.ask({ host: "c.test" });
  await pass();
  expect(windows.did.at(-1)).toBe("open 2");
});

it("stays when questions rest, since it says so, and comes forward when something is asked again", async () => {
  const { bench, windows } = start();
  bench.ask();
  await pass(150_000);
  expect(windows.did).toEqual(["open 1"]);
  expect(await bench.open()).toEqual(["a.test waiting"]);
  bench.ask({ host: "b.test" });
  await pass();
  expect(windows.did).toEqual(["open 1", "focus 1"]);
});

it("closed by hand says not now to what it asked, and does not come back for that", async () => {
  const { bench, windows } = start();
  const asked = bench.ask();
  await pass(2_000);
  windows.shut(1);
  await pass();
  expect(asked.state).toBe("denied");
  await pass(60_000);
  expect(windows.did).toEqual(["open 1"]);
});

it("closed by hand is noticed also when the page's connection ends before the browser says that the window is gone", async () => {
  const { bench, windows, window } = start();
  const leave = window.viewing(pageIn(50));
  const asked = bench.ask();
  await pass(2_000);
  windows.open_.delete(1);
  leave();
  await pass();
  expect(asked.state).toBe("denied");
  windows.shut(1);
  await pass(10_000);
  expect(windows.did).toEqual(["open 1"]);
});

it("a window of the person's own that closes answers nothing", async () => {
  const { bench, windows } = start();
  const asked = bench.ask();
  await pass(2_000);
  windows.shut(77);
  await pass();
  expect(asked.state).toBe("open");
});

it("does not open while a page of ours shows the questions in front of the person, and does once it is left", async () => {
  const { bench, windows, window } = start();
  windows.front = 5;
  const leave = window.viewing(pageIn(5));
  window.viewing(pageIn(6));
  bench.ask();
  await pass(20_000);
  expect(windows.did).toEqual([]);
  // Another tab comes to the front, of which no event tells.
  windows.front = 9;
  await pass(5_000);
  expect(windows.did).toEqual(["open 1"]);
  leave();
  await pass();
  expect(windows.did).toEqual(["open 1"]);
});

it("the popup counts as in front as long as it is open", async () => {
  const { bench, windows, window } = start();
  const leave = window.viewing(pageIn(-1));
  bench.ask();
  await pass(7_000);
  expect(windows.did).toEqual([]);
  leave();
  await pass();
  expect(windows.did).toEqual(["open 1"]);
});

it("is found again by the next worker, and a hand that closed it meanwhile is heard", async () => {
  const first = start();
  first.bench.ask();
  await pass(2_000);
  first.bench.die();
  const { windows, session } = first;
  const second = start(session, windows);
  const again = second.bench.ask();
  await pass(1_000);
  expect(windows.did).toEqual(["open 1"]);
  second.bench.ask({ host: "b.test" });
  await pass(1_000);
  expect(windows.did).toEqual(["open 1", "focus 1"]);
  windows.shut(1);
  await pass();
  expect(again.state).toBe("denied");
});

it("that cannot be opened is told, and the question stays for the other ways to it", async () => {
  const { bench, windows, failures } = start();
  windows.failing = true;
  const asked = bench.ask();
  await pass(100);
  expect(failures).not.toEqual([]);
  expect(asked.state).toBe("open");
  windows.failing = false;
  await pass(6_000);
  expect(windows.did).toEqual(["open 1"]);
});
