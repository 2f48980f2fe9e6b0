import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { gzipSync } from "node:zlib";
import { parseSource } from "./sources";

/** What a bundle may weigh, in bytes as minified (and gzipped, where that is limited too), and why that much. */
export interface Budget {
  maxBytes: number;
  maxGzipBytes?: number;
  why: string;
}

export interface BundleSize {
  /** Name of a script, or of a page: its own size and that of all that it loads before it can show anything. */
  bundle: string;
  bytes: number;
  gzipBytes: number;
  budget: Budget | undefined;
}

/** Bundles of a build: every script and every page at its root. */
export async function measureBuild(folder: string, budgets: Record<string, Budget>): Promise<BundleSize[]> {
  const names = (await readdir(folder)).filter((name) => /\.(js|html)$/.test(name)).sort();
  return Promise.all(
    names.map(async (bundle) => {
      const files = bundle.endsWith(".html") ? await pageFiles(folder, bundle) : [bundle];
      const contents = await Promise.all(files.map((file) => readFile(join(folder, file))));
      return {
        bundle,
        bytes: sum(contents.map((content) => content.length)),
        gzipBytes: sum(contents.map((content) => gzipSync(content, { level: 9 }).length)),
        budget: budgets[bundle],
      };
    }),
  );
}

/**
 * What is wrong with the sizes, one sentence each: a bundle over its budget, one without a budget, a budget without a bundle.
 */
export function findExcess(sizes: readonly BundleSize[], budgets: Record<string, Budget>): string[] {
  const faults: string[] = [];
  for (const { bundle, bytes, gzipBytes, budget } of sizes) {
    if (!budget) {
      faults.push(`${bundle} has no budget: give it one in build/budgets.json.`);
      continue;
    }
    if (bytes > budget.maxBytes) faults.push(excess(bundle, "", bytes, budget.maxBytes, budget.why));
    if (budget.maxGzipBytes !== undefined && gzipBytes > budget.maxGzipBytes) {
      faults.push(excess(bundle, " gzipped", gzipBytes, budget.maxGzipBytes, budget.why));
    }
  }
  const present = new Set(sizes.map((size) => size.bundle));
  for (const name of Object.keys(budgets)) {
    if (!present.has(name)) faults.push(`${name} has a budget, but the build has no such bundle.`);
  }
  return faults;
}

/** The sizes as a table for a terminal. */
export function sizeTable(sizes: readonly BundleSize[]): string {
  const rows = sizes.map(({ bundle, bytes, gzipBytes, budget }) => [
    bundle,
    kilobytes(bytes),
    kilobytes(gzipBytes),
    budget ? kilobytes(budget.maxBytes) : "none",
    budget ? `${Math.round((bytes / budget.maxBytes) * 100)} %` : "",
  ]);
  const table = [["bundle", "minified", "gzip", "budget", "used"], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A page and everything that it loads by itself: scripts, their static imports, style sheets. */
async function pageFiles(folder: string, page: string): Promise<string[]> {
  const html = await readFile(join(folder, page), "utf8");
  const files = new Set([page]);
  for (const [, address = ""] of html.matchAll(/<(?:script|link)\b[^>]*?\s(?:src|href)="([^"]+)"/g)) {
    if (/^(data|https?):/.test(address)) continue;
    const path = address.startsWith("/") ? address.slice(1) : posix.join(posix.dirname(page), address);
    await addWithImports(folder, path, files);
  }
  return [...files];
}

async function addWithImports(folder: string, path: string, files: Set<string>): Promise<void> {
  if (files.has(path) || !existsSync(join(folder, path))) return;
  files.add(path);
  if (!path.endsWith(".js")) return;
  const { imports } = parseSource(path, await readFile(join(folder, path), "utf8"));
  for (const { specifier, dynamic } of imports) {
    if (!dynamic) await addWithImports(folder, posix.join(dirname(path), specifier), files);
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;

function excess(bundle: string, how: string, bytes: number, limit: number, why: string): string {
  return `${bundle} is ${kilobytes(bytes)}${how}, ${kilobytes(bytes - limit)} over its budget of ${kilobytes(limit)}. ${why}`;
}
