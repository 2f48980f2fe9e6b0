import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeVersionProblem } from "../../../scripts/lib/node-version.mjs";
import { Machine } from "./machine";

let machine: Machine;

beforeEach(() => {
  machine = new Machine();
  machine.browser("system/usr/lib/chromium/chromium", "Chromium 156.0.1.2 built on Test");
});
afterEach(() => machine.remove());

const one = { version: "1.0.0", integrity: "sha512-one" };

describe("packages", () => {
  it("are installed when node_modules is missing, and only then", () => {
    machine.fake("npm", `/bin/mkdir -p node_modules`);
    const first = machine.prepare();
    expect(first.calls).toEqual(["npm ci --no-audit --no-fund"]);
    expect(first.output).toContain("Installing packages (first run)");
    expect(first.code).toBe(0);

    const second = machine.prepare();
    expect(second.calls).toEqual([]);
    expect(second.code).toBe(0);
  });

  it("are installed again when package-lock.json has changed", () => {
    machine.fake("npm", `/bin/mkdir -p node_modules`);
    machine.prepare();
    machine.lock({ "node_modules/one": { version: "1.1.0", integrity: "sha512-newer" } });
    const run = machine.prepare();
    expect(run.calls).toEqual(["npm ci --no-audit --no-fund"]);
    expect(run.output).toContain("package-lock.json has changed");
  });

  it("are left alone when npm itself has just installed what the lock file says", () => {
    machine.fake("npm");
    machine.lock({ "node_modules/one": one, "node_modules/mac-only": { ...one, optional: true } });
    machine.installed({ "node_modules/one": one });
    expect(machine.prepare()).toMatchObject({ calls: [], code: 0 });
  });

  it.each([
    ["another version", { "node_modules/one": { version: "0.9.0", integrity: "sha512-one" } }],
    ["another content", { "node_modules/one": { version: "1.0.0", integrity: "sha512-other" } }],
    ["too little", {}],
    ["too much", { "node_modules/one": one, "node_modules/two": one }],
  ])("are installed when npm's note says %s", (_what, note) => {
    machine.fake("npm");
    machine.installed(note);
    expect(machine.prepare().calls).toEqual(["npm ci --no-audit --no-fund"]);
  });

  it("are installed by the npm that runs the script, when there is one", () => {
    const cli = machine.write(
      "npm/npm-cli.js",
      'require("node:fs").mkdirSync("node_modules"); console.log(process.argv[2]);',
    );
    machine.fake("npm", "exit 9");
    const run = machine.prepare({ npm_execpath: cli });
    expect(run).toMatchObject({ calls: [], code: 0 });
    expect(run.output).toContain("npm ci: done");
  });

  it("say why when npm fails, and leave the next run to try again", () => {
    machine.fake("npm", `echo "npm error network request failed" >&2\nexit 1`);
    const run = machine.prepare();
    expect(run.code).toBe(1);
    expect(run.output).toContain("npm error network request failed");
    expect(run.output).toContain("npm registry");
    expect(machine.prepare().calls).toEqual(["npm ci --no-audit --no-fund"]);
  });

  it("say what to do when npm is not there", () => {
    const run = machine.prepare();
    expect(run.code).toBe(1);
    expect(run.output).toContain("npm is not on PATH");
  });

  it("an installation that was broken off counts for nothing", () => {
    machine.fake("npm", `/bin/mkdir -p node_modules`);
    machine.prepare();
    rmSync(join(machine.project, "node_modules"), { recursive: true });
    expect(machine.prepare().calls).toEqual(["npm ci --no-audit --no-fund"]);
  });
});

describe("the version of Node", () => {
  it.each(["20.19.0", "20.20.2", "22.12.0", "24.0.0"])("%s will do", (version) => {
    expect(nodeVersionProblem(version)).toBeNull();
  });

  it.each(["20.18.9", "18.20.4", "8.17.0", "20.9.0"])("%s is told to be too old", (version) => {
    expect(nodeVersionProblem(version)).toContain(`need Node 20.19 or newer, and this is Node ${version}`);
  });
});
