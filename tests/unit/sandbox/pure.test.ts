import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { addFault, BACK_OFF_MS, FAULT_WINDOW_MS, MOST_FAULTS } from "@/sandbox/faults";
import { captureConsole } from "@/sandbox/guest/console";
import { ConsoleRing } from "@/sandbox/host/console-ring";
import { readGuestMessage } from "@/sandbox/host/guest-messages";
import { MessageMeter, RunClock } from "@/sandbox/host/limits";
import { approximateSize } from "@/sandbox/host/size";
import { Slots } from "@/sandbox/host/slots";
import { CONSOLE_LEVELS } from "@/sandbox/types";

describe("back-off after faults", () => {
  it("waits 1 s, 5 s, 30 s, 5 min, and gives up at the fifth fault of an hour", () => {
    let faults: number[] = [];
    const waits: Array<number | null> = [];
    for (let at = 0; at < MOST_FAULTS; at += 1) {
      const next = addFault(faults, at * 1000);
      faults = next.faults;
      waits.push(next.waitMs);
    }
    expect(waits).toEqual([1_000, 5_000, 30_000, 300_000, null]);
  });

  it("forgets faults of more than an hour ago, so that a rare one is never the last", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: FAULT_WINDOW_MS, max: FAULT_WINDOW_MS * 5 })), (gaps) => {
        let now = 0;
        let faults: number[] = [];
        for (const gap of gaps) {
          now += gap;
          const next = addFault(faults, now);
          expect(next.waitMs).toBe(BACK_OFF_MS[0]);
          faults = next.faults;
        }
      }),
    );
  });
});

describe("the meter of messages", () => {
  it("names the message that is one too many in a second, and starts anew in the next", () => {
    let now = 0;
    const meter = new MessageMeter({ messages: 3, bytes: 1e9 }, () => now);
    expect([1, 2, 3].map((n) => meter.count(n))).toEqual([null, null, null]);
    expect(meter.count(4)).toContain("more than 3 messages");
    now = 1000;
    expect(meter.count(5)).toBeNull();
  });

  it("counts bytes of text, buffers and nested parts", () => {
    const meter = new MessageMeter({ messages: 100, bytes: 1000 }, () => 0);
    expect(meter.count({ a: [new Uint8Array(600)] })).toBeNull();
    expect(meter.count(new Map([["k", "x".repeat(300)]]))).toContain("MB in a second");
  });
});

describe("the size of a value", () => {
  it("is at least that of its text and bytes, whatever they are in", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.uint8Array(), (texts, bytes) => {
        const least = texts.join("").length * 2 + bytes.byteLength;
        expect(
          approximateSize({ deep: [new Map([["t", texts]]), new Set([bytes])] }, 1e9),
        ).toBeGreaterThanOrEqual(least);
      }),
    );
  });

  it("is known soon for what is large, and for a cycle", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(approximateSize(cycle, 1e9)).toBeLessThan(100);
    const rows = Array.from({ length: 1e6 }, () => "x");
    expect(approximateSize(rows, 100)).toBeLessThan(200);
  });
});

describe("what a guest says", () => {
  it("is read as one of its messages or as nothing, whatever it is", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true }), (data) => {
        const read = readGuestMessage(data);
        if (read)
          expect(["ready", "connect", "enter", "leave", "pong", "console", "error", "done"]).toContain(
            read.t,
          );
      }),
    );
    expect(readGuestMessage({ t: "token" })).toBeNull();
  });

  it("is cut to what may be kept", () => {
    const error = { name: "n".repeat(1000), message: { evil: true }, stack: "s".repeat(100_000), line: -1 };
    expect(readGuestMessage({ t: "done", ok: "yes", error })).toEqual({
      t: "done",
      ok: false,
      error: {
        name: "n".repeat(200),
        message: "Something was thrown that is not an error.",
        stack: "s".repeat(8000),
      },
    });
    expect(readGuestMessage({ t: "console", level: "shout", text: "x" })).toBeNull();
  });
});

describe("a console", () => {
  it("shows errors with the frames of the script, and none of our own page", () => {
    const written: string[] = [];
    // The console of the tests themselves, which it would take over.
    const nothing = () => undefined;
    vi.stubGlobal("console", Object.fromEntries(CONSOLE_LEVELS.map((level) => [level, nothing])));
    captureConsole((_level, text) => written.push(text));
    const error = new Error("no good");
    error.stack =
      "Error: no good\n    at f (moggy-script:///u/a.user.js:3:9)\n    at boot (chrome-extension://id/sandbox.html:8:14)";
    console.error("It failed:", error);
    vi.unstubAllGlobals();
    expect(written).toEqual(["It failed: Error: no good\n    at f (moggy-script:///u/a.user.js:3:9)"]);
  });

  it("keeps the newest lines and counts the others", () => {
    const ring = new ConsoleRing(3);
    for (let n = 1; n <= 10; n += 1) ring.push({ at: n, level: "log", text: String(n) }, n === 1 ? 5 : 0);
    const { lines, dropped } = ring.take();
    expect(lines.map(({ text }) => text)).toEqual(["8", "9", "10"]);
    expect(dropped).toBe(12);
  });
});

describe("places", () => {
  it("are given in the order of asking, and an abort leaves the queue", async () => {
    const slots = new Slots(1);
    const never = new AbortController();
    const first = await slots.take(never.signal);
    const order: string[] = [];
    const leaving = new AbortController();
    const second = slots.take(leaving.signal).then((give) => order.push(give ? "second" : "left"));
    const third = slots.take(never.signal).then((give) => order.push(give ? "third" : "left"));
    leaving.abort();
    await second;
    expect(slots.queued).toBe(1);
    first?.();
    first?.();
    await third;
    expect(order).toEqual(["left", "third"]);
    expect(await Promise.race([slots.take(never.signal).then(() => "given"), Promise.resolve("waits")])).toBe(
      "waits",
    );
  });
});

describe("a run's clock", () => {
  it("stands still while it is held, however often", () => {
    vi.useFakeTimers();
    try {
      const late = vi.fn();
      const clock = new RunClock(1000, () => Date.now(), late);
      clock.hold();
      clock.start();
      vi.advanceTimersByTime(5000);
      clock.release();
      vi.advanceTimersByTime(600);
      clock.hold();
      clock.hold();
      vi.advanceTimersByTime(60_000);
      clock.release();
      vi.advanceTimersByTime(60_000);
      expect(late).not.toHaveBeenCalled();
      clock.release();
      vi.advanceTimersByTime(399);
      expect(late).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(late).toHaveBeenCalledOnce();
      expect(clock.ran).toBe(1000);
    } finally {
      vi.useRealTimers();
    }
  });
});
