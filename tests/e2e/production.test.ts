import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { extensionUrl, launchWithExtension } from "../../scripts/lib/extension";
import { type PageServer, startPageServer } from "../servers/pages";
import { probe, probeScript } from "./harness/probe";
import { callWorker } from "./harness/rpc";

/** The build that people load. */
const DIST = join(import.meta.dirname, "../../dist");

let profile: string;
let context: BrowserContext;
let options: Page;
let pages: PageServer;

beforeAll(async () => {
  profile = await mkdtemp(join(tmpdir(), "moggy-production-"));
  [context, pages] = await Promise.all([
    launchWithExtension({ executablePath: inject("chromium"), extension: DIST, profile, headless: true }),
    startPageServer(),
  ]);
  options = await context.newPage();
  await options.goto(extensionUrl("options.html"));
});
afterAll(async () => {
  await Promise.all([context?.close(), pages?.close()]);
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
});

const EVAL = [
  "ready policy installScript removeScript scripts values setModel setSettings addMcpServer installSkill chat startTask getTask waitTask",
  "startHomepage runs events tick observe act tool clear",
].flatMap((line) => line.split(" "));

it("rejects every eval message, and does nothing that it says", async () => {
  const code = probeScript("p", { grant: ["GM_getValue", "GM_setValue"] });
  await callWorker(options, "scripts.install", { code });
  const answers = await options.evaluate(
    (types) =>
      Promise.all(
        types.map((type) =>
          chrome.runtime.sendMessage({ type: `eval:${type}`, code: "", patch: {} }).then(
            (answer: unknown) => `${type}: ${JSON.stringify(answer)}`,
            (error: Error) =>
              /receiving end does not exist/i.test(error.message) ? "rejected" : `${type}: ${error.message}`,
          ),
        ),
      ),
    EVAL,
  );
  expect(answers).toEqual(EVAL.map(() => "rejected"));
  expect(await callWorker(options, "scripts.list")).toHaveLength(1);
});

it("does what the other build does: a script that was installed runs", async () => {
  const page = await context.newPage();
  await page.goto(`${pages.a}/plain`);
  expect(await probe(page, "p", `GM_setValue("k", 1); return GM_getValue("k")`)).toBe(1);
  expect(await callWorker(options, "settings.status")).toMatchObject({ userScripts: true });
  await page.close();
});

it("has none of the code that answers eval messages", async () => {
  const files = (await readdir(DIST, { recursive: true })).filter((name) => name.endsWith(".js"));
  expect(files).toContain("core.js");
  for (const file of files) {
    expect(await readFile(join(DIST, file), "utf8").then((text) => text.includes("eval:")), file).toBe(false);
  }
});
