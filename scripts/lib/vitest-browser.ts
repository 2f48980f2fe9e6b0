import type {} from "vitest";
import type { TestProject } from "vitest/node";
import { ensureBuild } from "./builds";
import { findChromium } from "./chromium.mjs";
import { searchScope } from "./chromium-places.mjs";
import { PROJECT_ROOT } from "./root";
import { Stop } from "./stop.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** Path of the Chromium that browser tests launch: `inject("chromium")`. */
    chromium: string;
  }
}

/** Vitest's global set-up for tests that need a browser: both builds up to date, and one Chromium for all of them. */
export default async function setup(project: TestProject): Promise<void> {
  const { chromium } = await findChromium(searchScope(PROJECT_ROOT, process.env));
  if (!chromium) throw new Stop("No usable Chromium is here. Run: node scripts/prepare.mjs");
  await ensureBuild("production");
  await ensureBuild("eval");
  project.provide("chromium", chromium.path);
}
