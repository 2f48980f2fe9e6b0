// @ts-check
import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { chromiumPlaces } from "./chromium-places.mjs";
import { isExecutable, run } from "./processes.mjs";
import { Stop } from "./stop.mjs";

/** The oldest Chromium whose extension API has all that the manifest asks for (`minimum_chrome_version`). */
export const MINIMUM_CHROMIUM = 148;

const VERSION_TIMEOUT_MS = 20_000;

/**
 * @typedef {{ path: string, version: string }} Chromium
 * @typedef {{ path: string, reason: string }} Rejected why a program that was looked at cannot be used
 * @typedef {{ chromium: Chromium | null, rejected: Rejected[] }} Search
 */

/**
 * Finds a Chromium that can load the extension: `MOGGY_CHROMIUM` and nothing else when that is set, otherwise the first that will do
 * of all usual places.
 * @param {import("./chromium-places.mjs").SearchScope} scope
 * @returns {Promise<Search>}
 * @throws {Stop} when `MOGGY_CHROMIUM` names something unusable: a person who chose one does not want another silently
 */
export async function findChromium(scope) {
  const chosen = scope.env.MOGGY_CHROMIUM;
  if (chosen) {
    const verdict = await examine(chosen, scope);
    if ("version" in verdict) return { chromium: verdict, rejected: [] };
    throw new Stop(
      `MOGGY_CHROMIUM is ${chosen}, which cannot be used: ${verdict.reason}\n` +
        `Set it to a Chromium or Chrome for Testing, version ${MINIMUM_CHROMIUM} or newer, or unset it to have one found.`,
    );
  }
  /** @type {Rejected[]} */
  const rejected = [];
  for (const path of chromiumPlaces(scope)) {
    const verdict = await examine(path, scope);
    if ("version" in verdict) return { chromium: verdict, rejected };
    rejected.push(verdict);
  }
  return { chromium: null, rejected };
}

/**
 * Asks one program what it is.
 * @param {string} path
 * @param {import("./chromium-places.mjs").SearchScope} scope
 * @returns {Promise<Chromium | Rejected>}
 */
async function examine(path, scope) {
  if (!existsSync(path)) return { path, reason: "there is no such file." };
  if (!isExecutable(path)) return { path, reason: "it is not a program that this user may run." };
  const described = scope.platform === "win32" ? describeOnWindows(path) : await describe(path, scope.env);
  if ("reason" in described) return { path, ...described };
  return judge(path, described.text);
}

/** @param {string} path @param {NodeJS.ProcessEnv} env @returns {Promise<{ text: string } | { reason: string }>} */
async function describe(path, env) {
  const outcome = await run(path, ["--version"], { env, timeoutMs: VERSION_TIMEOUT_MS });
  if (outcome.failure) return { reason: `asked for its version, ${outcome.failure}` };
  return { text: outcome.stdout.trim() };
}

/**
 * On Windows `--version` opens a window instead of answering; the version is the name of a folder or a file beside the program.
 * @param {string} path
 * @returns {{ text: string } | { reason: string }}
 */
function describeOnWindows(path) {
  const version = readdirSync(dirname(path))
    .map((name) => /^(\d+\.\d+\.\d+\.\d+)(\.manifest)?$/.exec(name)?.[1])
    .find((found) => found !== undefined);
  if (!version) return { reason: "its version is not to be seen beside it." };
  return { text: `${/[\\/]Google[\\/]Chrome[\\/]/i.test(path) ? "Google Chrome" : "Chromium"} ${version}` };
}

/**
 * @param {string} path
 * @param {string} text what `--version` printed, such as "Chromium 156.0.8078.114 built on Debian"
 * @returns {Chromium | Rejected}
 */
function judge(path, text) {
  const match = /^(.*?)\s*(\d+)\.(\d+\.\d+\.\d+)/.exec(text);
  const name = match?.[1] ?? "";
  const major = Number(match?.[2]);
  if (!match) return { path, reason: `it does not say its version (it printed "${text.slice(0, 80)}").` };
  if (/^Google Chrome( (beta|dev|canary|unstable))?$/i.test(name)) {
    return {
      path,
      reason: `it is branded Chrome ${match[2]}, which ignores --load-extension since version 137, so the extension cannot be put into it from outside.`,
    };
  }
  if (!/^(Chromium|Google Chrome for Testing)$/i.test(name)) {
    return { path, reason: `it is "${name}", not Chromium or Chrome for Testing.` };
  }
  if (major < MINIMUM_CHROMIUM) {
    return { path, reason: `it is version ${major}, and ${MINIMUM_CHROMIUM} or newer is needed.` };
  }
  return { path, version: `${match[2]}.${match[3]}` };
}
