import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { PROJECT_ROOT } from "./root";

/** `production` is what people load (dist/); `eval` also answers the `eval:*` messages that tests and the demo use (dist-eval/). */
export type BuildKind = "production" | "eval";

export const BUILD_KINDS: readonly BuildKind[] = ["production", "eval"];

/** All that a build depends on. A file outside of this list must not be read by the build. */
const SOURCES = [
  "src",
  "public",
  "build",
  "types",
  "manifest.json",
  "vite.config.ts",
  "package-lock.json",
  "tsconfig.json",
];

/** The folder a build is written to. */
export function buildFolder(kind: BuildKind): string {
  return join(PROJECT_ROOT, kind === "eval" ? "dist-eval" : "dist");
}

/**
 * Builds, whatever is there already.
 * @throws what vite throws when the sources do not build
 */
export async function runBuild(kind: BuildKind): Promise<void> {
  // Hashed before: a file saved during the build then makes the next run build again.
  const hash = await sourceHash();
  await build({
    configFile: join(PROJECT_ROOT, "vite.config.ts"),
    mode: kind,
    logLevel: "warn",
  });
  await mkdir(join(PROJECT_ROOT, ".moggy"), { recursive: true });
  await writeFile(stampPath(kind), `${hash}\n`);
}

/** Builds only when a source has changed since the last build, or its folder is gone. Tells whether it built. */
export async function ensureBuild(kind: BuildKind): Promise<boolean> {
  const built = existsSync(join(buildFolder(kind), "manifest.json")) && existsSync(stampPath(kind));
  if (built && (await readFile(stampPath(kind), "utf8")).trim() === (await sourceHash())) return false;
  await runBuild(kind);
  return true;
}

const stampPath = (kind: BuildKind) => join(PROJECT_ROOT, ".moggy", `built-${kind}`);

async function sourceHash(): Promise<string> {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    for (const path of await filesUnder(source)) {
      hash.update(`${path}\0`);
      hash.update(await readFile(join(PROJECT_ROOT, path)));
    }
  }
  return hash.digest("hex");
}

async function filesUnder(path: string): Promise<string[]> {
  const absolute = join(PROJECT_ROOT, path);
  if (!existsSync(absolute)) return [];
  if (path.includes(".")) return [path];
  const entries = await readdir(absolute, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(PROJECT_ROOT.length + 1))
    .sort();
}
