import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT_ROOT } from "../lib/root";
import { printError, Stop } from "../lib/stop.mjs";
import { addCounts, type Counts, readReport, summaryLine } from "./report";

/** One check of `npm test`. */
export interface Step {
  title: string;
  /** Program and arguments; a bare name is looked for among the project's own packages first. */
  command: [string, ...string[]];
  /** What to do when the step fails. */
  advice: string;
  /** A vitest run whose result counts in the sum. */
  counts?: boolean;
}

/**
 * Runs every step, stopping at the first that fails, and prints the sum of all tests that ran as its last line.
 * @returns the exit code
 */
export async function runSteps(steps: readonly Step[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "moggy-test-"));
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  let exitCode = 0;
  try {
    for (const [index, step] of steps.entries()) {
      console.log(`\n[${index + 1}/${steps.length}] ${step.title}`);
      const started = Date.now();
      const report = step.counts ? join(folder, `${index}.json`) : undefined;
      const problem = await runStep(step.command, report);
      if (report) counts = addCounts(counts, await readReport(report));
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      if (problem) {
        throw new Stop(
          `FAILED after ${seconds} s: ${step.title} (${problem}).\n${step.advice}${left(steps, index)}`,
        );
      }
      console.log(`[${index + 1}/${steps.length}] ${step.title}: ok, ${seconds} s`);
    }
  } catch (error) {
    printError(error);
    exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  // A step that is no test run may fail with every test passed: the sum must not read like success then.
  if (exitCode !== 0 && counts.failed === 0) counts = { ...counts, failed: 1 };
  console.log(`\n${summaryLine(counts)}`);
  return exitCode;
}

function left(steps: readonly Step[], index: number): string {
  const rest = steps.slice(index + 1).map((step) => step.title);
  return rest.length > 0 ? `\nNot run after it: ${rest.join(", ")}.` : "";
}

/** Runs one command with its output shown; resolves to what went wrong, or null. */
function runStep([program, ...args]: Step["command"], report: string | undefined): Promise<string | null> {
  const reporters = report ? ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`] : [];
  return new Promise((resolve) => {
    // npm has put node_modules/.bin on PATH; a direct `tsx scripts/test.ts` gets it here.
    const path = [join(PROJECT_ROOT, "node_modules", ".bin"), process.env.PATH].join(
      process.platform === "win32" ? ";" : ":",
    );
    const child = spawn(program, [...args, ...reporters], {
      cwd: PROJECT_ROOT,
      stdio: "inherit",
      env: { ...process.env, PATH: path },
      shell: process.platform === "win32",
    });
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) =>
      resolve(code === 0 ? null : signal ? `signal ${signal}` : `exit code ${code}`),
    );
  });
}
