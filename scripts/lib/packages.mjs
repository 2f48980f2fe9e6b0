// @ts-check
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { runAloud, which } from "./processes.mjs";
import { Stop } from "./stop.mjs";

const INSTALL_TIMEOUT_MS = 15 * 60_000;

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean, peer?: boolean, link?: boolean }} LockEntry
 * @typedef {{ packages?: Record<string, LockEntry> }} Lock
 */

/**
 * Runs `npm ci` when node_modules is missing or is not what package-lock.json says.
 * @param {{ projectRoot: string, env: NodeJS.ProcessEnv }} where
 * @returns {Promise<void>}
 * @throws {Stop} when npm is not there or fails
 */
export async function ensurePackages({ projectRoot, env }) {
  const lockText = readFileSync(join(projectRoot, "package-lock.json"), "utf8");
  const hash = createHash("sha256").update(lockText).digest("hex");
  const marker = join(projectRoot, "node_modules", ".moggy-lock");
  if (existsSync(marker) && readFileSync(marker, "utf8").trim() === hash) return;
  if (!installedAsLocked(projectRoot, lockText)) {
    const why = existsSync(join(projectRoot, "node_modules")) ? "package-lock.json has changed" : "first run";
    console.log(`Installing packages (${why}):`);
    const npm = npmCommand(env);
    const outcome = await runAloud("npm ci", npm.command, [...npm.args, "ci", "--no-audit", "--no-fund"], {
      env,
      cwd: projectRoot,
      timeoutMs: INSTALL_TIMEOUT_MS,
    });
    if (outcome.failure) {
      throw new Stop(
        `The packages could not be installed: npm ci ${outcome.timedOut ? "did not come to an end" : "failed"}; what it said is shown above.\n` +
          "If it is about the network, check that this machine reaches the npm registry (npm ping); then run the command again.",
      );
    }
  }
  writeFileSync(marker, `${hash}\n`);
}

/**
 * npm as the one that runs us, or else the one on PATH.
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ command: string, args: string[] }}
 */
function npmCommand(env) {
  const own = env.npm_execpath;
  if (own && basename(own) === "npm-cli.js" && existsSync(own))
    return { command: process.execPath, args: [own] };
  const onPath = which("npm", env);
  if (onPath) return { command: onPath, args: [] };
  throw new Stop(
    "npm is not on PATH. It comes with Node: install Node from https://nodejs.org and run the command again.",
  );
}

/**
 * Whether node_modules holds what the lock file asks for, by npm's own note of what it installed. Spares a developer who has
 * just run `npm ci` or `npm install` a second installation.
 * @param {string} projectRoot
 * @param {string} lockText
 */
function installedAsLocked(projectRoot, lockText) {
  const notePath = join(projectRoot, "node_modules", ".package-lock.json");
  if (!existsSync(notePath)) return false;
  const wanted = /** @type {Lock} */ (JSON.parse(lockText)).packages ?? {};
  const installed = /** @type {Lock} */ (JSON.parse(readFileSync(notePath, "utf8"))).packages ?? {};
  for (const [path, entry] of Object.entries(installed)) {
    if (wanted[path]?.version !== entry.version || wanted[path]?.integrity !== entry.integrity) return false;
  }
  return Object.entries(wanted).every(
    // Optional packages are those of other systems; npm leaves them out.
    ([path, entry]) => path === "" || path in installed || entry.optional || entry.devOptional || entry.peer,
  );
}
