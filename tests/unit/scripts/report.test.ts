import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { addCounts, readReport, summaryLine } from "../../../scripts/test/report";

const folder = mkdtempSync(join(tmpdir(), "moggy-report-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function report(content: object): Promise<ReturnType<typeof addCounts>> {
  const path = join(folder, "report.json");
  writeFileSync(
    path,
    JSON.stringify({
      numPassedTests: 0,
      numFailedTests: 0,
      numPendingTests: 0,
      numTodoTests: 0,
      testResults: [],
      ...content,
    }),
  );
  return readReport(path);
}

describe("the sum of a test run", () => {
  it("is read from vitest's report", async () => {
    expect(
      await report({ numPassedTests: 5, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 }),
    ).toEqual({
      passed: 5,
      failed: 2,
      skipped: 2,
    });
  });

  it("counts a file that could not be loaded as a failure", async () => {
    const file = { status: "failed", assertionResults: [] };
    expect(await report({ numPassedTests: 5, testResults: [file] })).toEqual({
      passed: 5,
      failed: 1,
      skipped: 0,
    });
  });

  it("counts a missing report as a failure", async () => {
    expect(await readReport(join(folder, "none.json"))).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it("ends as one plain line", () => {
    const counts = addCounts({ passed: 1, failed: 0, skipped: 0 }, { passed: 2, failed: 1, skipped: 0 });
    expect(summaryLine(counts)).toBe("3 passed, 1 failed");
    expect(summaryLine({ ...counts, skipped: 4 })).toBe("3 passed, 1 failed, 4 skipped");
  });
});
