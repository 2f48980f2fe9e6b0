// @ts-check
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * @typedef {object} Outcome
 * @property {number | null} code exit code; null when the process was ended by a signal or never started
 * @property {string} stdout
 * @property {string} stderr
 * @property {boolean} timedOut
 * @property {string | null} failure one sentence, or null when the exit code is 0
 */

/**
 * Where a command is on PATH, or null. (PATHEXT is honoured on Windows.)
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | null}
 */
export function which(name, env) {
  const endings = process.platform === "win32" ? (env.PATHEXT ?? ".EXE;.CMD;.BAT").split(";") : [""];
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    if (folder === "") continue;
    for (const ending of endings) {
      const path = join(folder, name + ending);
      if (isExecutable(path)) return path;
    }
  }
  return null;
}

/**
 * @param {string} path
 * @returns {boolean} whether it is a file that this user may run
 */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Absent, a dangling link or not ours to run: for the search all three mean "not this one".
    return false;
  }
}

/**
 * Runs a program to its end and keeps what it printed. Never rejects: see `failure`.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {object} options
 * @param {NodeJS.ProcessEnv} options.env
 * @param {number} options.timeoutMs after which the process is ended
 * @param {string} [options.cwd]
 * @param {(line: string) => void} [options.onLine] called with each line of either output as it comes
 * @returns {Promise<Outcome>}
 */
export function run(command, args, options) {
  return new Promise((settle) => {
    const child = spawn(command, [...args], {
      env: options.env,
      cwd: options.cwd,
      stdio: ["ignore", "pipe", "pipe"],
      // npm on Windows is a .cmd file, which only a shell starts; every argument here is a constant of ours.
      shell: /\.(cmd|bat)$/i.test(command),
    });
    const output = { stdout: "", stderr: "" };
    let timedOut = false;
    /** @type {NodeJS.Timeout | undefined} */
    let hardKill;
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill("SIGTERM");
      hardKill = setTimeout(() => child.kill("SIGKILL"), 5_000);
    }, options.timeoutMs);
    /** @type {Array<"stdout" | "stderr">} */
    const names = ["stdout", "stderr"];
    for (const name of names) {
      let partial = "";
      child[name].setEncoding("utf8").on("data", (/** @type {string} */ text) => {
        output[name] += text;
        const lines = (partial + text).split(/\r?\n|\r/);
        partial = lines.pop() ?? "";
        for (const line of lines) options.onLine?.(line);
      });
    }
    /** @param {number | null} code @param {NodeJS.Signals | null} signal */
    const end = (code, signal) => {
      clearTimeout(timer);
      clearTimeout(hardKill);
      settle({ code, ...output, timedOut, failure: failureOf(code, signal) });
    };
    /** @param {number | null} code @param {NodeJS.Signals | null} signal */
    const failureOf = (code, signal) => {
      if (timedOut) return `it had not ended after ${Math.round(options.timeoutMs / 1000)} s and was stopped`;
      if (code === 0) return null;
      return `it ended with ${signal ? `signal ${signal}` : `exit code ${code}`}${tellingLine(output)}`;
    };
    child.on("error", (error) => {
      clearTimeout(timer);
      settle({
        code: null,
        ...output,
        timedOut,
        failure: `${command} could not be started: ${error.message}`,
      });
    });
    child.on("close", end);
    // A grandchild that keeps the pipes open must not hold us for ever: two seconds for the last output, then on.
    child.on("exit", (code, signal) => setTimeout(() => end(code, signal), 2_000).unref());
  });
}

/**
 * The line in which a program that failed most likely says why: the first that speaks of an error, else its last.
 * @param {{ stdout: string, stderr: string }} output
 */
function tellingLine(output) {
  const lines = (output.stderr.trim() || output.stdout.trim()).split(/\r?\n/);
  const line = lines.find((one) => /^E:|\berror\b/i.test(one)) ?? lines.at(-1) ?? "";
  return line === "" ? "" : `: ${line.trim().slice(0, 300)}`;
}

/**
 * Runs something slow, saying at the start what it is and every ten seconds that it still goes on. When it fails, what it said is shown.
 * @param {string} title such as "apt-get update"
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env: NodeJS.ProcessEnv, timeoutMs: number, cwd?: string }} options
 * @returns {Promise<Outcome>}
 */
export async function runAloud(title, command, args, options) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  let last = "";
  console.log(`  ${title} …`);
  const beat = setInterval(() => {
    console.log(`  ${title} … ${seconds()} s${last ? ` (${last})` : ""}`);
  }, 10_000);
  const outcome = await run(command, args, {
    ...options,
    onLine: (line) => {
      if (line.trim() !== "") last = line.trim().slice(0, 80);
    },
  });
  clearInterval(beat);
  if (outcome.failure) console.log(indented(outcome.stderr.trim() || outcome.stdout.trim()));
  console.log(`  ${title}: ${outcome.failure ? "failed" : "done"} after ${seconds()} s`);
  return outcome;
}

/** The first lines of what a program said: there npm and apt-get say what is wrong. @param {string} text */
function indented(text) {
  const lines = text.split(/\r?\n/);
  const shown = lines.slice(0, 20).map((line) => `    ${line}`);
  if (lines.length > shown.length) shown.push(`    … ${lines.length - shown.length} more lines`);
  return shown.join("\n");
}
