import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { build } from "vite";
import { PROJECT_ROOT } from "./root";
import { filesUnder } from "./sources";
import { Stop } from "./stop.mjs";

/** `production` is what people load (dist/); `eval` also answers the `eval:*` messages that tests and the demo use (dist-eval/). */
export type BuildKind = "production" | "eval";

export const BUILD_KINDS: readonly BuildKind[] = ["production", "eval"];

/** All that a build depends on. A file outside of these lists must not be read by the build. */
const SOURCE_FOLDERS = ["src", "public", "build", "types"];
const SOURCE_FILES = [
  "manifest.json",
  "vite.config.ts",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "LICENSE",
];

/** The folder a build is written to. */
export function buildFolder(kind: BuildKind): string {
  return join(PROJECT_ROOT, kind === "eval" ? "dist-eval" : "dist");
}

/**
 * Builds, whatever is there already.
 * @throws {Stop} when the sources do not build
 */
export async function runBuild(kind: BuildKind): Promise<void> {
  // Hashed before: a file saved during the build then makes the next run build again.
  const hash = await sourceHash();
  // Packages look at it for what they build in. A test runner that builds has its own, with which React would be the one for development.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = "production";
  try {
    await build({
      configFile: join(PROJECT_ROOT, "vite.config.ts"),
      mode: kind,
      logLevel: "warn",
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Stop(`The sources do not build: ${stripVTControlCharacters(message)}`);
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
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
  const inFolders = await Promise.all(SOURCE_FOLDERS.map((folder) => filesUnder(PROJECT_ROOT, folder)));
  for (const path of [...inFolders.flat(), ...SOURCE_FILES]) {
    hash.update(`${path}\0`);
    hash.update(await readFile(join(PROJECT_ROOT, path)));
  }
  return hash.digest("hex");
}
