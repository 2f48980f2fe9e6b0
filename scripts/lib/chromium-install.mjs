// @ts-check
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ownBrowsersFolder } from "./chromium-places.mjs";
import { run, runAloud, which } from "./processes.mjs";

const UPDATE_TIMEOUT_S = 180;
const INSTALL_TIMEOUT_S = 900;

/**
 * What one way of installing came to: `done`, or why it did not.
 * @typedef {{ way: string, failure: string | null }} Attempt
 * @typedef {import("./chromium-places.mjs").SearchScope} SearchScope
 */

/**
 * Installs Debian's package, as root or through `sudo -n` (which never asks for a password).
 * @param {SearchScope} scope
 * @returns {Promise<Attempt>}
 */
export async function installFromDebian(scope) {
  const way = "Debian's package";
  const aptGet = which("apt-get", scope.env);
  if (!aptGet) return { way, failure: "there is no apt-get on this machine." };
  const prefix = await rootPrefix(scope.env);
  if (!prefix) {
    return { way, failure: "apt-get needs root, and sudo is not here or would ask for a password." };
  }
  // A person who is not root keeps the browser's sandbox, which on some kernels needs the helper of this package.
  const packages = prefix.length > 0 ? ["chromium", "chromium-sandbox"] : ["chromium"];
  const steps = [
    { args: ["update"], limit: UPDATE_TIMEOUT_S },
    { args: ["install", "-y", "--no-install-recommends", ...packages], limit: INSTALL_TIMEOUT_S },
  ];
  for (const { args, limit } of steps) {
    const command = [...prefix, aptGet, "-q", "-o", "DPkg::Lock::Timeout=60", ...args];
    const outcome = await runAloud(`apt-get ${args.join(" ")}`, command[0] ?? aptGet, command.slice(1), {
      env: { ...scope.env, DEBIAN_FRONTEND: "noninteractive" },
      timeoutMs: limitMs(scope.env, limit),
    });
    if (outcome.failure) return { way, failure: `apt-get ${args[0]}: ${outcome.failure}` };
  }
  return { way, failure: null };
}

/**
 * What to put before a command that needs root: nothing as root, sudo where it works unasked, null where neither holds.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string[] | null>}
 */
async function rootPrefix(env) {
  const id = which("id", env);
  const uid = id
    ? (await run(id, ["-u"], { env, timeoutMs: 5_000 })).stdout.trim()
    : String(process.getuid?.());
  if (uid === "0") return [];
  const sudo = which("sudo", env);
  if (!sudo) return null;
  const allowed = await run(sudo, ["-n", "true"], { env, timeoutMs: 10_000 });
  return allowed.failure ? null : [sudo, "-n", "env", "DEBIAN_FRONTEND=noninteractive"];
}

/**
 * Lets playwright-core download the Chromium that it was made for into the project's own `.moggy/browsers`.
 * @param {SearchScope} scope
 * @returns {Promise<Attempt>}
 */
export async function downloadWithPlaywright(scope) {
  const way = "playwright-core's download";
  const cli = join(scope.projectRoot, "node_modules", "playwright-core", "cli.js");
  if (!existsSync(cli)) return { way, failure: "playwright-core is not installed." };
  const outcome = await runAloud(
    "playwright-core install chromium",
    process.execPath,
    [cli, "install", "--no-shell", "chromium"],
    {
      env: { ...scope.env, PLAYWRIGHT_BROWSERS_PATH: ownBrowsersFolder(scope.projectRoot) },
      timeoutMs: limitMs(scope.env, INSTALL_TIMEOUT_S),
    },
  );
  return { way, failure: outcome.failure };
}

/** @param {NodeJS.ProcessEnv} env @param {number} seconds */
function limitMs(env, seconds) {
  const chosen = Number(env.MOGGY_INSTALL_TIMEOUT);
  return (chosen > 0 ? chosen : seconds) * 1000;
}
