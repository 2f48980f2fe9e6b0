import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startDemoModel } from "@tests/servers/demo-model";
import type { BrowserContext } from "playwright-core";
import { buildFolder, ensureBuild, runBuild } from "../lib/builds";
import { findChromium } from "../lib/chromium.mjs";
import { searchScope } from "../lib/chromium-places.mjs";
import { launchWithExtension } from "../lib/extension";
import { PROJECT_ROOT } from "../lib/root";
import { Stop } from "../lib/stop.mjs";
import { startDemoPage } from "./demo-page";
import { EvalClient } from "./eval-client";
import type { StartOptions } from "./options";
import { watchConversation } from "./watch";

/** The example scripts that `npm start` installs. */
const EXAMPLES = ["hello-agent.user.js"];

const print = (text: string) => process.stdout.write(text);

/**
 * Builds, serves, opens and shows; returns when the person closes the browser or presses Ctrl-C, with `once` when the example's
 * conversation has ended. All that it started has ended then.
 * @throws {Stop} when anything of it cannot be done, or the conversation failed
 */
export async function runDemo(options: StartOptions): Promise<void> {
  const started: { close(): Promise<void> }[] = [];
  const interrupted = onInterrupt();
  try {
    await Promise.race([demo(options, (resource) => started.push(resource)), interrupted]);
  } finally {
    for (const resource of started.reverse()) await resource.close();
  }
}

async function demo(
  options: StartOptions,
  opened: (resource: { close(): Promise<void> }) => void,
): Promise<void> {
  const { chromium } = await findChromium(searchScope(PROJECT_ROOT, process.env));
  if (!chromium) throw new Stop("No usable Chromium is here. Run: node scripts/prepare.mjs");
  await buildExtension(options.rebuild);

  const model = options.model ?? (await demoModel(opened));
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

  await setUp(context, model);
  const page = context.pages()[0] ?? (await context.newPage());
  const { ended } = await watchConversation(page, print);
  console.log(`\nThe conversation that ${EXAMPLES[0]} holds on ${demoPage.url}:\n`);
  const conversation = Promise.all([ended, page.goto(demoPage.url)]).finally(() => print("\n"));
  if (options.once) {
    await conversation;
    return;
  }
  conversation.then(
    () =>
      console.log(
        `\nIt has ended. Close the browser or press Ctrl-C to stop; ${demoPage.url} stays open till then.`,
      ),
    (error: Error) => console.error(`\n${error.message}\nThe browser stays open; Ctrl-C stops it.`),
  );
  await closed;
}

async function buildExtension(rebuild: boolean): Promise<void> {
  const started = Date.now();
  const built = rebuild ? await runBuild("eval").then(() => true) : await ensureBuild("eval");
  if (built) console.log(`Built the extension in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

async function demoModel(opened: (resource: { close(): Promise<void> }) => void) {
  const server = await startDemoModel({});
  opened(server);
  console.log(`Demo model server (canned answers, no real model): ${server.url}`);
  return { url: server.url, name: "demo", apiKey: "demo" };
}

/** Sets the model and installs the examples, from an options page that stays open for the person to look around in. */
async function setUp(
  context: BrowserContext,
  model: { url: string; name: string; apiKey?: string },
): Promise<void> {
  const client = await EvalClient.open(context);
  await client.send("eval:setModel", {
    provider: "openai-compatible",
    apiBaseUrl: model.url,
    model: model.name,
    ...(model.apiKey ? { apiKey: model.apiKey } : {}),
  });
  for (const file of EXAMPLES) {
    const code = await readFile(join(PROJECT_ROOT, "example-scripts", file), "utf8");
    await client.send("eval:installScript", { code, enabled: true });
  }
}

/** Windows and macOS always have one that a program started from a terminal can use. */
function hasDisplay(): boolean {
  if (process.platform !== "linux") return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** Fulfils at the first Ctrl-C (or a polite kill); a second one ends the process at once. */
function onInterrupt(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => {
        console.log("\nStopping …");
        resolve();
      });
    }
  });
}
