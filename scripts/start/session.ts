import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { startDemoModel } from "@tests/servers/demo-model";
import type { BrowserContext, Page } from "playwright-core";
import { buildFolder, ensureBuild, runBuild } from "../lib/builds";
import { findChromium } from "../lib/chromium.mjs";
import { searchScope } from "../lib/chromium-places.mjs";
import { launchWithExtension } from "../lib/extension";
import { PROJECT_ROOT } from "../lib/root";
import { Stop } from "../lib/stop.mjs";
import { startDemoPage } from "./demo-page";
import { EvalClient } from "./eval-client";
import { type ModelChoice, setModel } from "./model";
import type { StartOptions } from "./options";
import { watchConversation } from "./watch";

/** The example scripts that `npm start` installs. The first one talks by itself; the others wait to be asked. */
const EXAMPLES = ["hello-agent.user.js", "page-summary.user.js", "tool-calling.user.js"];

const print = (text: string) => process.stdout.write(text);

/**
 * Builds, serves, opens and shows; returns when the person closes the browser or presses Ctrl-C, with `once` when the example's
 * conversation has ended. All that it started has ended then.
 * @throws {Stop} when anything of it cannot be done, or the conversation failed
 */
export async function runDemo(options: StartOptions): Promise<void> {
  const started: Resource[] = [];
  const { interrupted, signal } = onInterrupt();
  try {
    await Promise.race([demo(options, (resource) => started.push(resource), signal), interrupted]);
  } finally {
    for (const resource of started.reverse()) await resource.close();
  }
  // With --once something waits for the exit code, and a conversation that was broken off has not gone well.
  if (signal.aborted && options.once) process.exitCode = 130;
}

interface Resource {
  close(): Promise<void>;
}

async function demo(
  options: StartOptions,
  opened: (resource: Resource) => void,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = Date.now();
  const { chromium } = await findChromium(searchScope(PROJECT_ROOT, process.env));
  if (!chromium) throw new Stop("No usable Chromium is here. Run: node scripts/prepare.mjs");
  await buildExtension(options.rebuild);

  const model = options.model ? { ...options.model, title: options.model.name } : await startModel(opened);
  const demoPage = await startDemoPage(options.port);
  opened(demoPage);

  const headless = options.headless || !hasDisplay();
  if (headless && !options.headless)
    console.log("There is no display here, so the browser runs without a window.");
  const context = await launchWithExtension({
    executablePath: chromium.path,
    extension: buildFolder("eval"),
    profile: options.profile,
    headless,
  });
  opened(context);
  const closed = new Promise<void>((resolve) => context.on("close", () => resolve()));

  const client = await setUp(context, model, options.profile);
  // The tab that the browser opened by itself began before the extension did; a person would open another one too.
  const page = await context.newPage();
  for (const blank of context.pages())
    if (blank.url() === "about:blank" && blank !== page) await blank.close();
  const { ended } = await watchConversation(page, print);
  console.log(`\nThe conversation that ${EXAMPLES[0]} holds on ${demoPage.url}:\n`);
  const conversation = Promise.all([ended, openPage(page, demoPage.url)])
    .finally(() => print("\n"))
    .catch(async (error: Error) => {
      throw new Stop(`${error.message}${await scriptErrors(client, startedAt)}`);
    });
  if (options.once) {
    await conversation;
    return;
  }
  conversation.then(
    () =>
      console.log(
        `\nIt has ended. Close the browser or press Ctrl-C to stop; ${demoPage.url} stays open till then.`,
      ),
    (error: Error) => {
      // Closing the browser ends the conversation too; that is no news to the one who did it.
      if (!signal.aborted) console.error(`\n${error.message}\nThe browser stays open; Ctrl-C stops it.`);
    },
  );
  await closed;
}

/** @throws {Stop} when the browser does not show the page, without the log that Playwright adds to its errors */
async function openPage(page: Page, url: string): Promise<void> {
  try {
    await page.goto(url);
  } catch (error) {
    const [reason = ""] = stripVTControlCharacters(
      error instanceof Error ? error.message : String(error),
    ).split("\n");
    throw new Stop(
      reason.includes("ERR_UNSAFE_PORT")
        ? `Browsers refuse to open ${url}, since its port belongs to another service. Choose another with --port N, such as 8080.`
        : `The browser could not open the demo page. It said: ${reason}`,
    );
  }
}

async function buildExtension(rebuild: boolean): Promise<void> {
  const started = Date.now();
  const built = rebuild ? await runBuild("eval").then(() => true) : await ensureBuild("eval");
  if (built) console.log(`Built the extension in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

async function startModel(opened: (resource: Resource) => void): Promise<ModelChoice> {
  const server = await startDemoModel();
  opened(server);
  console.log(`Demo model server (it answers by fixed rules; no real model): ${server.openaiBaseUrl}`);
  return { title: "Demo model", url: server.openaiBaseUrl, name: server.model };
}

/** Sets the model and installs the examples, from an options page that stays open for the person to look around in. */
async function setUp(context: BrowserContext, model: ModelChoice, profile: string): Promise<EvalClient> {
  const client = await EvalClient.open(context);
  await setModel(client, model, profile);
  for (const file of EXAMPLES) {
    const code = await readFile(join(PROJECT_ROOT, "example-scripts", file), "utf8");
    await client.send("eval:installScript", { code, enabled: true });
  }
  return client;
}

/** What the scripts themselves ran into since then: most often the cause when no conversation began. */
async function scriptErrors(client: EvalClient, since: number): Promise<string> {
  if (client.optionsPage.isClosed()) return "";
  const scripts = (await client.send("eval:scripts")) as {
    name: string;
    errors: { at: number; message: string }[];
  }[];
  const lines = scripts.flatMap(({ name, errors }) =>
    errors.filter(({ at }) => at >= since).map(({ message }) => `\n  ${name}: ${message}`),
  );
  return lines.length > 0 ? `\nErrors of the scripts:${lines.join("")}` : "";
}

/** Windows and macOS always have one that a program started from a terminal can use. */
function hasDisplay(): boolean {
  if (process.platform !== "linux") return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** The first Ctrl-C (or polite kill) fulfils the promise and aborts the signal; a second one ends the process at once. */
function onInterrupt(): { interrupted: Promise<void>; signal: AbortSignal } {
  const controller = new AbortController();
  const interrupted = new Promise<void>((resolve) => {
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(name, () => {
        console.log("\nStopping …");
        controller.abort();
        resolve();
      });
    }
  });
  return { interrupted, signal: controller.signal };
}
