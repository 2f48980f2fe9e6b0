import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

interface Run {
  code: number | null;
  output: string;
  /** What had been printed each time something came. */
  states: string[];
}

/** Runs what `npm start` runs, with a profile of its own; `onOutput` may end it. */
function start(
  profile: string,
  args: string[],
  onOutput: (output: string, pid: number) => void = () => undefined,
): Promise<Run> {
  const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
  const command = [
    tsx,
    "--tsconfig",
    "tsconfig.tests.json",
    "scripts/start.ts",
    "--headless",
    "--profile",
    profile,
  ];
  const child = spawn(process.execPath, [...command, ...args], {
    cwd: root,
    env: { ...process.env, MOGGY_CHROMIUM: inject("chromium") },
  });
  let output = "";
  const states: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      states.push(output);
      if (child.pid !== undefined) onOutput(output, child.pid);
    });
  }
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done({ code, output, states }));
  });
}

describe("npm start", () => {
  let profile: string;
  beforeEach(async () => {
    profile = await mkdtemp(join(tmpdir(), "moggy-start-"));
  });
  afterEach(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }));

  it("--once prints the example's conversation as it streams, and ends well, also on a profile that was used before", async () => {
    for (let time = 0; time < 2; time++) {
      const { code, output, states } = await start(profile, ["--once"]);
      expect(output).toMatch(/You: What is the page about.*\nModel: /);
      expect(output).toContain('Tool: get_page_heading → {"heading":"Why cats knead"');
      expect(output.trim()).toMatch(/\nModel: [\s\S]*Why cats knead[\s\S]*$/);
      expect(code).toBe(0);
      // Streaming: the last answer came in many pieces, not as a whole.
      const begin = output.lastIndexOf("\nModel: ");
      expect(
        states.filter((state) => state.length > begin + 10 && state.length < output.length).length,
      ).toBeGreaterThan(3);
    }
  });

  it("--once tells a model host that cannot be reached, and ends badly", async () => {
    const { code, output } = await start(profile, [
      "--once",
      "--model-url",
      "http://127.0.0.1:9/v1",
      "--model",
      "none",
    ]);
    expect(output).toContain("The conversation failed: 127.0.0.1:9 could not be reached");
    expect(code).toBe(1);
  });

  it("stays open without --once, and ends all that it started at Ctrl-C", async () => {
    let asked = false;
    const { code, output } = await start(profile, [], (text, pid) => {
      if (asked || !text.includes("It has ended.")) return;
      asked = true;
      process.kill(pid, "SIGINT");
    });
    expect(output).toContain("Stopping …");
    expect(code).toBe(0);
    const page = /holds on (http:\/\/127\.0\.0\.1:\d+\/)/.exec(output)?.[1];
    const model = /no real model\): (http:\S+)/.exec(output)?.[1];
    await expect(fetch(page ?? "")).rejects.toThrow("fetch failed");
    await expect(fetch(model ?? "")).rejects.toThrow("fetch failed");
  });
});
