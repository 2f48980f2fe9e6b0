import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findExcess, measureBuild, sizeTable } from "../../../scripts/lib/bundle-sizes";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "moggy-sizes-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): number {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return Buffer.byteLength(text);
}

const why = "It is so.";

describe("measureBuild", () => {
  it("counts a page with all that it loads by itself, once, and nothing that it loads later", async () => {
    const html = write(
      "options.html",
      '<script type="module" crossorigin src="/assets/a.js"></script><link rel="stylesheet" crossorigin href="/assets/a.css"><link rel="icon" href="data:,">',
    );
    const a = write(
      "assets/a.js",
      'import { b } from "./b.js"; import "./c.js"; b(() => import("./late.js"));',
    );
    const b = write("assets/b.js", 'import "./c.js"; export const b = (load) => load();');
    const c = write("assets/c.js", 'export * from "./b.js";');
    const css = write("assets/a.css", "body { color: red }");
    write("assets/late.js", "x".repeat(5_000));
    const sizes = await measureBuild(folder, {});
    expect(sizes).toEqual([
      {
        bundle: "options.html",
        bytes: html + a + b + c + css,
        gzipBytes: expect.any(Number),
        budget: undefined,
      },
    ]);
  });

  it("counts scripts and pages at the root", async () => {
    write("core.js", "a".repeat(1_000));
    write("popup.html", "<p></p>");
    write("manifest.json", "{}");
    const sizes = await measureBuild(folder, { "core.js": { maxBytes: 2_000, why } });
    expect(sizes.map(({ bundle, bytes }) => [bundle, bytes])).toEqual([
      ["core.js", 1_000],
      ["popup.html", 7],
    ]);
    expect(sizes[0]?.gzipBytes).toBeLessThan(100);
    expect(sizeTable(sizes)).toBe(
      [
        "bundle      minified    gzip  budget  used",
        `core.js       1.0 KB  0.0 KB  2.0 KB  50 %`,
        `popup.html    0.0 KB  0.0 KB    none`,
      ].join("\n"),
    );
  });
});

describe("findExcess", () => {
  const size = { bundle: "core.js", bytes: 1_000, gzipBytes: 300 };
  const find = (budget: { maxBytes: number; maxGzipBytes?: number } | undefined) => {
    const full = budget && { ...budget, why };
    return findExcess([{ ...size, budget: full }], full ? { "core.js": full } : {});
  };

  it("is content up to the budget", () => {
    expect(find({ maxBytes: 1_000, maxGzipBytes: 300 })).toEqual([]);
  });

  it.each([
    [{ maxBytes: 999 }, "core.js is 1.0 KB, 0.0 KB over its budget of 1.0 KB. It is so."],
    [
      { maxBytes: 2_000, maxGzipBytes: 200 },
      "core.js is 0.3 KB gzipped, 0.1 KB over its budget of 0.2 KB. It is so.",
    ],
    [undefined, "core.js has no budget: give it one in build/budgets.json."],
  ])("finds what is over or has none: %j", (budget, fault) => {
    expect(find(budget)).toEqual([fault]);
  });

  it("finds a budget whose bundle is gone", () => {
    expect(findExcess([], { "relay.js": { maxBytes: 1, why } })).toEqual([
      "relay.js has a budget, but the build has no such bundle.",
    ]);
  });
});
