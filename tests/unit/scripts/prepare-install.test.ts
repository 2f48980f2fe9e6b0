import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Machine } from "./machine";

let machine: Machine;

beforeEach(() => {
  machine = new Machine();
  machine.installed({ "node_modules/one": { version: "1.0.0", integrity: "sha512-one" } });
});
afterEach(() => machine.remove());

const GOOD = "Chromium 156.0.8078.114 built on Debian";
const BINARY = "system/usr/lib/chromium/chromium";
const UPDATE = "apt-get -q -o DPkg::Lock::Timeout=60 update";
const INSTALL = "apt-get -q -o DPkg::Lock::Timeout=60 install -y --no-install-recommends chromium";
const DOWNLOAD = "playwright install --no-shell chromium";

const asRoot = () => machine.fake("id", "echo 0");
const asUser = () => machine.fake("id", "echo 1000");

/** An apt-get whose `install` does what `body` says; `update` succeeds. */
const aptGet = (body: string) => machine.fake("apt-get", `case "$*" in *install*)\n${body}\n;; esac`);

/** A playwright-core that puts a browser where it is told to. */
function playwrightThatWorks() {
  machine.playwright(`
    const fs = require("node:fs");
    const folder = process.env.PLAYWRIGHT_BROWSERS_PATH + "/chromium-1300/chrome-linux64";
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(folder + "/chrome", '#!/bin/sh\\necho "Google Chrome for Testing 153.0.1.2"\\n', { mode: 0o755 });
  `);
}
const DOWNLOADED = "project/.moggy/browsers/chromium-1300/chrome-linux64/chrome";

describe("Debian's package", () => {
  it("is installed as root, after an update of the lists", () => {
    asRoot();
    aptGet(machine.makesBrowser(BINARY, GOOD));
    const run = machine.prepare();
    expect(run.calls).toEqual(["id -u", UPDATE, INSTALL]);
    expect(run.output).toContain("No Chromium 148 or newer is here. Installing one:");
    expect(run.output).toMatch(/apt-get update … *\n.*apt-get update: done after \d+ s/);
    expect(run.output).toContain(`Chromium 156.0.8078.114 (${machine.folder}/${BINARY})`);
    expect(run.code).toBe(0);
  });

  it("is installed through sudo where that asks for no password, with the helper that keeps the sandbox", () => {
    asUser();
    machine.fake("sudo", 'shift\nexec "$@"');
    machine.fake("true");
    machine.fake("env", 'shift\nexec "$@"');
    aptGet(machine.makesBrowser(BINARY, GOOD));
    const run = machine.prepare();
    const env = "DEBIAN_FRONTEND=noninteractive";
    const apt = `${machine.bin}/apt-get`;
    expect(run.calls.filter((call) => !/^(true|env)/.test(call))).toEqual([
      "id -u",
      "sudo -n true",
      `sudo -n env ${env} ${UPDATE.replace("apt-get", apt)}`,
      UPDATE,
      `sudo -n env ${env} ${INSTALL.replace("apt-get", apt)} chromium-sandbox`,
      `${INSTALL} chromium-sandbox`,
    ]);
    expect(run.code).toBe(0);
  });

  it.each([
    [
      "sudo would ask for a password",
      () => machine.fake("sudo", 'echo "sudo: a password is required" >&2\nexit 1'),
    ],
    ["there is no sudo", () => undefined],
  ])("is not tried when %s: playwright's download is", (_what, arrange) => {
    asUser();
    arrange();
    machine.fake("apt-get");
    playwrightThatWorks();
    const run = machine.prepare();
    expect(run.calls.filter((call) => call.startsWith("apt-get"))).toEqual([]);
    expect(run.calls.at(-1)).toBe(DOWNLOAD);
    expect(run.output).toContain("apt-get needs root, and sudo is not here or would ask for a password");
    expect(run.output).toContain(`Chromium 153.0.1.2 (${machine.folder}/${DOWNLOADED})`);
    expect(run.code).toBe(0);
  });

  it.each([
    [
      "the update fails",
      'case "$*" in *update*) echo "E: no network" >&2; exit 100;; esac',
      "apt-get update: it ended with exit code 100: E: no network",
    ],
    [
      "the package is unknown",
      'case "$*" in *install*) echo "E: Unable to locate package chromium" >&2; exit 100;; esac',
      "apt-get install: it ended with exit code 100: E: Unable to locate package chromium",
    ],
    ["apt-get hangs", "exec /bin/sleep 60", "apt-get update: it had not ended after 1 s and was stopped"],
  ])("gives way to playwright's download when %s", (_what, body, reason) => {
    asRoot();
    machine.fake("apt-get", body);
    playwrightThatWorks();
    const run = machine.prepare({ MOGGY_INSTALL_TIMEOUT: body.startsWith("exec") ? "1" : "60" });
    expect(run.output).toContain(reason);
    expect(run.output).toContain(`Chromium 153.0.1.2 (${machine.folder}/${DOWNLOADED})`);
    expect(run.code).toBe(0);
  });

  it("gives way when what it brings is too old, and the version is told if nothing else helps", () => {
    asRoot();
    aptGet(machine.makesBrowser(BINARY, "Chromium 120.0.6099.1 built on Debian"));
    const run = machine.prepare();
    expect(run.code).toBe(1);
    expect(run.output).toContain("it was installed, but no usable Chromium is found after it");
    expect(run.output).toContain("it is version 120, and 148 or newer is needed");
    playwrightThatWorks();
    expect(machine.prepare().code).toBe(0);
  });
});

describe("playwright's download", () => {
  it("is used where there is no apt-get", () => {
    playwrightThatWorks();
    const run = machine.prepare();
    expect(run.calls).toEqual([DOWNLOAD]);
    expect(run.output).toContain("there is no apt-get on this machine");
    expect(run.code).toBe(0);
    expect(machine.prepare().calls).toEqual([]);
  });

  it("that fails is told with its last words", () => {
    machine.playwright('console.error("Error: getaddrinfo ENOTFOUND cdn"); process.exit(1);');
    const run = machine.prepare();
    expect(run.code).toBe(1);
    expect(run.output).toContain(
      "playwright-core's download: it ended with exit code 1: Error: getaddrinfo ENOTFOUND cdn",
    );
  });
});

describe("where none can be had", () => {
  it("says what was looked at, what was tried and what to do", () => {
    asUser();
    machine.browser("bin/google-chrome", "Google Chrome 156.0.1.2");
    machine.browser("bin/chromium", "Chromium 130.0.1.2");
    const run = machine.prepare();
    expect(run.code).toBe(1);
    expect(run.output).toContain("A Chromium, version 148 or newer, is needed");
    expect(run.output).toContain("branded Chrome 156, which ignores --load-extension since version 137");
    expect(run.output).toContain("it is version 130");
    expect(run.output).toContain("Debian's package: there is no apt-get");
    expect(run.output).toContain("playwright-core's download: playwright-core is not installed");
    expect(run.output).toContain("sudo apt-get install chromium");
    expect(run.output).toContain("MOGGY_CHROMIUM");
  });

  it("installs nothing when it is told not to", () => {
    asRoot();
    machine.fake("apt-get");
    playwrightThatWorks();
    const run = machine.prepare({ MOGGY_NO_INSTALL: "1" });
    expect(run).toMatchObject({ calls: [], code: 1 });
    expect(run.output).toContain("MOGGY_NO_INSTALL is set");
    expect(run.output).toContain("Found: none in any usual place.");
  });
});
