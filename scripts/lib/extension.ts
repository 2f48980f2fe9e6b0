import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { Stop } from "./stop.mjs";

/** The extension's id, which the `key` in manifest.json fixes. */
export const EXTENSION_ID = "nfdmkfdobdphdkifllfjkcjhilhmflcf";

/** Address of one of the extension's own pages. */
export const extensionUrl = (path: string) => `chrome-extension://${EXTENSION_ID}/${path}`;

export interface LaunchOptions {
  /** Path of the Chromium. */
  executablePath: string;
  /** Folder of the built extension. */
  extension: string;
  /** Profile folder; made when it is not there. */
  profile: string;
  headless: boolean;
}

/**
 * Opens Chromium with the extension loaded and user scripts allowed. The browser's sandbox is kept, except for root, for whom Chromium
 * does not start with it.
 * @throws {Stop} when the profile is in use or the browser does not start
 */
export async function launchWithExtension(options: LaunchOptions): Promise<BrowserContext> {
  await allowUserScripts(options.profile);
  const args = [
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    `--disable-extensions-except=${options.extension}`,
    `--load-extension=${options.extension}`,
  ];
  if (options.headless) args.push("--disable-gpu");
  try {
    return await chromium.launchPersistentContext(options.profile, {
      executablePath: options.executablePath,
      headless: options.headless,
      chromiumSandbox: process.getuid?.() !== 0,
      // A window of the person's own size; headless gets one that fits the demo page.
      viewport: options.headless ? { width: 1280, height: 800 } : null,
      ignoreDefaultArgs: ["--enable-automation"],
      // Ctrl-C is handled by whoever launches: the servers beside the browser have to end too.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      args,
    });
  } catch (error) {
    throw new Stop(whyNotLaunched(options, error instanceof Error ? error.message : String(error)));
  }
}

/**
 * Switches "Allow user scripts" on in a profile that no browser has open, as the switch on the extension's page would.
 * @param profile profile folder; made when it is not there
 */
export async function allowUserScripts(profile: string): Promise<void> {
  const path = join(profile, "Default", "Preferences");
  await mkdir(join(profile, "Default"), { recursive: true });
  const preferences = existsSync(path) ? asObject(JSON.parse(await readFile(path, "utf8"))) : {};
  const extensions = member(preferences, "extensions");
  member(extensions, "ui").developer_mode = true;
  member(member(extensions, "settings"), EXTENSION_ID).user_scripts_enabled = true;
  await writeFile(path, JSON.stringify(preferences));
}

/** The same, in a running browser: for profiles whose preferences are signed and so cannot be written from outside. */
export async function allowUserScriptsLive(page: Page): Promise<void> {
  await page.goto("chrome://extensions");
  await page.evaluate(
    `chrome.developerPrivate.updateExtensionConfiguration({ extensionId: "${EXTENSION_ID}", userScriptsAccess: true })`,
  );
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** The object under a key, made when there is none. */
function member(object: Record<string, unknown>, key: string): Record<string, unknown> {
  const value = asObject(object[key]);
  object[key] = value;
  return value;
}

function whyNotLaunched(options: LaunchOptions, message: string): string {
  if (/ProcessSingleton|SingletonLock|already in use|existing browser session/i.test(message)) {
    return `The profile ${options.profile} is open in another Chromium. Close that one, or choose another with --profile DIR.`;
  }
  const lines = [`Chromium did not start (${options.executablePath}).`];
  if (/sandbox/i.test(message) && process.getuid?.() !== 0) {
    lines.push(
      "Its sandbox is not available to this user. On Debian: sudo apt-get install chromium-sandbox; on Ubuntu 24 and newer see",
      "https://chromium.googlesource.com/chromium/src/+/main/docs/security/apparmor-userns-restrictions.md",
    );
  }
  lines.push("It said:", ...message.split("\n").map(stripVTControlCharacters).filter(isTelling).slice(0, 12));
  return lines.join("\n");
}

/** Leaves out the launcher's own log and the command line with its hundred switches. */
function isTelling(line: string): boolean {
  return !/<(launching|launched|gracefully|kill|will force|process did exit)|temporary directories|^Call log/.test(
    line,
  );
}
