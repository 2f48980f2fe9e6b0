// npm run bench -- start: a call to a worker that was just killed, without and with agents, beside a bare classic worker of the
// same run; after install, after an update and after a relaunch of the browser.
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extensionUrl } from "../../scripts/lib/extension";
import { type BenchBrowser, EVAL_BUILD, launchMoggy } from "./harness";
import { median, spread, table } from "./stats";

const KILLS = 20;
const COLD_BUDGET = 30;
const AGENT_BUDGET = 120;

const scratch = await mkdtemp(join(tmpdir(), "moggy-bench-ext-"));
try {
  const bare = join(scratch, "bare");
  await makeBare(bare);
  const build = join(scratch, "moggy");
  await cp(EVAL_BUILD, build, { recursive: true });

  const reference = await coldCalls(bare, "bare");
  let browser = await launchMoggy(undefined, build);
  await browser.eval("eval:ready");
  const rows: Array<[string, string]> = [["bare classic worker, cold call", spread(reference)]];
  rows.push(...(await measure(browser, "after install")));

  await update(browser, build);
  rows.push(...(await measure(browser, "after an update")));

  const { profile } = browser;
  await browser.close({ keepProfile: true });
  browser = await launchMoggy(profile, build);
  rows.push(...(await measure(browser, "after a relaunch")));
  await browser.close();
  table(`Calls to a worker that was just killed (${KILLS} kills each)`, rows);
} finally {
  await rm(scratch, { recursive: true, force: true });
}

async function measure(browser: BenchBrowser, when: string): Promise<Array<[string, string]>> {
  const calls = { cold: [] as number[], agent: [] as number[] };
  for (let i = 0; i < KILLS; i++) {
    for (const kind of ["cold", "agent"] as const) {
      await browser.killWorker();
      calls[kind].push(await timeCall(browser, kind === "cold" ? "settings.get" : "agent.models.list"));
    }
  }
  const row = (name: string, samples: number[], budget: number): [string, string] => [
    `${when}: ${name}`,
    `${spread(samples)} — budget ${budget} ms ${median(samples) <= budget ? "met" : "MISSED"}`,
  ];
  return [
    row("cold call without agents", calls.cold, COLD_BUDGET),
    row("first agent call", calls.agent, AGENT_BUDGET),
  ];
}

/** Time of one RPC call from an options page to the worker, as a page makes it. */
function timeCall(browser: BenchBrowser, method: string): Promise<number> {
  return browser.options.evaluate(
    (m) =>
      new Promise<number>((resolve, reject) => {
        const started = performance.now();
        const port = chrome.runtime.connect(undefined, { name: "page" });
        port.onMessage.addListener((frame: { t: string; e?: { message: string } }) => {
          const took = performance.now() - started;
          port.disconnect();
          if (frame.t === "ok") resolve(took);
          else reject(new Error(frame.e?.message ?? frame.t));
        });
        port.postMessage({ t: "call", id: 1, m, a: {} });
      }),
    method,
  );
}

/** Raises the version on disk and reloads the extension, as an update does, and comes back to its options page. */
async function update(browser: BenchBrowser, build: string): Promise<void> {
  const path = join(build, "manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8")) as { version: string };
  manifest.version = "99.0.0";
  await writeFile(path, JSON.stringify(manifest));
  const page = await browser.context.newPage();
  const restarted = browser.context.waitForEvent("serviceworker");
  await browser.options
    .evaluate(() => chrome.runtime.reload())
    .catch((error: unknown) => {
      // The page goes away with the extension that it belongs to, before it can answer.
      if (!String(error).includes("closed")) throw error;
    });
  await restarted;
  await page.goto(extensionUrl("options.html"));
  browser.options = page;
}

/** The same call against a worker that does nothing else. */
async function coldCalls(folder: string, name: string): Promise<number[]> {
  const browser = await launchMoggy(undefined, folder);
  const samples: number[] = [];
  for (let i = 0; i < KILLS; i++) {
    await browser.killWorker();
    samples.push(await timeCall(browser, name));
  }
  await browser.close();
  return samples;
}

async function makeBare(folder: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(EVAL_BUILD, "manifest.json"), "utf8")) as Record<
    string,
    unknown
  >;
  const { key, message_serialization, minimum_chrome_version } = manifest;
  await cp(join(EVAL_BUILD, "options.html"), join(folder, "options.html"));
  await writeFile(join(folder, "options.html"), "<!doctype html><title>bare</title>");
  await writeFile(
    join(folder, "manifest.json"),
    JSON.stringify({
      manifest_version: 3,
      name: "bare",
      version: "1",
      key,
      message_serialization,
      minimum_chrome_version,
      background: { service_worker: "worker.js" },
    }),
  );
  await writeFile(
    join(folder, "worker.js"),
    `chrome.runtime.onConnect.addListener((port) => port.onMessage.addListener(({ id }) => port.postMessage({ t: "ok", id, v: null })));`,
  );
}
