import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser, type TestBrowser } from "./harness/browser";
import { closeOffscreen, crashOffscreen } from "./harness/offscreen";
import { ms, runCode, sandboxFrames } from "./harness/sandbox";

let browser: TestBrowser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());
beforeEach(() => browser.eval("eval:clear"));

const run = <T = unknown>(code: string, args: Record<string, unknown> = {}, callId?: string) =>
  runCode<T>(browser, code, args, callId);

/** Name and message of what a run failed with. */
async function failure(code: string, args: Record<string, unknown> = {}) {
  const error = await run(code, args).then(
    () => null,
    (thrown: Error) => thrown,
  );
  return error && { name: error.name, message: error.message };
}

describe("one-shot code", () => {
  it("gets its arguments, returns what can be copied, and its console is kept", async () => {
    const { result, console } = await run(
      `console.log("adding", { to: arguments[0].list });
       console.warn("done");
       return { sum: arguments[0].list.reduce((a, b) => a + b, 0) };`,
      { args: { list: [1, 2, 3] } },
    );
    expect(result).toEqual({ sum: 6 });
    expect(console).toEqual(['log: adding {"to":[1,2,3]}', "warn: done"]);
  });

  it("is sloppy, has CAT_CONFIG and no name that it was not granted", async () => {
    const code = `CAT_CONFIG.x = 1;
      return [this === globalThis, Object.isFrozen(CAT_CONFIG), CAT_CONFIG.x, typeof GM, typeof GM_info, typeof CAT, typeof GM_setValue];`;
    expect((await run(code)).result).toEqual([
      true,
      true,
      undefined,
      "undefined",
      "undefined",
      "undefined",
      "undefined",
    ]);
  });

  it.each([
    ["does not parse", "let a = 1;\nlet b = ;", "SyntaxError", "line 2"],
    ["throws", "let a = 1;\nfunction f() { return null.x; }\nf();", "TypeError", "line 2"],
    ["throws what is no error", "throw 'a word'", "Error", "a word"],
    ["returns what cannot be copied", "return () => 1", "DataCloneError", "plain data"],
    ["returns too much", "return 'x'.repeat(20_000_000)", "ResultTooLargeError", "16 MB"],
    ["leaves the function around it", "}}), (function () { return 1", "SyntaxError", ""],
    ["throws what throws itself", "throw { get message() { throw () => 1 } }", "Error", "no words"],
    [
      "returns what throws itself",
      "return { get a() { throw new Proxy({}, { get() { throw 1 } }) } }",
      "DataCloneError",
      "plain data",
    ],
    [
      "returns what can be sent, but not so far",
      `return new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))`,
      "DataCloneError",
      "plain data",
    ],
    ["asks for the network", "return fetch('http://127.0.0.1/')", "PermissionDeniedError", "not granted"],
  ])("that %s fails by name, with its line", async (_what, code, name, words) => {
    const failed = await failure(code);
    expect(failed?.name).toBe(name);
    expect(failed?.message).toContain(words);
  });

  it("goes on after errors in its timers and promises, and whatever it writes to its console", async () => {
    const { result, console: lines } = await run(
      `setTimeout(() => { throw new Error("in a timer") });
       Promise.reject({ get message() { throw this } });
       console.log(new Proxy({}, { get() { throw 1 } }));
       await new Promise((done) => setTimeout(done, 200));
       return "after";`,
    );
    expect(result).toBe("after");
    expect(lines[0]).toBe("log: [something that cannot be shown]");
    expect(lines.slice(1).sort()).toEqual([
      "error: Uncaught Error: Something was thrown that has no words.",
      "error: Uncaught Error: in a timer (line 1)",
    ]);
  });

  it("that never ends is ended at its limit, and holds up nobody", async () => {
    await run("return 1");
    const looping = failure("while (true);", { timeoutMs: 4_000 });
    const beside = await ms(() => run("return 2"));
    expect((await looping)?.name).toBe("TimeoutError");
    const after = await ms(() => run("return 3"));
    console.log(`A run beside a loop took ${beside} ms, the next after its end ${after} ms.`);
    // Far less than the loop's limit: it waited for nothing.
    expect(Math.max(beside, after)).toBeLessThan(3_000);
  });

  it.each([
    ["a chain of microtasks", "return (async function spin() { for (;;) await null; })()"],
    ["its own end", "close(); return new Promise(() => undefined)"],
    ["a promise that nobody settles", "return new Promise(() => undefined)"],
  ])("that waits for %s is ended at its limit", async (_what, code) => {
    expect((await failure(code, { timeoutMs: 1_000 }))?.name).toBe("TimeoutError");
  });

  it("runs fifty at once", async () => {
    const took = await ms(async () => {
      const all = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          run("await new Promise((done) => setTimeout(done, 200)); return arguments[0] * 2", { args: n }),
        ),
      );
      expect(all.map(({ result }) => result)).toEqual(Array.from({ length: 50 }, (_, n) => n * 2));
    });
    console.log(`Fifty runs at once took ${took} ms.`);
  });

  it("goes on when the worker dies; asked for again it is joined, and its outcome is the same each time", async () => {
    const code = `console.log("began"); await new Promise((done) => setTimeout(done, 2000)); return performance.timeOrigin;`;
    const lost = run(code, {}, "call-1").catch((error: Error) => error.message);
    await expect.poll(() => sandboxFrames(browser)).toBe(1);
    expect(await browser.killWorker()).toBe(true);
    expect(await lost).toMatch(/no answer|closed before a response/);
    const askedAgain = Date.now();
    const again = await run<number>(code, {}, "call-1");
    // It began before that, so it is the first one.
    expect(again.result).toBeLessThan(askedAgain);
    expect(again.console).toEqual(["log: began"]);
    expect(await run(code, {}, "call-1")).toEqual(again);
  });

  it.each([
    ["closed", closeOffscreen],
    ["crashed", crashOffscreen],
  ])("runs again when its document is %s, as it had no effect yet", async (_how, end) => {
    const running = run<string>("await new Promise((done) => setTimeout(done, 1000)); return 'whole'");
    await expect.poll(() => sandboxFrames(browser)).toBe(1);
    await end(browser);
    expect((await running).result).toBe("whole");
  });
});
