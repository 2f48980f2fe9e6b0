// npm run audit:size: what every bundle of dist/ weighs, against build/budgets.json.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buildFolder } from "./lib/builds";
import { type Budget, findExcess, measureBuild, sizeTable } from "./lib/bundle-sizes";
import { PROJECT_ROOT } from "./lib/root";
import { printError, Stop } from "./lib/stop.mjs";

try {
  const folder = buildFolder("production");
  if (!existsSync(join(folder, "manifest.json")))
    throw new Stop("There is no build to measure. Run: npm run build");
  const budgets = JSON.parse(await readFile(join(PROJECT_ROOT, "build", "budgets.json"), "utf8")) as Record<
    string,
    Budget
  >;
  const sizes = await measureBuild(folder, budgets);
  console.log(sizeTable(sizes));
  const faults = findExcess(sizes, budgets);
  if (faults.length > 0) throw new Stop(faults.join("\n"));
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
