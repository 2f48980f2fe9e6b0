import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findChromium } from "../../../scripts/lib/chromium.mjs";
import { Machine } from "./machine";

let machine: Machine;

beforeEach(() => {
  machine = new Machine();
  machine.installed({ "node_modules/one": { version: "1.0.0", integrity: "sha512-one" } });
});
afterEach(() => machine.remove());

const GOOD = "Chromium 156.0.8078.114 built on Debian";
const BINARY = "system/usr/lib/chromium/chromium";

/** A PATH on which everything that could install something fails the test if it is called. */
function forbidInstallers() {
  for (const name of ["apt-get", "sudo"]) machine.fake(name, "exit 1");
}

describe("a Chromium that is there", () => {
  it.each([
    ["the binary of a system package", BINARY],
    ["the binary of a versioned package", "system/usr/lib/chromium-browser/chromium-browser"],
    ["chromium on PATH", "bin/chromium"],
    ["chromium-browser on PATH", "bin/chromium-browser"],
    ["playwright's cache", "home/.cache/ms-playwright/chromium-1300/chrome-linux64/chrome"],
    ["puppeteer's cache", "home/.cache/puppeteer/chrome/linux-156.0.1.2/chrome-linux64/chrome"],
    ["the project's own download", "project/.moggy/browsers/chromium-1300/chrome-linux64/chrome"],
  ])("is found: %s", (_what, path) => {
    forbidInstallers();
    const browser = machine.browser(path, GOOD);
    const run = machine.prepare();
    expect(run.output).toContain(`Chromium 156.0.8078.114 (${browser})`);
    expect(run).toMatchObject({ calls: [], code: 0 });
  });

  it("is taken as the real binary, before the wrapper on PATH", () => {
    machine.browser("bin/chromium", GOOD);
    const binary = machine.browser(BINARY, GOOD);
    expect(machine.prepare().output).toContain(binary);
  });

  it("is passed over when it is too old, for a newer one further down", () => {
    machine.browser(BINARY, "Chromium 147.0.7000.1 built on Debian");
    const newer = machine.browser(
      "home/.cache/ms-playwright/chromium-1300/chrome-linux64/chrome",
      "Google Chrome for Testing 153.0.1.2",
    );
    machine.browser("home/.cache/ms-playwright/chromium-999/chrome-linux64/chrome", GOOD);
    expect(machine.prepare().output).toContain(`Chromium 153.0.1.2 (${newer})`);
  });
});

describe("MOGGY_CHROMIUM", () => {
  it("comes before all that would be found", () => {
    machine.browser(BINARY, GOOD);
    const mine = machine.browser("mine", "Chromium 150.0.1.2");
    expect(machine.prepare({ MOGGY_CHROMIUM: mine }).output).toContain(`Chromium 150.0.1.2 (${mine})`);
  });

  it.each([
    ["a file that is not there", null, "there is no such file"],
    ["an old Chromium", "Chromium 140.0.1.2", "it is version 140, and 148 or newer is needed"],
    ["branded Chrome", "Google Chrome 156.0.1.2", "ignores --load-extension"],
    ["another browser", "Brave Browser 156.0.1.2", 'it is "Brave Browser"'],
    ["no browser at all", "hello", 'it does not say its version (it printed "hello")'],
  ])("that names %s is an error, not a reason to take another", (_what, says, reason) => {
    forbidInstallers();
    machine.browser(BINARY, GOOD);
    const mine = says === null ? `${machine.folder}/nowhere` : machine.browser("mine", says);
    const run = machine.prepare({ MOGGY_CHROMIUM: mine });
    expect(run).toMatchObject({ calls: [], code: 1 });
    expect(run.output).toContain(`MOGGY_CHROMIUM is ${mine}`);
    expect(run.output).toContain(reason);
  });

  it("that names a program which fails tells its last words", () => {
    const mine = machine.write(
      "mine",
      "#!/bin/sh\necho 'libnss3.so: cannot open shared object file' >&2\nexit 127\n",
    );
    expect(machine.prepare({ MOGGY_CHROMIUM: mine }).output).toContain(
      "not a program that this user may run",
    );
    machine.browser("mine", "x\nexit 127");
    machine.fake("broken", "echo 'libnss3.so: cannot open shared object file' >&2\nexit 127");
    const run = machine.prepare({ MOGGY_CHROMIUM: `${machine.bin}/broken` });
    expect(run.output).toContain("exit code 127: libnss3.so: cannot open shared object file");
  });
});

describe("other systems", () => {
  const search = (platform: NodeJS.Platform, env: Record<string, string> = {}) =>
    findChromium({
      platform,
      env: { HOME: machine.home, PATH: machine.bin, ...env },
      projectRoot: machine.project,
      systemRoot: machine.system,
    });

  it.each([
    "system/Applications/Chromium.app/Contents/MacOS/Chromium",
    "home/Applications/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    "home/Library/Caches/ms-playwright/chromium-1300/chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
  ])("macOS: %s", async (path) => {
    const browser = machine.browser(path, "Google Chrome for Testing 156.0.1.2");
    expect((await search("darwin")).chromium).toEqual({ path: browser, version: "156.0.1.2" });
  });

  it("macOS: branded Chrome is named and refused", async () => {
    machine.browser(
      "system/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
      "Google Chrome 156.0.1.2",
    );
    const { chromium, rejected } = await search("darwin");
    expect(chromium).toBeNull();
    expect(rejected[0]?.reason).toContain("branded Chrome 156");
  });

  it("Windows: the version is read beside the program, which is never started", async () => {
    const env = { ProgramFiles: `${machine.folder}/pf`, LOCALAPPDATA: `${machine.folder}/local` };
    machine.fake("started", "exit 1");
    const branded = machine.browser("pf/Google/Chrome/Application/chrome.exe", "must not be asked");
    machine.write("pf/Google/Chrome/Application/156.0.1.2/x", "");
    const before = await search("win32", env);
    expect(before.chromium).toBeNull();
    expect(before.rejected).toMatchObject([{ path: branded }]);
    expect(before.rejected[0]?.reason).toContain("branded Chrome 156");

    const browser = machine.browser(
      "local/ms-playwright/chromium-1300/chrome-win64/chrome.exe",
      "must not be asked",
    );
    machine.write("local/ms-playwright/chromium-1300/chrome-win64/155.0.1.2.manifest", "");
    expect((await search("win32", env)).chromium).toEqual({ path: browser, version: "155.0.1.2" });
  });
});
