import { afterEach, describe, expect, it, vi } from "vitest";
import { captureConsole } from "@/sandbox/guest/console";
import { describe as describeThrown } from "@/sandbox/guest/errors";
import { Tasks } from "@/sandbox/guest/tasks";

const thrower = (what: unknown) => () => {
  throw what;
};
const hostile: Array<[string, unknown]> = [
  [
    "a message whose getter throws what cannot be copied",
    Object.defineProperty({}, "message", { get: thrower(() => 1) }),
  ],
  [
    "a name whose getter throws",
    Object.defineProperty({ message: "m" }, "name", { get: thrower(Symbol("x")) }),
  ],
  ["a stack whose getter throws", Object.defineProperty(new Error("x"), "stack", { get: thrower(1) })],
  [
    "a proxy whose traps throw",
    new Proxy({}, { has: thrower(1), get: thrower(1), getPrototypeOf: thrower(1) }),
  ],
];

describe("what sandboxed code throws", () => {
  it.each(hostile)("is described, though it is %s", (_what, thrown) => {
    const described = describeThrown(thrown, ["x.js"]);
    expect(structuredClone(described)).toEqual(described);
    expect(described.message).not.toBe("");
  });
});

describe("the console of sandboxed code", () => {
  const natives = { ...console };
  afterEach(() => Object.assign(console, natives));

  it("takes whatever is written to it, and never throws", () => {
    for (const level of ["debug", "log", "info", "warn", "error"] as const) console[level] = () => undefined;
    const lines: string[] = [];
    captureConsole((_level, text) => lines.push(text));
    // What has words, and what has none.
    const odd = [
      ...hostile.map(([, value]) => value),
      Object.assign(new Error("x"), { stack: {} }),
      Symbol("s"),
      1n,
    ];
    for (const value of odd) console.log(value);
    expect(lines.length).toBe(odd.length);
    expect(lines).toContain("[something that cannot be shown]");
  });
});

describe("the tasks of a background script", () => {
  it("are told of one by one, and of very many only a few, the end included", async () => {
    const marks: string[] = [];
    let now = 0;
    const tasks = new Tasks(
      (mark) => marks.push(mark),
      () => now,
    );
    const task = async () => {
      tasks.enter();
      await new Promise((resolve) => setTimeout(resolve));
    };
    await task();
    await vi.waitFor(() => expect(marks).toEqual(["enter", "leave"]));
    for (let n = 0; n < 1000; n += 1) await task();
    expect(marks.length).toBeLessThan(250);
    now = 2000;
    await vi.waitFor(() => expect(marks.at(-1)).toBe("leave"));
    await task();
    await vi.waitFor(() => expect(marks.slice(-2)).toEqual(["enter", "leave"]));
  });
});
