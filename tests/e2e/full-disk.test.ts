import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser, type TestBrowser } from "./harness/browser";
import { callFiles, fileTree } from "./harness/files";

/*
 * On a disk of 160 MB: only a mount makes one, and only root may mount. With `unlimitedStorage` no quota can be set from outside, so
 * there is no other way to a real one (what a quota does otherwise is in tests/unit/files).
 */
const disk = mountSmallDisk();

function mountSmallDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), "moggy-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=160m", "tmpfs", folder], { stdio: "ignore" });
    return folder;
  } catch {
    // Not root, or no mounts in this container.
    rmSync(folder, { recursive: true });
    return null;
  }
}

describe.runIf(disk !== null)("a disk that is full", () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await launchBrowser({ profile: join(disk ?? "", "profile") });
  });
  afterAll(async () => {
    await browser?.close();
    if (disk !== null) {
      execFileSync("umount", [disk]);
      rmSync(disk, { recursive: true });
    }
  });

  const MB = 1_000_000;
  const at = (path: string) => ({ area: "workspace", path });
  const attempt = (method: string, input: Record<string, unknown>): Promise<string> =>
    callFiles(browser.options, method, input).then(
      () => "done",
      (error: Error) => error.name,
    );
  const sizes = async () => {
    const list = await callFiles<Array<{ path: string; size: number }>>(browser.options, "list", {
      place: at(""),
    });
    return Object.fromEntries(list.map(({ path, size }) => [path, size]));
  };

  it("because of our own files is told with what is used; nothing is lost, and deleting makes room", async () => {
    let written = 0;
    let outcome = "done";
    while (outcome === "done") {
      outcome = await attempt("write", { place: at(`f${written}`), bytes: 16 * MB });
      if (outcome === "done") written += 1;
    }
    expect(outcome).toBe("QuotaExceededError");
    expect(written).toBeGreaterThan(3);
    const full = Object.fromEntries(Array.from({ length: written }, (_, i) => [`f${i}`, 16 * MB]));
    expect(await sizes()).toEqual(full);
    for (const method of ["write", "append"]) {
      await expect(
        callFiles(browser.options, method, { place: at("f0"), bytes: 60 * MB }),
      ).rejects.toMatchObject({
        name: "QuotaExceededError",
        message: expect.stringMatching(/“f0” was not written: \d+ MB of the \d+ MB/),
      });
    }
    expect(await sizes()).toEqual(full);
    expect((await fileTree(browser.options)).filter((path) => path.startsWith(".moggy/"))).toEqual([]);
    expect(await attempt("delete", { place: at("f1") })).toBe("done");
    expect(await attempt("write", { place: at("f0"), bytes: 8 * MB })).toBe("done");
    expect(await sizes()).toMatchObject({ f0: 8 * MB });
  });

  it("because of somebody else is told as such, down to the last byte", async () => {
    await callFiles(browser.options, "clear", {});
    await callFiles(browser.options, "write", { place: at("kept"), bytes: MB });
    try {
      for (let i = 0; i < 400; i++) writeFileSync(join(disk ?? "", `filler${i}`), Buffer.alloc(MB));
    } catch (error) {
      expect((error as { code?: string }).code).toBe("ENOSPC");
    }
    for (const bytes of [10, MB, 30 * MB]) {
      expect(await attempt("write", { place: at("kept"), bytes })).toBe("DiskFullError");
      expect(await attempt("append", { place: at("kept"), bytes })).toBe("DiskFullError");
      expect(await attempt("write", { place: at("new"), bytes })).toBe("DiskFullError");
    }
    expect(await sizes()).toEqual({ kept: MB });
    for (let i = 0; i < 20; i++) rmSync(join(disk ?? "", `filler${i}`));
    expect(await attempt("append", { place: at("kept"), bytes: 3 * MB })).toBe("done");
    expect(await sizes()).toEqual({ kept: 4 * MB });
    expect((await fileTree(browser.options)).filter((path) => path.startsWith(".moggy/"))).toEqual([]);
  });
});
