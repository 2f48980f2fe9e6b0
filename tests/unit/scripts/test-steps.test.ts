import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runSteps, type Step } from "../../../scripts/test/run";

/** A step that is a Node program of one line. */
const step = (title: string, code: string, counts = false): Step => ({
  title,
  command: [process.execPath, "-e", code, "--"],
  advice: `Mend ${title}.`,
  ...(counts ? { counts } : {}),
});

/** Code that writes a vitest report to the place it is given, and ends with `exitCode`. */
const vitest = (passed: number, failed: number, exitCode: number) => `
  const path = process.argv.find((arg) => arg.startsWith("--outputFile.json=")).slice("--outputFile.json=".length);
  require("node:fs").writeFileSync(path, JSON.stringify({
    numPassedTests: ${passed}, numFailedTests: ${failed}, numPendingTests: 0, numTodoTests: 0, testResults: [] }));
  process.exitCode = ${exitCode};`;

describe("npm test", () => {
  let printed: string[];
  beforeEach(() => {
    printed = [];
    vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
    vi.spyOn(console, "error").mockImplementation((line: string) => void printed.push(line));
  });
  afterEach(() => vi.restoreAllMocks());

  it("runs every step and ends with the sum of all tests", async () => {
    const steps = [
      step("types", ""),
      step("unit", vitest(7, 0, 0), true),
      step("e2e", vitest(3, 0, 0), true),
    ];
    expect(await runSteps(steps)).toBe(0);
    expect(printed.join("\n")).toMatch(/\[1\/3\] types: ok, \d+\.\d s/);
    expect(printed.at(-1)?.trim()).toBe("10 passed, 0 failed");
  });

  it("stops at the first step that fails, and says which, what to do and what was not run", async () => {
    const steps = [
      step("unit", vitest(7, 2, 1), true),
      step("build", ""),
      step("e2e", vitest(3, 0, 0), true),
    ];
    expect(await runSteps(steps)).toBe(1);
    const output = printed.join("\n");
    expect(output).toMatch(
      /FAILED after \d+\.\d s: unit \(exit code 1\)\.\nMend unit\.\nNot run after it: build, e2e\./,
    );
    expect(output).not.toContain("[2/3]");
    expect(printed.at(-1)?.trim()).toBe("7 passed, 2 failed");
  });

  it("never ends like success when a step without tests failed", async () => {
    expect(await runSteps([step("unit", vitest(7, 0, 0), true), step("build", "process.exit(3)")])).toBe(1);
    expect(printed.at(-1)?.trim()).toBe("7 passed, 1 failed");
  });

  it("says it when a program cannot be started", async () => {
    expect(await runSteps([{ title: "lint", command: ["no-such-program-at-all"], advice: "Mend." }])).toBe(1);
    expect(printed.join("\n")).toContain("ENOENT");
  });
});
