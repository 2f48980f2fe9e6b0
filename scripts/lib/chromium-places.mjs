// @ts-check
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { which } from "./processes.mjs";

/**
 * Where the search looks. `systemRoot` stands in for "/" (tests); everything else comes from the environment.
 * @typedef {object} SearchScope
 * @property {NodeJS.Platform} platform
 * @property {NodeJS.ProcessEnv} env
 * @property {string} projectRoot
 * @property {string} systemRoot
 */

/** The folder, inside the project, that holds a Chromium downloaded for it.
 * @param {string} projectRoot */
export const ownBrowsersFolder = (projectRoot) => join(projectRoot, ".moggy", "browsers");

/**
 * The scope of this machine and this environment.
 * @param {string} projectRoot
 * @param {NodeJS.ProcessEnv} env
 * @returns {SearchScope}
 */
export function searchScope(projectRoot, env) {
  return { platform: process.platform, env, projectRoot, systemRoot: env.MOGGY_SYSTEM_ROOT ?? "/" };
}

/**
 * Every executable that may be a usable Chromium, best first; each exists. Branded Chrome comes last: it is never used, but the
 * person should hear why.
 * @param {SearchScope} scope
 * @returns {string[]}
 */
export function chromiumPlaces(scope) {
  const places = [...systemPlaces(scope), ...downloadPlaces(scope), ...brandedPlaces(scope)];
  return [...new Set(places)].filter((path) => existsSync(path));
}

/** @param {SearchScope} scope @returns {string[]} */
function systemPlaces({ platform, env, systemRoot }) {
  if (platform === "darwin") {
    return applicationFolders(systemRoot, env).flatMap((folder) => [
      join(folder, "Chromium.app/Contents/MacOS/Chromium"),
      join(folder, "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"),
    ]);
  }
  if (platform === "win32") {
    return programFolders(env).map((folder) => join(folder, "Chromium", "Application", "chrome.exe"));
  }
  // The binaries before the wrapper scripts on PATH: a wrapper adds flags of its own and hides the process id.
  const binaries = ["usr/lib", "usr/lib64"].flatMap((library) =>
    subfolders(join(systemRoot, library), /^chromium/).flatMap((folder) => [
      join(folder, "chromium"),
      join(folder, "chromium-browser"),
    ]),
  );
  return [...binaries, ...onPath(["chromium", "chromium-browser"], env)];
}

/** What playwright and puppeteer keep in the person's cache, and what this project has downloaded. @param {SearchScope} scope */
function downloadPlaces({ platform, env, projectRoot }) {
  const home = homeFolder(env);
  const caches = {
    darwin: join(home, "Library", "Caches"),
    win32: env.LOCALAPPDATA ?? join(home, "AppData", "Local"),
  };
  const cache =
    platform === "darwin" || platform === "win32"
      ? caches[platform]
      : (env.XDG_CACHE_HOME ?? join(home, ".cache"));
  const playwright = [
    env.PLAYWRIGHT_BROWSERS_PATH ?? join(cache, "ms-playwright"),
    ownBrowsersFolder(projectRoot),
  ];
  const revisions = [
    ...playwright.flatMap((folder) => subfolders(folder, /^chromium-\d+$/)),
    ...subfolders(join(home, ".cache", "puppeteer", "chrome"), /-\d/),
    ...subfolders(join(home, ".cache", "puppeteer", "chromium"), /-\d/),
  ];
  return revisions.flatMap((revision) =>
    subfolders(revision, /^chrome-/).flatMap((folder) => [
      join(folder, platform === "win32" ? "chrome.exe" : "chrome"),
      join(folder, "Chromium.app/Contents/MacOS/Chromium"),
      join(folder, "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"),
    ]),
  );
}

/** @param {SearchScope} scope @returns {string[]} */
function brandedPlaces({ platform, env, systemRoot }) {
  if (platform === "darwin") {
    return applicationFolders(systemRoot, env).map((folder) =>
      join(folder, "Google Chrome.app/Contents/MacOS/Google Chrome"),
    );
  }
  if (platform === "win32") {
    return programFolders(env).map((folder) => join(folder, "Google", "Chrome", "Application", "chrome.exe"));
  }
  return onPath(["google-chrome", "google-chrome-stable", "chrome"], env);
}

/** @param {string[]} names @param {NodeJS.ProcessEnv} env */
const onPath = (names, env) => names.map((name) => which(name, env)).filter((path) => path !== null);

/** @param {string} systemRoot @param {NodeJS.ProcessEnv} env */
const applicationFolders = (systemRoot, env) => [
  join(systemRoot, "Applications"),
  join(homeFolder(env), "Applications"),
];

/** @param {NodeJS.ProcessEnv} env */
const programFolders = (env) =>
  [env.LOCALAPPDATA, env.ProgramFiles, env["ProgramFiles(x86)"]].filter((folder) => folder !== undefined);

/** @param {NodeJS.ProcessEnv} env */
const homeFolder = (env) => env.HOME ?? env.USERPROFILE ?? homedir();

/**
 * Folders in `parent` whose name fits, the newest (highest number) first; none when `parent` does not exist.
 * @param {string} parent
 * @param {RegExp} pattern
 */
function subfolders(parent, pattern) {
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .filter((name) => pattern.test(name))
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
    .map((name) => join(parent, name));
}
