// @ts-check
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium, MINIMUM_CHROMIUM } from "./chromium.mjs";
import { downloadWithPlaywright, installFromDebian } from "./chromium-install.mjs";
import { searchScope } from "./chromium-places.mjs";
import { ensurePackages } from "./packages.mjs";
import { printError, Stop } from "./stop.mjs";

/**
 * Brings a machine that has only Node to the point where the project's commands run: packages, then a Chromium.
 * @returns {Promise<number>} exit code; all that a person needs to know has been printed
 */
export async function prepare() {
  const projectRoot = join(fileURLToPath(import.meta.url), "../../..");
  const env = process.env;
  try {
    await ensurePackages({ projectRoot, env });
    const chromium = await ensureChromium(searchScope(projectRoot, env));
    console.log(`Chromium ${chromium.version} (${chromium.path})`);
    return 0;
  } catch (error) {
    printError(error);
    return 1;
  }
}

/**
 * @param {import("./chromium-places.mjs").SearchScope} scope
 * @returns {Promise<import("./chromium.mjs").Chromium>}
 * @throws {Stop} saying what was looked at, what was tried and what to do
 */
async function ensureChromium(scope) {
  const first = await findChromium(scope);
  if (first.chromium) return first.chromium;
  /** @type {import("./chromium-install.mjs").Attempt[]} */
  const attempts = [];
  let rejected = first.rejected;
  if (scope.env.MOGGY_NO_INSTALL) {
    attempts.push({ way: "nothing", failure: "MOGGY_NO_INSTALL is set." });
  } else {
    console.log(`No Chromium ${MINIMUM_CHROMIUM} or newer is here. Installing one:`);
    for (const install of [installFromDebian, downloadWithPlaywright]) {
      const attempt = await install(scope);
      if (!attempt.failure) {
        const search = await findChromium(scope);
        if (search.chromium) return search.chromium;
        rejected = search.rejected;
        attempt.failure = "it was installed, but no usable Chromium is found after it.";
      }
      console.log(`  ${attempt.way}: ${attempt.failure}`);
      attempts.push(attempt);
    }
  }
  throw new Stop(whatToDo(scope.platform, rejected, attempts));
}

/**
 * @param {NodeJS.Platform} platform
 * @param {import("./chromium.mjs").Rejected[]} rejected
 * @param {import("./chromium-install.mjs").Attempt[]} attempts
 */
function whatToDo(platform, rejected, attempts) {
  const ways = {
    linux: "sudo apt-get install chromium       (Debian; on other systems the package of the same name)",
    darwin: "brew install --cask chromium",
    win32: "winget install Hibbiki.Chromium",
  };
  const way = platform === "darwin" || platform === "win32" ? ways[platform] : ways.linux;
  const looked = rejected.map(({ path, reason }) => `  ${path}\n    ${reason}`);
  return [
    `A Chromium, version ${MINIMUM_CHROMIUM} or newer, is needed to run the extension, and none could be had.`,
    looked.length > 0 ? `Found, but not usable:\n${looked.join("\n")}` : "Found: none in any usual place.",
    `Tried to install:\n${attempts.map((attempt) => `  ${attempt.way}: ${attempt.failure}`).join("\n")}`,
    "What to do: one of these, then run the command again.",
    `  - ${way}`,
    "  - download Chrome for Testing (https://googlechromelabs.github.io/chrome-for-testing/), unpack it, and set",
    "    MOGGY_CHROMIUM to the path of the program inside",
    "  - where the download works but the program does not start: npx playwright-core install-deps chromium",
  ].join("\n");
}
