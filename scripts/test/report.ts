import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The part of vitest's JSON report (Jest's format) that is read here. */
interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: "passed" | "failed"; assertionResults: unknown[] }[];
}

/**
 * Reads one vitest JSON report. A file that could not even be loaded has no tests to count, so it counts as one failure; a report that
 * is missing altogether (vitest itself fell over) does too.
 */
export async function readReport(path: string): Promise<Counts> {
  if (!existsSync(path)) return { passed: 0, failed: 1, skipped: 0 };
  const report = JSON.parse(await readFile(path, "utf8")) as VitestReport;
  const unloadable = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

export function addCounts(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** Such as "12 passed, 0 failed": the last line of `npm test`, which other programs read. */
export function summaryLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
