// npm run lint: the part of the room boundaries that a pattern on the specifier cannot see (see build/rooms.biome.json for the rest).
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findLeavingImports } from "./lib/rooms";
import { PROJECT_ROOT } from "./lib/root";
import { filesUnder } from "./lib/sources";
import { printError, Stop } from "./lib/stop.mjs";

try {
  const faults: string[] = [];
  const paths = (await filesUnder(PROJECT_ROOT, "src")).filter((path) => /\.tsx?$/.test(path));
  for (const path of paths) {
    faults.push(...findLeavingImports(path, await readFile(join(PROJECT_ROOT, path), "utf8")));
  }
  if (faults.length > 0) throw new Stop(faults.join("\n"));
  console.log(`Imports of ${paths.length} files stay within their rooms or go through "@/".`);
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
